"""Where hostile input is read: bubblewrap, else Landlock with seccomp, else nowhere.

`choose()` says which; a `Pool` keeps children of a `Policy` warm; `Box.ask` hands one its only request.
"""

from worker.sandbox.box import Box, Kind, choose
from worker.sandbox.policy import GIB, KIB, MIB, Policy
from worker.sandbox.pool import Pool

__all__ = ["GIB", "KIB", "MIB", "Box", "Kind", "Policy", "Pool", "choose"]
