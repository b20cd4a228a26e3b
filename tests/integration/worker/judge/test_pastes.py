"""What members bring from elsewhere, through the whole judge: adapted to the letter, or told what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.worker.conftest import Judging
from tests.pastes import ALL, expected
from worker.protocol import Kind, Verdict

ADAPTED = [path for path in ALL if expected(path)[0] != "told"]
TOLD = [path for path in ALL if expected(path)[0] == "told"]


def named(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def judged(judge: Judging, path: Path) -> Verdict:
    return judge(path.read_text("utf-8"), path.parent.name)


def test_there_are_enough_of_both() -> None:
    assert len(ADAPTED) >= 20
    assert len(TOLD) >= 15


@pytest.mark.parametrize("path", ADAPTED, ids=named)
def test_an_adapted_paste_gets_the_verdict_that_its_kernel_deserves(verdict_on_ours: Judging, path: Path) -> None:
    """And every line that ran is the member's own, empty, or a launch line."""
    verdict = judged(verdict_on_ours, path)
    wanted, form = expected(path)
    assert verdict.verdict != Kind.ACCEPTED if wanted == "wrong" else verdict.verdict == wanted, verdict.findings
    assert verdict.verdict is not Kind.COMPILE_ERROR
    said = [finding for finding in verdict.findings if finding.id == "paste-adapted"]
    assert [finding.evidence["form"] for finding in said] == ([] if form == "none" else [form])
    assert (verdict.adapted is None) is (form == "none")
    own = path.read_text("utf-8").split("\n")
    for line, ran in zip(own, (verdict.adapted or "").split("\n"), strict=False):
        assert not ran.strip() or ran == line.rstrip() or ran.startswith(("//! ", "#include <cstdint>"))


@pytest.mark.parametrize("path", TOLD, ids=named)
def test_what_cannot_be_said_in_launch_lines_is_told_and_not_run(verdict_on_ours: Judging, path: Path) -> None:
    verdict = judged(verdict_on_ours, path)
    (finding,) = verdict.findings
    assert (verdict.verdict, verdict.cases, verdict.adapted) == (Kind.COMPILE_ERROR, (), None)
    reason = finding.evidence["reason"]
    inner = reason["fields"]["why"] if reason["id"] == "paste-reason.at" else reason
    assert inner["id"] == f"paste-reason.{expected(path)[1]}"
    assert "//! launch" in finding.message["en"]
    assert "//! launch" in finding.message["zh"]
