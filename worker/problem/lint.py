"""What can be said of a problem that loads, without running anything of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from worker.problem.model import Problem
from worker.protocol import Kind

RIGHT_AT_LEAST = 2
"""A plain solution and a better one."""

WRONG_AT_LEAST = 3

VERDICT = "// verdict:"
NEEDS_GPU = "// needs: gpu"

_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing to mend: where it is, what is wrong and what to do."""

    file: Path
    what: str


def lint(problem: Problem) -> Iterator[Fault]:
    yield from _statements(problem)
    yield from _solutions(problem)


def stated_verdict(solution: Path) -> Kind | None:
    """What the first line of a wrong solution promises; None when it promises nothing."""
    first = solution.read_text(encoding="utf-8").partition("\n")[0]
    word = first.removeprefix(VERDICT).strip() if first.startswith(VERDICT) else ""
    return Kind(word) if word in {kind.value for kind in Kind} else None


def _statements(problem: Problem) -> Iterator[Fault]:
    sections = {}
    for lang in ("en", "zh"):
        path = problem.folder / f"statement.{lang}.md"
        text = path.read_text(encoding="utf-8")
        if not text.strip():
            yield Fault(path, "is empty: write the statement in this language too")
            continue
        sections[lang] = len(re.findall(r"^## ", text, re.MULTILINE))
        yield from _statement(problem, path, text, problem.title[lang])
        if lang == "zh" and not _CHINESE.search(text):
            yield Fault(path, "holds no Chinese: translate it")
    if len(set(sections.values())) > 1:
        what = f"has {sections['zh']} sections where the English one has {sections['en']}: say the same in both"
        yield Fault(problem.folder / "statement.zh.md", what)


def _statement(problem: Problem, path: Path, text: str, title: str) -> Iterator[Fault]:
    if text.partition("\n")[0] != f"# {title}":
        yield Fault(path, f"does not begin with the title in problem.toml: write '# {title}'")
    if f"{problem.launch.kernel}<<<" not in text:
        yield Fault(path, f"does not show the launch: write out {problem.launch.kernel}<<<...>>>(...)")
    for param in problem.params:
        if f"`{param.name}`" not in text:
            yield Fault(path, f"does not say what `{param.name}` is: name it between backticks")


def _solutions(problem: Problem) -> Iterator[Fault]:
    for kind, least in (("right", RIGHT_AT_LEAST), ("wrong", WRONG_AT_LEAST)):
        found = len(problem.solutions(kind))  # type: ignore[arg-type]  # mypy widens a literal of a tuple
        if found < least:
            yield Fault(problem.folder / "solutions" / kind, f"holds {found} solutions: write at least {least}")
    for path in problem.solutions("wrong"):
        if stated_verdict(path) is None:
            yield Fault(path, f"does not begin with its verdict: write '{VERDICT} wrong_answer' or the like")
    if all(NEEDS_GPU in path.read_text(encoding="utf-8") for path in problem.solutions("right")):
        yield Fault(problem.folder / "solutions" / "right", "holds only what needs a GPU: add one for the emulator")
