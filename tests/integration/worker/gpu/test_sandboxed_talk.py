"""A GPU child in both sandboxes: many questions, descriptors either way, doors closed before it is warm."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.integration.worker.gpu.hostile_child import Count, Die, Fork, Got, HandOver, Read, Refused, Take
from worker import protocol
from worker.errors import ChildLost
from worker.gpu.endings import blamed
from worker.sandbox import Kind, Policy, SandboxedChild

ENTRY = "tests.integration.worker.gpu.hostile_child"
TREE = Path(__file__).parents[4]


@pytest.fixture(params=[pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")), "landlock"])
def child(request: pytest.FixtureRequest) -> Iterator[SandboxedChild]:
    kind: Kind = request.param
    policy = Policy(
        startup=(TREE / "tests",),
        readable=(TREE / "tests",),
        memory_bytes=None,
        syscalls="gpu",
        proc=True,
        environment=MappingProxyType({"OPENBLAS_NUM_THREADS": "1"}),
    )
    with SandboxedChild(kind, ENTRY, policy) as box:
        yield box


def test_it_is_asked_more_than_once_and_remembers(child: SandboxedChild) -> None:
    assert [child.ask(Count(), Got).number for _ in range(3)] == [1, 2, 3]


def test_memory_that_one_child_hands_over_reaches_another_question(child: SandboxedChild) -> None:
    assert child.ask(HandOver(), Got) == Got()
    (handle,) = child.take_descriptors()
    try:
        assert child.ask(Take(), Got, descriptors=[handle]).data == b"device memory"
    finally:
        os.close(handle)


@pytest.mark.parametrize("path", ["/etc/passwd", "/etc/hostname", "/proc/1/environ"])
def test_it_reads_nothing_of_the_host(child: SandboxedChild, path: str) -> None:
    assert isinstance(child.ask(Read(path), Got, Refused), Refused)


def test_it_makes_no_process(child: SandboxedChild) -> None:
    assert isinstance(child.ask(Fork(), Got, Refused), Refused)


def test_an_answer_of_another_kind_is_none(child: SandboxedChild) -> None:
    with pytest.raises(ChildLost):
        child.ask(Count(), Refused)


@pytest.mark.parametrize("ended", [signal.SIGSEGV, signal.SIGABRT])
def test_how_it_broke_down_is_known_and_blamed_only_on_what_prints(child: SandboxedChild, ended: int) -> None:
    """Device printf is formatted in the runner: a bad %s ends that process, and no member may call it our trouble."""
    with pytest.raises(ChildLost) as lost:
        child.ask(Die(ended), Got)
    assert lost.value.signal == ended
    assert blamed(lost.value, "call.uni (retval0), vprintf, (").kind is protocol.Kind.RUNTIME_ERROR
    with pytest.raises(ChildLost):
        blamed(lost.value, "ret;")


def test_who_kills_it_from_outside_is_our_trouble() -> None:
    with pytest.raises(ChildLost):
        blamed(ChildLost("killed", signal.SIGKILL), "vprintf")
