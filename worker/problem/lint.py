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
WRONG_KINDS_AT_LEAST = 2

VERDICT = "// verdict:"
TRITON_VERDICT = "# verdict:"
NEEDS_GPU = "// needs: gpu"

SECTIONS = {
    "en": ("## Parameters", "## Example", "## What to watch", "## What is measured"),
    "zh": ("## 参数", "## 例子", "## 注意", "## 如何计分"),
}
"""Of a statement: a member looks for the same things in each."""

EXPLAINED = ("Idea:", "Cost:", "Why")
"""Lines, behind the sign of a comment, of a right solution: members read it when they have solved the problem."""

TO_DO = "fill in:"

_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing to mend: where it is, what is wrong and what to do."""

    file: Path
    what: str


def lint(problem: Problem) -> Iterator[Fault]:
    yield from _statements(problem)
    if TO_DO not in problem.starter():
        yield Fault(problem.folder / "starter.cu", f"does not say what is missing: write '// {TO_DO} ...' there")
    yield from _solutions(problem, ".cu")
    if starter := problem.triton_starter_file:
        if TO_DO not in starter.read_text(encoding="utf-8"):
            yield Fault(starter, f"does not say what is missing: write '# {TO_DO} ...' there")
        yield from _solutions(problem, ".py")


def stated_verdict(solution: Path) -> Kind | None:
    """What the first line of a wrong solution promises; None when it promises nothing."""
    first = solution.read_text(encoding="utf-8").partition("\n")[0]
    mark = verdict_mark(solution)
    word = first.removeprefix(mark).strip() if first.startswith(mark) else ""
    return Kind(word) if word in {kind.value for kind in Kind} else None


def verdict_mark(solution: Path) -> str:
    return TRITON_VERDICT if solution.suffix == ".py" else VERDICT


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
        for section in SECTIONS[lang]:
            if section not in text:
                yield Fault(path, f"has no section '{section}': write it")
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
    table = "\n".join(line for line in text.splitlines() if line.startswith("| `"))
    for param in problem.params:
        if f"`{param.name}`" not in table:
            yield Fault(path, f"does not say what `{param.name}` is: give it a line of the table, between backticks")


def _solutions(problem: Problem, suffix: str) -> Iterator[Fault]:
    """Of one language, which the ending tells."""
    right, wrong = (
        [path for path in problem.solutions(kind) if path.suffix == suffix] for kind in ("right", "wrong")
    )
    for folder, found, least in (("right", right, RIGHT_AT_LEAST), ("wrong", wrong, WRONG_AT_LEAST)):
        if len(found) < least:
            what = f"holds {len(found)} solutions ending in {suffix}: write at least {least}"
            yield Fault(problem.folder / "solutions" / folder, what)
    comment = "#" if suffix == ".py" else "//"
    for path in right:
        lines = path.read_text(encoding="utf-8")
        marks = [f"{comment} {part}" for part in EXPLAINED]
        yield from (Fault(path, f"has no line '{mark}': explain it") for mark in marks if mark not in lines)
    stated = {path: stated_verdict(path) for path in wrong}
    for path, verdict in stated.items():
        if verdict is None:
            yield Fault(
                path, f"does not begin with its verdict: write '{verdict_mark(path)} wrong_answer' or the like"
            )
        elif verdict is Kind.ACCEPTED:
            yield Fault(path, "says that it is accepted: then it belongs to the right ones")
    if len(stated) >= WRONG_AT_LEAST and len(set(stated.values())) < WRONG_KINDS_AT_LEAST:
        what = f"holds mistakes of one kind: write solutions of at least {WRONG_KINDS_AT_LEAST} verdicts"
        yield Fault(problem.folder / "solutions" / "wrong", what)
    if right and all(NEEDS_GPU in path.read_text(encoding="utf-8") for path in right):
        yield Fault(problem.folder / "solutions" / "right", "holds only what needs a GPU: add one for the emulator")
