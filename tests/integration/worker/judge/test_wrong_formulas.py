"""Wrong formulas, indices and boundaries over real kernels: the judge says what is wrong, or nothing.

Every twelfth bug of tests/wrong runs by default; TESTS_WRONG=all runs all of them, and measures the ones kept aside.
"""

from __future__ import annotations

import os

import pytest

from tests.integration.worker.conftest import Judging
from tests.wrong import Bug, read
from worker.protocol import Kind, Verdict

ALL = os.environ.get("TESTS_WRONG") == "all"
TUNED, ASIDE = read("tuned.toml"), read("kept_aside.toml")
RIGHT_SHARE, MISLEADING_SHARE = 0.75, 0.03


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine under load must not leave the search unfinished."""
    monkeypatch.setattr("worker.judge.patterns.explain.BUDGET_S", 10.0)


@pytest.fixture(autouse=True)
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same inputs in every run: of some, about one draw in ten does not tell which formula was meant."""
    monkeypatch.setattr("worker.judge.flow.secrets.randbits", lambda bits: 20261123)


def told(verdict: Verdict) -> list[str]:
    assert verdict.verdict is Kind.WRONG_ANSWER
    return [finding.id for finding in verdict.findings if finding.severity == "error"]


@pytest.mark.slow
@pytest.mark.parametrize("bug", TUNED if ALL else TUNED[::12], ids=lambda bug: bug.id)
def test_a_wrong_formula_is_explained_once_or_not_at_all(verdict_on_ours: Judging, bug: Bug) -> None:
    found = told(verdict_on_ours(bug.source, bug.problem))
    assert len(found) <= 1
    assert set(found) <= bug.explained
    assert found or not bug.explained


@pytest.mark.slow
def test_bugs_that_nothing_was_tuned_on_are_mostly_explained_and_hardly_any_wrongly(verdict_on_ours: Judging) -> None:
    """A word that the list does not expect counts as misleading, whatever a reader would say of it."""
    bugs = ASIDE if ALL else ASIDE[5::16]
    found = [(bug, told(verdict_on_ours(bug.source, bug.problem))) for bug in bugs]
    right = sum(bool(ids) and ids[0] in bug.explained for bug, ids in found)
    misleading = sum(bool(ids) and ids[0] not in bug.explained for bug, ids in found)
    assert right / len(bugs) >= RIGHT_SHARE
    assert misleading / len(bugs) <= MISLEADING_SHARE


@pytest.mark.parametrize(
    ("old", "new", "line", "store"),
    [
        ("c[row * n + col]", "c[col * m + row]", 9, "c[col * m + row]"),
        ("    c[row * n + col] = sum;", "\n\n    c[col * m + row] =\n        sum;", 11, "c[col * m + row]"),
    ],
)
def test_the_line_and_the_index_that_stored_a_wrong_element_are_named(
    verdict_on_ours: Judging, old: str, new: str, line: int, store: str
) -> None:
    right = next(bug for bug in TUNED if bug.id == "matmul-first_term_left_out").source.replace(
        "int p = 1", "int p = 0"
    )
    (finding,) = verdict_on_ours(right.replace(old, new), "matmul").findings
    assert (finding.id, finding.line, finding.evidence["store"]) == ("output-transposed", line, store)


def test_the_first_nan_is_told_with_its_line_and_the_line_of_its_infinity(verdict_on_ours: Judging) -> None:
    source = """__global__ void sigmoid(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float e = expf(x[i]);
    float sum = 1.0f + e;
    y[i] = e / sum;
}"""
    (finding,) = verdict_on_ours(source, "sigmoid").findings
    assert (finding.id, finding.line) == ("nan-traced", 7)
    assert (finding.evidence["how"], finding.evidence["cause"], finding.evidence["cause_line"]) == (
        "infinity-by-infinity", "overflow", 5
    )  # fmt: skip


def test_bytes_that_nobody_wrote_are_told_from_a_number(verdict_on_ours: Judging) -> None:
    right = next(bug for bug in TUNED if bug.id == "int8_quantize-rounded_down").source.replace("floorf", "rintf")
    (finding,) = verdict_on_ours(right.replace("q[i] =", "if (i < 32) q[i] ="), "int8_quantize").findings
    assert (finding.id, finding.evidence["output"], finding.evidence["index"]) == ("outputs-unwritten", "q", 32)
