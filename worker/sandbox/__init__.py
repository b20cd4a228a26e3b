"""Where hostile input is read: bubblewrap, else Landlock with seccomp, else nowhere.

`choose()` says which; a `Pool` keeps children of a `Policy` warm; `Box.ask` hands one a request. A child only ever
works for one submission: whoever took it closes it, and it dies.
"""

from worker.sandbox.box import Box, Kind, choose
from worker.sandbox.policy import GIB, KIB, MIB, Policy
from worker.sandbox.pool import Courtesy, Pool

__all__ = ["GIB", "KIB", "MIB", "Box", "Courtesy", "Kind", "Policy", "Pool", "choose"]
