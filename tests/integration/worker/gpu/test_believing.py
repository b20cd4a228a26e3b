"""Which times are believed, which errors are whose, and what a GPU child's talk looks like."""

from __future__ import annotations

import json
import os
import socket
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests import conftest
from tests.gpu_results import fingerprint, stale
from worker.diagnosis import FindingCatalogue
from worker.gpu.child_loop import WithDescriptors, serve
from worker.gpu.driver import CudaError
from worker.gpu.endings import ending_of
from worker.gpu.large_shape_runs import TimedShape, TimingStopped, _believed, _timing, memory_gb_per_s, poison, score
from worker.gpu.wire import (
    RUNNER_REQUESTS,
    ArenaOpened,
    Checked,
    Compared,
    DriverFailure,
    OpenArena,
    Run,
    RunnerRequest,
    WrongElement,
)
from worker.problem import Problem, load
from worker.protocol import Kind
from worker.sandbox import framing

PROBLEMS = Path(__file__).parents[4] / "content" / "problems"
PEAKS = {"memory": 4000.0, "memory_read": 4600.0, "float": 64000.0}
OVERHEAD_US = 10.0


@pytest.fixture(scope="module")
def problem() -> Problem:
    return load(PROBLEMS / "vector_add")


def timed(problem: Problem, event_us: float, beyond_us: float = OVERHEAD_US) -> Any:
    bench = problem.bench[0]
    runs = [(event_us + jitter, event_us + jitter + beyond_us) for jitter in (-1.0, 0.0, 1.0)]
    return _believed(_timing(problem, bench, [event for event, _ in runs], PEAKS), runs, OVERHEAD_US)


def attainable_us(problem: Problem) -> float:
    bench = problem.bench[0]
    return bench.bytes.value(bench.sizes) / memory_gb_per_s(problem, bench, PEAKS) / 1e3


def test_a_third_written_is_limited_between_copying_and_reading(problem: Problem) -> None:
    rate = memory_gb_per_s(problem, problem.bench[0], PEAKS)
    assert 1 / rate == pytest.approx((2 / 3) / 4000 + (1 / 3) / 4600)


def test_an_honest_time_keeps_its_fraction(problem: Problem) -> None:
    timing = timed(problem, 2 * attainable_us(problem))
    assert timing.attainable_fraction == pytest.approx(0.5, rel=1e-3)
    assert score([timing, replace(timing, attainable_fraction=0.125)]) == pytest.approx(0.25, rel=1e-3)


def test_a_time_below_the_floor_is_held(problem: Problem) -> None:
    with pytest.raises(TimingStopped) as failed:
        timed(problem, 0.8 * attainable_us(problem))
    assert failed.value.report.kind is Kind.HELD
    assert failed.value.report.remarks[0][0] == "faster-than-the-card"


def test_events_that_leave_out_most_of_the_time_are_held(problem: Problem) -> None:
    """A kernel that rewrote the start event's time stamp."""
    with pytest.raises(TimingStopped) as failed:
        timed(problem, 2 * attainable_us(problem), beyond_us=OVERHEAD_US + 400.0)
    assert failed.value.report.remarks[0][0] == "clocks-disagree"


def test_poison_is_nan_as_any_kind_of_float() -> None:
    for _ in range(50):
        four = poison().to_bytes(4, "little")
        assert np.isnan(np.frombuffer(four, np.float32)).all()
        assert np.isnan(np.frombuffer(four, np.float16)).all()
        assert np.isnan(np.frombuffer(four * 2, np.float64)).all()
        assert all((half & 0x7F80) == 0x7F80 and half & 0x7F for half in np.frombuffer(four, np.uint16))


@pytest.mark.parametrize(
    ("code", "kind"), [(700, Kind.MEMORY_ERROR), (710, Kind.RUNTIME_ERROR), (2, Kind.OUT_OF_MEMORY)]
)
def test_an_error_of_the_kernels_making_is_the_kernels(code: int, kind: Kind) -> None:
    ending = ending_of(code)
    assert ending is not None
    assert ending.kind is kind


def test_an_error_that_no_kernel_makes_is_ours() -> None:
    assert ending_of(802) is None


def test_a_childs_answers_errors_and_descriptors_arrive() -> None:
    ours, theirs = socket.socketpair()

    def answer(request: RunnerRequest, _: list[int]) -> WithDescriptors:
        if not isinstance(request, OpenArena):
            raise CudaError(700, "CUDA_ERROR_ILLEGAL_ADDRESS")
        reader, writer = os.pipe()
        os.write(writer, b"x" * request.bytes)
        os.close(writer)
        return WithDescriptors(ArenaOpened(request.bytes, 0.5), [reader])

    child = threading.Thread(target=serve, args=(theirs.detach(), RUNNER_REQUESTS, answer))
    child.start()
    with ours:
        assert ask(ours, Run())[0] == DriverFailure(700, "CUDA_ERROR_ILLEGAL_ADDRESS")
        reply, (reader,) = ask(ours, OpenArena(5))
        assert reply == ArenaOpened(5, 0.5)
        assert os.read(reader, 100) == b"xxxxx"
        os.close(reader)
    child.join(10)
    assert not child.is_alive()


def ask(channel: socket.socket, request: RunnerRequest) -> tuple[ArenaOpened | DriverFailure, list[int]]:
    channel.sendall(framing.pack(request))
    frames, came = framing.Frames(), list[int]()
    while (body := frames.take(1 << 16)) is None:
        part, descriptors, _, _ = socket.recv_fds(channel, 1 << 16, 4)
        frames.add(part)
        came += descriptors
    return framing.unpack(body, ArenaOpened, DriverFailure), came


def test_recorded_results_are_stale_once_the_code_changes(tmp_path: Path) -> None:
    (tmp_path / "worker").mkdir()
    (tmp_path / "content" / "problems").mkdir(parents=True)
    code, recorded = tmp_path / "worker" / "a.py", tmp_path / "gpu.json"
    code.write_text("x = 1\n")
    assert "no GPU results" in str(stale(tmp_path, recorded))
    results = {"date": "2026-11-20", "card": {"name": "NVIDIA H200"}, "fingerprint": fingerprint(tmp_path)}
    recorded.write_text(json.dumps(results))
    assert stale(tmp_path, recorded) is None
    (tmp_path / "worker" / "__pycache__").mkdir()
    (tmp_path / "worker" / "__pycache__" / "a.cpython-313.pyc").write_bytes(b"compiled")
    assert stale(tmp_path, recorded) is None
    code.write_text("x = 2\n")
    assert "NVIDIA H200" in str(stale(tmp_path, recorded))


@pytest.mark.parametrize("old", ["the GPU results are of an older worker/", None])
def test_the_tests_end_with_a_line_that_says_so(old: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(conftest, "stale", lambda: old)
    conftest.pytest_terminal_summary(SimpleNamespace(write_line=written.append))  # type: ignore[arg-type]
    assert written[1:] == ([old] if old else [])


def checked(output: Compared | None = None, **changes: Any) -> Checked:
    """What the referee says of a run where all is well."""
    return replace(Checked((output or Compared("c", 0, 0, 0.0),), (), 0), **changes)


def accept(problem: Problem, answer: Checked) -> Any:
    """The report that a run ends in; None when it counts."""
    trial: Any = SimpleNamespace(problem=problem)
    nothing: Any = None
    try:
        TimedShape(trial, problem.bench[0], nothing, nothing, nothing)._accept(answer)
    except TimingStopped as failed:
        return failed.report
    return None


def test_only_a_run_without_any_fault_counts(problem: Problem) -> None:
    assert accept(problem, checked()) is None
    assert accept(problem, checked(inputs_changed=("a",))).kind is Kind.MEMORY_ERROR
    assert accept(problem, checked(guards_damaged=1)).kind is Kind.MEMORY_ERROR


def test_a_wrong_element_of_a_timed_run_is_shown(problem: Problem) -> None:
    element = WrongElement(300, np.float32(2.5).tobytes(), np.float64(0.25).tobytes())
    wrong = Compared("c", 7, 0, 2.25, element)
    report = accept(problem, checked(output=wrong))
    assert report.kind is Kind.WRONG_ANSWER
    (case,) = report.cases
    assert (case.mismatches, case.first.index, case.first.got, case.first.expected) == (7, (300,), 2.5, 0.25)
    assert report.remarks[0][0] == "wrong-when-large"


def test_every_remark_of_the_card_has_words(problem: Problem) -> None:
    catalogue = FindingCatalogue.load(PROBLEMS.parent / "findings.toml")
    reports = [accept(problem, checked(inputs_changed=("a",))), accept(problem, checked(guards_damaged=3))]
    ending = ending_of(716)
    assert ending is not None
    for name, evidence in [*(remark for report in reports for remark in report.remarks), ending.remark]:
        assert set(catalogue.finding(name, None, **evidence).message) == {"en", "zh"}
