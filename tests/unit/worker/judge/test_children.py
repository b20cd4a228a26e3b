"""What is asked of the counted case's child beside the cases costs no case its result."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from worker.emulator.request import Emulation, Request
from worker.errors import ChildLost, ChildTimeout, WorkerError
from worker.judge import emulator_children
from worker.judge.emulator_children import Ask, Children
from worker.protocol import Kind

CASE = Request("", (), ())
RAN = Emulation(Kind.RAN, None, {}, (), (), "")


class Child:
    """Answers every case; to more it ends as `end` says."""

    def __init__(self, end: WorkerError) -> None:
        self._end, self._gone = end, False

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self._gone = True

    def kill(self) -> None:
        self._gone = True

    def ask(self, request: Request, _: type[Emulation], *, seconds: float) -> Emulation:
        assert seconds > 0
        if self._gone:
            raise ChildLost("asked after its end")
        if request.sampled_threads:
            self._gone = True
            raise self._end
        return RAN


@pytest.mark.parametrize("lanes", [1, 2])
@pytest.mark.parametrize("end", [ChildLost("killed"), ChildTimeout("too slow")])
def test_a_child_that_ends_while_it_counts_takes_no_case_with_it(
    end: WorkerError, lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emulator_children, "LANES", lanes)
    pool: Any = SimpleNamespace(take=lambda: Child(end))
    compiled: Any = SimpleNamespace(ptx="", plain_ptx="")

    async def more(ask: Ask) -> None:
        await ask(Request("", (), (), sampled_threads=256))

    results = asyncio.run(Children(pool, frozenset()).emulate(compiled, [CASE] * 6, then=more))
    assert [one.ending for one in results if one] == [Kind.RAN] * 6
