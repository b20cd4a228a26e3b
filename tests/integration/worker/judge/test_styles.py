"""Right kernels in the styles that members bring, tests/styles/<problem>/<style>.cu: nobody accuses them.

Every third runs by default; TESTS_STYLES=all runs all of them. On a card: `python bench/gpu_judge.py --only styles`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.integration.worker.conftest import Judging
from tests.styles import ALL, refused_instruction
from worker.protocol import Kind

EVERY = 1 if os.environ.get("TESTS_STYLES") == "all" else 3


def test_all_problems_have_styles_and_there_are_enough() -> None:
    assert len(ALL) >= 150
    assert len({path.parent.name for path in ALL}) == 16


@pytest.mark.slow
@pytest.mark.parametrize("path", ALL[::EVERY], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_right_kernel_is_accepted_whatever_its_style(verdict_on_ours: Judging, path: Path) -> None:
    """What only a card can run names the instruction in its first comment: `// needs a card: mbarrier`."""
    source = path.read_text(encoding="utf-8")
    verdict = verdict_on_ours(source, path.parent.name)
    needed = refused_instruction(source)
    if needed is None:
        assert verdict.verdict is Kind.ACCEPTED
        assert {found.severity for found in verdict.findings} <= {"hint", "warning"}
    else:
        assert verdict.verdict is Kind.UNSUPPORTED
        assert needed in verdict.findings[0].message["en"]
