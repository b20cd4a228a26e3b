"""Right Triton kernels in the styles of tutorials and of members, a folder for each problem.

Most are for the problems of content/; for those that tutorials are about (attention, dropout, grouped products) there
are problems of the tests' own, which `write_extra_problems` puts beside the others.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.triton_styles.extra import EXTRA, Extra

FOLDER = Path(__file__).parent
CONTENT = FOLDER.parents[1] / "content"
ALL = sorted(FOLDER.glob("*/*.py"))


def refused(source: str) -> str | None:
    """What only a card can run, as a kernel's first line names it: `# needs a card: mbarrier`."""
    match = re.match(r"# needs a card: (\S+)", source)
    return match[1] if match else None


def write_content(folder: Path) -> Path:
    """A content folder whose problems are the real ones and the tests' own, none with a timed shape."""
    shutil.copytree(CONTENT / "problems", folder / "problems", ignore=shutil.ignore_patterns("solutions"))
    shutil.copy(CONTENT / "findings.toml", folder)
    for file in folder.glob("problems/*/problem.toml"):
        text = file.read_text(encoding="utf-8").partition("\n[[bench]]")[0]
        file.write_text(text + "\n", encoding="utf-8")
    for slug, extra in EXTRA.items():
        _write(folder / "problems" / slug, slug, extra)
    return folder


def _write(folder: Path, slug: str, extra: Extra) -> None:
    folder.mkdir()
    params = "\n".join(_param(line) for line in extra.params)
    text = (
        f'slug = "{slug}"\nlevel = "beginner"\ntopics = ["triton"]\n[title]\nen = "{slug}"\nzh = "{slug}"\n{params}\n'
        f'[launch]\nkernel = "k"\ngrid = "1"\nblock = "32"\n[check]\n{extra.check}\n'
        f'[[cases]]\nsizes = {extra.sizes}\nvalues = ["uniform"]\n'
    )
    (folder / "problem.toml").write_text(text, encoding="utf-8")
    (folder / "reference.py").write_text(f"import numpy as np\n\n{extra.reference}", encoding="utf-8")
    for name in ("statement.en.md", "statement.zh.md", "starter.cu"):
        (folder / name).write_text("text\n", encoding="utf-8")


def _param(line: str) -> str:
    """`x: const float* [rows, cols]` or `n: int` as a table."""
    name, _, rest = line.partition(": ")
    kind, _, shape = rest.partition(" [")
    axes = ", ".join(f'"{axis.strip()}"' for axis in shape.rstrip("]").split(",")) if shape else ""
    return f'[[params]]\nname = "{name}"\ntype = "{kind}"\n' + (f"shape = [{axes}]\n" if shape else "")
