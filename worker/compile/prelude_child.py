"""NVRTC behind the sandbox's door, with the prelude precompiled before the door closed.

A precompiled header serves the process that made it and what was forked from that: this entry is for a template.
"""

from __future__ import annotations

import os

import msgspec

from worker.compile import child, prelude
from worker.compile.child import REQUESTS, answer
from worker.compile.headers import STAND_INS
from worker.compile.request import Build
from worker.sandbox.policies import PRELUDE, PRELUDE_OPTIONS

__all__ = ["REQUESTS", "answer", "warm"]

_SOURCE = b"#pragma nv_hdrstop\n" + child.WARM_SOURCE


def warm() -> None:
    headers = {**STAND_INS, prelude.NAME: prelude.TEXT}
    (PRELUDE / "shown").mkdir()
    for options in msgspec.json.decode(os.environ[PRELUDE_OPTIONS], type=list[list[str]]):
        making = (*options, f"--pre-include={prelude.NAME}", f"--create-pch={prelude.place(options)}")
        built = answer(Build(_SOURCE, headers, (), making, log_bytes=4096))
        if not built.ok:
            raise RuntimeError(f"the prelude could not be made: {built.log.decode('utf-8', 'replace')}")
    child.warm()
