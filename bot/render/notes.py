"""Our own pages inside Discord: a note, a problem with its starter file, the list of problems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.buttons import Pick, Press, Style, row
from bot.render.card import Card, Upload, card, with_file
from bot.texts import clean, cut, one_line
from knowledge.content import Note, ProblemCard
from knowledge.wording import Voice

LEVELS = ("beginner", "intermediate", "advanced")


def note_card(note: Note, voice: Voice) -> Card:
    """The beginning as text, all of it as a file when it is longer than a message."""
    short = cut(clean(note.body), 3400)
    made = card(f"### {one_line(note.title)}", short)
    if len(note.body) <= 3400:
        return made
    return with_file(made, Upload(f"{note.slug}.{note.lang}.md", f"# {note.title}\n\n{note.body}".encode()))


def problem_card(problem: ProblemCard, content_dir: Path, voice: Voice) -> Card:
    folder = content_dir / "problems" / problem.slug
    statement = (folder / f"statement.{voice.lang}.md").read_text(encoding="utf-8")
    made = card(
        f"### {one_line(problem.title.text(voice.lang))}\n{voice(f'level.{problem.level}')} · `{problem.slug}`",
        cut(clean(statement), 3300),
        row(Press("submit_to", problem.slug, label=voice("problems.submit"), style=Style.primary),
            Press("board", problem.slug, label=voice("problems.board"))),
    )  # fmt: skip
    return with_file(made, Upload(f"{problem.slug}.cu", (folder / "starter.cu").read_bytes()))


def problems_card(problems: Sequence[ProblemCard], solved: set[str], voice: Voice) -> Card:
    """All of them by level, ticked where solved, with a menu to open one."""
    ordered = sorted(problems, key=lambda one: (LEVELS.index(one.level), len(one.needs), one.slug))
    parts = []
    for level in LEVELS:
        lines = [
            f"{'✅' if one.slug in solved else '•'} **{one_line(one.title.text(voice.lang))}** · `{one.slug}`"
            for one in ordered
            if one.level == level
        ]
        if lines:
            parts.append(f"**{voice(f'level.{level}')}**\n" + "\n".join(lines))
    options = [(one.title.text(voice.lang), one.slug, voice(f"level.{one.level}")) for one in ordered]
    menu = row(Pick("problem", placeholder=voice("problems.open"), options=options)) if options else None
    return card(f"### {voice('problems.title', n=len(ordered))}", *parts, menu)
