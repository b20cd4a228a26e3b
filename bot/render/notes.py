"""Our own pages inside Discord: a note, a problem with its starter file, the list of problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.buttons import Pick, Press, Style, row
from bot.markup import clean, cut, one_line
from bot.render.card import Card, Upload, card, with_file
from knowledge.content import LEVELS, Note, ProblemCard, ProblemTexts
from knowledge.submit.problem_progress import ProblemProgress
from knowledge.words import Language

SIGNS: Mapping[ProblemProgress, str] = {"solved": "✅", "tried": "🔸", "new": "•"}


def note_card(note: Note, language: Language) -> Card:
    """The beginning as text, all of it as a file when it is longer than a message."""
    short = cut(clean(note.body), 3400)
    made = card(f"### {one_line(note.title)}", short)
    if len(note.body) <= 3400:
        return made
    return with_file(made, Upload(f"{note.slug}.{note.lang}.md", f"# {note.title}\n\n{note.body}".encode()))


def problem_card(problem: ProblemCard, texts: ProblemTexts, language: Language) -> Card:
    made = card(
        f"### {one_line(problem.title.text(language.code))}\n{language(f'level.{problem.level}')} · `{problem.slug}`",
        cut(clean(texts.statements[language.code]), 3300),
        row(Press("submit_to", problem.slug, label=language("problems.submit"), style=Style.primary),
            Press("hints", problem.slug, label=language("practice.hints")),
            Press("editorial", problem.slug, label=language("editorial.read")),
            Press("board", problem.slug, label=language("problems.board"))),
    )  # fmt: skip
    return with_file(made, Upload(f"{problem.slug}.cu", texts.starter.encode()))


def problems_card(problems: Sequence[ProblemCard], marks: Mapping[str, ProblemProgress], language: Language) -> Card:
    """All of them by level, marked where the member solved or tried them, with a menu for each level to open one."""
    parts, menus = [], []
    for level in LEVELS:
        of_level = sorted((one for one in problems if one.level == level), key=lambda one: (len(one.needs), one.slug))
        if not of_level:
            continue
        lines = [
            f"{SIGNS[marks[one.slug]]} **{one_line(one.title.text(language.code))}** · `{one.slug}`"
            for one in of_level
        ]
        parts.append(f"**{language(f'level.{level}')}**\n" + "\n".join(lines))
        options = [(one.title.text(language.code), one.slug, "") for one in of_level]
        title = f"{language('problems.open')} · {language(f'level.{level}')}"
        menus.append(row(Pick("problem", level, placeholder=title, options=options)))
    legend = " · ".join(f"{sign} {language.word('mark', mark)}" for mark, sign in SIGNS.items())
    return card(f"### {language('problems.title', n=len(problems))}", *parts, f"-# {legend}", *menus)
