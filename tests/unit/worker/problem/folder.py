"""A small, complete problem folder to load, bend and break."""

from __future__ import annotations

from pathlib import Path

TOML = """
slug = "total"
level = "beginner"
topics = ["reduction"]
[title]
en = "Total"
zh = "总和"
[[params]]
name = "x"
type = "const float*"
shape = ["n"]
[[params]]
name = "out"
type = "float*"
shape = [1]
[[params]]
name = "n"
type = "int"
[[params]]
name = "alpha"
type = "float"
[launch]
kernel = "total"
grid = "max(1, ceil_div(n, 256))"
block = "256"
[check]
rule = "relative"
operations = "n"
[[cases]]
sizes = { n = [1, 2, 33] }
values = ["uniform", "zeros"]
[[bench]]
sizes = { n = 1048576 }
bytes = "4*n"
flops = "n"
"""

REFERENCE = """
import numpy as np

def reference(x, alpha):
    return {"out": np.array([alpha * x.sum()]), "magnitude_out": np.array([abs(alpha) * np.abs(x).sum()])}
"""


def write(root: Path, toml: str = TOML, reference: str = REFERENCE) -> Path:
    folder = root / "total"
    folder.mkdir(parents=True)
    (folder / "problem.toml").write_text(toml, encoding="utf-8")
    (folder / "reference.py").write_text(reference, encoding="utf-8")
    for name in ("statement.en.md", "statement.zh.md", "starter.cu", "judge.cu"):
        (folder / name).write_text("text\n", encoding="utf-8")
    return folder
