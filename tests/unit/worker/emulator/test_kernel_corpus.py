"""Every kernel of tests/kernels does in the emulator what its header says, and nothing else."""

from __future__ import annotations

import pytest

from tests.kernels.corpus import KernelCase, load_all
from tests.kernels.emulated import run_case
from worker.protocol import Kind

CASES = load_all()


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case.expect == "clean"], ids=lambda case: case.name)
def test_a_right_kernel_raises_nothing(case: KernelCase) -> None:
    emulation = run_case(case)

    assert (emulation.ending, emulation.reason) == (Kind.RAN, None)
    assert {item.id for item in emulation.observations} == case.hints


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case.expect != "clean"], ids=lambda case: case.name)
def test_a_planted_bug_is_found_by_its_kind_and_line(case: KernelCase) -> None:
    found = {(item.id, item.line) for item in run_case(case).observations}

    assert any(name == case.expect and line in case.bug_lines for name, line in found), found
    assert {line for _, line in found} <= case.bug_lines, "a finding stands where no bug was planted"


def test_the_corpus_is_as_large_as_it_claims() -> None:
    bugs = [case for case in CASES if case.name.startswith("bugs/")]
    tricky = [case for case in CASES if case.name.startswith("clean/")]

    assert len(bugs) >= 60
    assert len(tricky) >= 60
    assert len(CASES) >= 150
