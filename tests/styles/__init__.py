"""Right kernels in the styles that members bring: a folder for each problem, a file for each style.

A file that the emulator refuses says so in its first comment, with the beginning of the instruction's name:
`// needs a card: mbarrier`. tests/integration/worker/judge/test_styles.py judges them on the emulator,
bench/gpu_judge.py on a card.
"""

from __future__ import annotations

import re
from pathlib import Path

STYLES = Path(__file__).parent
ALL = sorted(STYLES.glob("*/*.cu"))

_REFUSED = re.compile(r"^// needs a card: (\S+)", re.MULTILINE)


def refused_instruction(source: str) -> str | None:
    """The beginning of the instruction that the emulator refuses; None for what it can judge."""
    match = _REFUSED.search(source)
    return match.group(1) if match else None
