"""Without bubblewrap: lock this process down, then become the command. For trusted tools on hostile input."""

from __future__ import annotations

import os
import sys

from worker.sandbox import lockdown
from worker.sandbox.child_command import policy_from_json


def main() -> None:
    parent, policy, command = int(sys.argv[1]), policy_from_json(sys.argv[2]), sys.argv[3:]
    lockdown.die_with_parent(parent)
    lockdown.limit(policy)
    lockdown.lock(policy)
    environment = {"PATH": "/usr/bin:/bin", **policy.environment}
    os.execve(command[0], command, environment)  # noqa: S606  # it is the shell that is started, already locked in
