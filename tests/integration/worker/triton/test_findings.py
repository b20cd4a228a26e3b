"""What goes wrong in a Triton kernel is told in Triton's words: id, line, both languages, and something to read."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from tests.integration.worker.conftest import CONTENT, Judging
from tests.integration.worker.triton.test_judging import ADD, DOT, SOFTMAX, SUM
from worker.diagnosis import FindingCatalogue
from worker.protocol import Kind

pytestmark = [pytest.mark.needs("triton"), pytest.mark.slow]

STORE = "    tl.store(c + at, total, mask=inside)\n"
BACK = STORE + "    tl.store(c + at, tl.load(c + at + 1, mask=at + 1 < n, other=0.0), mask=inside)\n"
ACROSS = STORE + "    tl.store(c + at, total + 0 * tl.load(c + (at + 256) % n, mask=inside), mask=inside)\n"


@dataclass(frozen=True, slots=True)
class Wrong:
    """A kernel, and what it is told."""

    finding: str
    line: int | None
    source: str
    problem: str
    verdicts: frozenset[Kind]


TWICE = ADD.replace("c + at,", "c + at // 2,")
ONE_PLACE = SUM.replace("out + tl.program_id(0)", "out")
NO_OTHER = SUM.replace(", other=0.0", "")
ZEROS = SOFTMAX.replace('-float("inf")', "0.0")
HALF = DOT.replace("tl.dot(left, right)", "tl.dot(left, right, out_dtype=tl.float16)")

RACE, ANSWER = frozenset({Kind.RACE}), frozenset({Kind.WRONG_ANSWER})
ANY = ANSWER | {Kind.ACCEPTED}
"""What nobody promises may come out right."""

WRONG = {
    "two programs, one of which writes": Wrong("triton-race", 10, ADD.replace(STORE, ACROSS), "vector_add", RACE),
    "a block stored and read again": Wrong("triton-own-race", 10, ADD.replace(STORE, BACK), "vector_add", RACE),
    "one place twice in a block": Wrong("triton-same-offset", 9, TWICE, "vector_add", RACE),
    "two programs that store to one place": Wrong("triton-same-place", 9, ONE_PLACE, "reduce_sum", RACE),
    "no value for what a reduction reads": Wrong("triton-no-other", 9, NO_OTHER, "reduce_sum", ANY),
    "a maximum over zeros": Wrong("triton-zero-padding", 8, ZEROS, "softmax", ANSWER),
    "sums of sixteen bits": Wrong("triton-half-sums", 13, HALF, "hgemm", ANY),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_mistake_is_told_at_its_line(verdict_on_ours: Judging, wrong: Wrong) -> None:
    verdict = verdict_on_ours(wrong.source, wrong.problem)
    told = {(finding.id, finding.line): finding for finding in verdict.findings}
    assert verdict.verdict in wrong.verdicts
    assert (wrong.finding, wrong.line) in told
    assert re.search(r"[\u4e00-\u9fff]", told[wrong.finding, wrong.line].message["zh"])


def test_every_finding_on_triton_names_what_to_read() -> None:
    catalogue = FindingCatalogue.load(CONTENT / "findings.toml")
    ours = [entry for entry in catalogue if entry.id.startswith("triton-")]
    assert len(ours) > 40
    assert all("triton" in entry.topics for entry in ours)
