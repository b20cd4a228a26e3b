"""Advice on speed from hand-made counts and small modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.worker.problem.folder import write
from worker.compile import Compiled
from worker.compile.resources import kernels
from worker.diagnosis import FindingCatalogue
from worker.diagnosis.performance import advise, predict
from worker.diagnosis.signature import plain_name, resources
from worker.directives import parse
from worker.emulator.request import Counts
from worker.problem import Problem, load

FINDINGS = Path(__file__).parents[4] / "content" / "findings.toml"


@pytest.fixture(scope="module")
def catalogue() -> FindingCatalogue:
    return FindingCatalogue.load(FINDINGS)


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    return load(write(tmp_path))


def compiled(body: str = "ret;", registers: int = 16, spills: int = 0, shared: int = 0) -> Compiled:
    ptx = f".visible .entry k(\n\t.param .u64 k_param_0\n)\n{{\n\t.loc\t1 7 5\n\t{body}\n}}\n"
    log = (
        "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
        f"ptxas         .     0 bytes stack frame, {spills} bytes spill stores, {spills} bytes spill loads\n"
        f"ptxas info    : Used {registers} registers, {shared} bytes smem\n"
    )
    return Compiled(True, "", False, 1.0, "sm_90a", ptx, ptx, b"", kernels(ptx, log), {"k": "k"})


def counts(**by_line: int) -> dict[str, Counts]:
    figures = {
        "load_visits": 0,
        "load_sectors": 0,
        "load_ideal": 0,
        "shared_requests": 0,
        "shared_wavefronts": 0,
    }
    return {"k": Counts(1000, 40, 1.0, 0, 0, 0, 0, 10, 0, 0, 0, {4: {**figures, **by_line}})}


def ids(found: object) -> list[tuple[str, int | None]]:
    return [(one.id, one.line) for one in found]  # type: ignore[attr-defined]  # a tuple of findings


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        ({"load_visits": 100, "load_sectors": 400, "load_ideal": 400}, []),
        ({"load_visits": 100, "load_sectors": 800, "load_ideal": 400}, [("strided-access", 4)]),
        ({"load_visits": 100, "load_sectors": 3200, "load_ideal": 400}, [("uncoalesced", 4)]),
        ({"store_visits": 100, "store_sectors": 3200, "store_ideal": 400}, [("uncoalesced", 4)]),
        ({"load_visits": 3, "load_sectors": 96, "load_ideal": 12}, []),
        ({"shared_requests": 100, "shared_wavefronts": 100}, []),
        ({"shared_requests": 100, "shared_wavefronts": 3200}, [("bank-conflict", 4)]),
    ],
)
def test_patterns_of_memory_become_advice_on_their_line(
    catalogue: FindingCatalogue, figures: dict[str, int], expected: object
) -> None:
    assert ids(advise(catalogue, compiled(), counted=counts(**figures))) == expected


def test_the_numbers_behind_a_finding_are_told(catalogue: FindingCatalogue) -> None:
    (finding,) = advise(catalogue, compiled(), counted=counts(shared_requests=100, shared_wavefronts=3200))
    assert finding.evidence == {"ways": 32.0}
    assert "32" in finding.message["zh"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("add.rn.f64 %fd1, %fd2, %fd3;", [("double-precision-used", 7)]),
        ("rem.s32 %r1, %r2, %r3;", [("integer-division", 7)]),
        ("add.rn.f32 %f1, %f2, %f3;", []),
    ],
)
def test_slow_instructions_become_advice(
    catalogue: FindingCatalogue, problem: Problem, body: str, expected: object
) -> None:
    assert ids(advise(catalogue, compiled(body), problem=problem)) == expected


def test_spills_are_a_warning(catalogue: FindingCatalogue) -> None:
    assert ids(advise(catalogue, compiled(spills=64))) == [("register-spill", None)]


@pytest.mark.parametrize(
    ("block", "registers", "shared", "limiter"),
    [(256, 128, 0, "registers"), (64, 16, 60 << 10, "shared"), (32, 16, 0, None), (256, 16, 0, None)],
)
def test_low_occupancy_names_what_holds_it_back(
    catalogue: FindingCatalogue, problem: Problem, block: int, registers: int, shared: int, limiter: str | None
) -> None:
    plan = parse(f"//! launch k<<<n, {block}, {shared}>>>(x)", problem)
    found = [
        one for one in advise(catalogue, compiled(registers=registers), plan, problem) if one.id == "low-occupancy"
    ]
    assert [one.evidence["limiter"] for one in found] == ([limiter] if limiter else [])


def test_a_grid_smaller_than_the_card_is_told(catalogue: FindingCatalogue, problem: Problem) -> None:
    plan = parse("//! launch k<<<16, 256>>>(x)", problem)
    assert ("too-few-blocks", 1) in ids(advise(catalogue, compiled(), plan, problem))


def test_warnings_come_before_hints_and_never_too_many(catalogue: FindingCatalogue, problem: Problem) -> None:
    plan = parse("//! launch k<<<16, 256>>>(x)", problem)
    many = {
        "k": Counts(
            1,
            1,
            0.2,
            0,
            0,
            0,
            0,
            10,
            9,
            0,
            0,
            {i: {"shared_requests": 99, "shared_wavefronts": 990} for i in range(20)},
        )
    }
    found = advise(catalogue, compiled("rem.s32 %r1, %r2, %r3;"), plan, problem, many)
    assert len(found) == 6
    assert [one.severity for one in found] == sorted((one.severity for one in found), reverse=True)


def test_the_prediction_is_bytes_over_bandwidth(problem: Problem) -> None:
    (prediction,) = predict(problem)
    assert prediction.card == "NVIDIA H200"
    assert prediction.bound == "memory"
    assert prediction.attainable_us == pytest.approx((4 << 20) / 4800e3, rel=1e-3)


def test_occupancy_is_that_of_the_launch(problem: Problem) -> None:
    plan = parse("//! launch k<<<1, 32>>>(x)", problem)
    assert [one.occupancy for one in resources(compiled(), plan, problem)] == [0.5]
    assert [one.occupancy for one in resources(compiled())] == [1.0]


@pytest.mark.parametrize(
    ("entry", "name"), [("_Z3addPKfS0_Pfi", "add"), ("add", "add"), ("_ZN2ns1kEv", "_ZN2ns1kEv")]
)
def test_a_mangled_name_is_shown_plainly(entry: str, name: str) -> None:
    assert plain_name(entry) == name
