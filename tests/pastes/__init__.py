"""What members paste, tests/pastes/<problem>/<name>: its first line says what is expected of it.

`// expect: accepted leetgpu` (the verdict, `wrong` for any but accepted, and the form that is recognised, or `none`)
or `// expect: told order` (not adapted, and the reason's id).
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
ALL = sorted(path for path in FOLDER.glob("*/*") if path.suffix in {".cu", ".py"})


def expected(path: Path) -> tuple[str, str]:
    """The two words behind `expect:`."""
    first, second = path.read_text("utf-8").split("\n", 1)[0].split("expect:")[1].split()
    return first, second
