"""content/problems/*/hints.*.md and editorial.*.md: three hints of a problem, and its worked explanation by steps.

Each begins with a heading ##. Below that of a step stand `measured: simple.cu` (or `floor`, or `triton`) and
`readings: note:thread-hierarchy, note:coalescing`, then its text. The text never states a time: what was measured is
shown from content/solution_times.json.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from knowledge.content.chinese_names import ChineseNames
from knowledge.content.problems import Slug
from knowledge.content.schema import file_text, refuse
from knowledge.content.shared_types import Words
from knowledge.content.solution_resources import AllResources, digest
from knowledge.content.solution_times import SolutionTimes
from knowledge.text.language import Lang

HINTS = 3
STEPS_AT_LEAST = 3
FLOOR = "floor"
"""In place of a solution: what the card would need at its best."""
TRITON = "triton"
"""In place of a solution: the step sets Triton beside CUDA, and has no figures of its own."""
LANGUAGES: tuple[Lang, ...] = ("en", "zh")
LONGEST_HINT = 700
LONGEST_STEP = 2200
"""Characters: a step fits one message on Discord with its figures."""

_KEY = re.compile(r"([a-z]+): (.+)$")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_TIME = re.compile(r"\d[\d.,]*\s?(?:µs|us|ms|ns|[KMGT]B/s|[GMT]FLOP/s|[GMT]?FLOPS)(?![A-Za-z])|\d\s?[%％]")
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading: the lines `key: value` right below it, and its text."""

    title: str
    keys: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class Hint:
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class EditorialStep:
    """One step on the way from the first idea to the best solution."""

    title: str
    text: str
    measured: str
    """Name of a solution under solutions/right without .cu, or `floor`, or `triton`."""
    readings: tuple[str, ...]

    @property
    def solution(self) -> str | None:
        return None if self.measured in {FLOOR, TRITON} else self.measured


@dataclass(frozen=True, slots=True)
class ProblemHelp:
    """Hints and explanation of one problem, by language; empty where a file is missing."""

    hints: Mapping[str, tuple[Hint, ...]] = field(default_factory=dict)
    editorial: Mapping[str, tuple[EditorialStep, ...]] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    """The right solutions by name."""


def load_problem_help(root: Path, slug: Slug) -> ProblemHelp:
    """Return what is there; raises BadContent where a file cannot be read as hints or steps."""
    folder = root / "problems" / slug
    right = sorted((folder / "solutions" / "right").glob("*.cu"))
    return ProblemHelp(
        hints=MappingProxyType({lang: _hints(folder / f"hints.{lang}.md", root) for lang in Words.model_fields}),
        editorial=MappingProxyType(
            {lang: _steps(folder / f"editorial.{lang}.md", root) for lang in Words.model_fields}
        ),
        sources=MappingProxyType({path.stem: file_text(path, root)[0] for path in right}),
    )


def _hints(path: Path, root: Path) -> tuple[Hint, ...]:
    return tuple(Hint(section.title, section.text) for section in _sections(path, root, frozenset()))


def _steps(path: Path, root: Path) -> tuple[EditorialStep, ...]:
    return tuple(
        EditorialStep(
            title=section.title,
            text=section.text,
            measured=section.keys.get("measured", "").removesuffix(".cu"),
            readings=tuple(each.strip() for each in section.keys.get("readings", "").split(",") if each.strip()),
        )
        for section in _sections(path, root, frozenset({"measured", "readings"}))
    )


def _sections(path: Path, root: Path, known: frozenset[str]) -> tuple[Section, ...]:
    """Cut a file at its headings; nothing stands before the first."""
    if not path.is_file():
        return ()
    text, name = file_text(path, root)
    before, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    found = tuple(_section(part) for part in parts)
    strange = [f"no key {key!r} under '{one.title}'" for one in found for key in one.keys if key not in known]
    refuse(name, [*strange, *(["must begin with a heading ##"] if before.strip() else [])])
    return found


def _section(part: str) -> Section:
    title, _, rest = part.partition("\n")
    lines, keys = rest.split("\n"), dict[str, str]()
    while lines and (key := _KEY.match(lines[0])):
        keys[key[1]] = key[2].strip()
        lines.pop(0)
    return Section(title.strip(), MappingProxyType(keys), "\n".join(lines).strip())


def help_mistakes(
    slug: str, found: ProblemHelp, times: SolutionTimes, resources: AllResources
) -> Iterator[tuple[str, str]]:
    """Yield what is missing or wrong in a problem's hints and explanation, each as file and mistake."""
    for lang in LANGUAGES:
        yield from ((f"hints.{lang}.md", what) for what in _in_hints(found.hints.get(lang, ()), lang))
        steps = found.editorial.get(lang, ())
        yield from ((f"editorial.{lang}.md", what) for what in _in_steps(slug, steps, lang, found, times))
    en, zh = (found.editorial.get(lang, ()) for lang in LANGUAGES)
    if [(step.measured, step.readings) for step in en] != [(step.measured, step.readings) for step in zh]:
        yield "editorial.zh.md", "does not go the steps of the English one: `measured:` and `readings:` differ"
    for name, source in found.sources.items():
        known = resources.of_solution(slug, name)
        if known is None or known.source != digest(source):
            what = "is new or has changed: run `python bench/solution_resources.py`, which says what it launches"
            yield f"solutions/right/{name}.cu", what


def _in_hints(hints: tuple[Hint, ...], lang: str) -> Iterator[str]:
    if len(hints) != HINTS:
        yield f"has {len(hints)} hints: write {HINTS}, each under a heading ##"
    for hint in hints:
        yield from (f"'{hint.title}': {what}" for what in _in_text(hint.title, hint.text, lang, LONGEST_HINT))


def _in_steps(
    slug: str, steps: tuple[EditorialStep, ...], lang: str, found: ProblemHelp, times: SolutionTimes
) -> Iterator[str]:
    if len(steps) < STEPS_AT_LEAST:
        yield f"has {len(steps)} steps: write at least {STEPS_AT_LEAST}, each under a heading ##"
        return
    for step in steps:
        said = [*_in_text(step.title, step.text, lang, LONGEST_STEP), *_measured(slug, step, found, times)]
        if not step.readings:
            said.append("names no reading: write a line `readings: note:...`")
        yield from (f"'{step.title}': {what}" for what in said)
    shown = [step.solution for step in steps if step.solution]
    yield from (f"has no step with {name}.cu: explain it" for name in found.sources if name not in shown)
    best = times.fastest(slug)
    if best and best in found.sources and not (shown and times.is_as_fast(slug, shown[-1], best)):
        yield f"does not end with the best solution, which is {best}.cu"


def _measured(slug: str, step: EditorialStep, found: ProblemHelp, times: SolutionTimes) -> Iterator[str]:
    if not step.measured:
        yield f"does not say what was measured: write a line `measured: NAME.cu` or `measured: {FLOOR}`"
    elif step.solution and step.solution not in found.sources:
        yield f"names {step.solution}.cu, which is not under solutions/right"
    elif step.solution and times.of_problem(slug) and not times.of_solution(slug, step.solution):
        yield f"names {step.solution}.cu, which content/solution_times.json has no time of: measure it"


def _in_text(title: str, text: str, lang: str, longest: int) -> Iterator[str]:
    prose = _CODE.sub("", text)
    if not text:
        yield "has no text"
    if len(text) > longest:
        yield f"has {len(text)} characters: write at most {longest}"
    if stated := _TIME.search(prose):
        yield f"states {stated[0]!r}: measured figures are shown from content/solution_times.json"
    if lang == "zh" and not (_HAN.search(title) and _HAN.search(text)):
        yield "holds no Chinese"
    if lang == "en" and _HAN.search(title + text):
        yield "holds Chinese"


def chinese_mistakes(slug: str, found: ProblemHelp, names: ChineseNames) -> Iterator[str]:
    """Yield names in the Chinese texts that are not those of content/chinese_names.yaml."""
    texts = [("hints", one.title, one.text) for one in found.hints.get("zh", ())]
    texts += [("editorial", one.title, one.text) for one in found.editorial.get("zh", ())]
    for file, title, text in texts:
        for line in (title, *text.splitlines()):
            yield from (f"problems/{slug}/{file}.zh.md: '{title}': {what}" for what in names.mistakes(line))
