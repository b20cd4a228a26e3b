"""Where hostile input is read and a member's kernel runs: bubblewrap, else Landlock with seccomp, else nowhere.

Start here: `which_sandbox.py` says which, `policies.py` what each kind of child may touch and use. A `Pool` keeps
children of a `Policy` warm, and `SandboxedChild.ask` hands one a request; `native_command.py` runs programs that are
not Python. A child only ever works for one submission: whoever took it closes it, and it dies.
"""

from worker.sandbox.policy import GIB, KIB, MIB, Policy
from worker.sandbox.pool import Courtesy, Pool
from worker.sandbox.sandboxed_child import SandboxedChild
from worker.sandbox.which_sandbox import Kind, choose

__all__ = ["GIB", "KIB", "MIB", "Courtesy", "Kind", "Policy", "Pool", "SandboxedChild", "choose"]
