"""A guild's weekly digest: open and answered questions, new readings, what was solved, the problem of the week."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from bot.buttons import Press, Style, row
from bot.markup import one_line, when
from bot.render.card import Card, card
from bot.render.group import mention, post_button
from bot.render.readings import short_id
from bot.render.resource import gap_lines, item_lines
from knowledge.catalogue import Item
from knowledge.group import Answered, Solver
from knowledge.practice import SolvedLately
from knowledge.words import Language

if TYPE_CHECKING:
    from knowledge.ask.gaps import Gap

_MOST = 10


@dataclass(frozen=True, slots=True)
class DigestParts:
    since: datetime
    """Where the digest before ended."""
    gaps: Sequence[Gap]
    fresh: Sequence[Item]
    answered: Answered
    solved: SolvedLately
    opens: tuple[str, str] | None
    """Slug and title of the problem whose week this is."""
    closes: tuple[str, Sequence[Solver]] | None
    """Title of last week's problem, and who solved it then."""
    named: Collection[str]
    """Who agreed to be named and is still a member."""

    @property
    def empty(self) -> bool:
        lists = (self.gaps, self.fresh, self.answered.count, self.solved.solved)
        return not any(lists) and self.opens is None and self.closes is None


def digest_card(parts: DigestParts, key: str, language: Language) -> Card:
    gaps, fresh = parts.gaps, parts.fresh
    open_problem = None
    if parts.opens:
        problem = short_id(f"problem:{parts.opens[0]}")
        open_problem = Press("open", problem, label=language("problems.open_one"), style=Style.primary)
    return card(
        f"### {language('digest.title')}",
        f"**{language('digest.problem')}**\n{language('digest.opens', title=one_line(parts.opens[1]))}"
        if parts.opens
        else None,
        _board(parts, language),
        f"**{language('digest.gaps')}**\n{gap_lines(gaps, language)}" if gaps else None,
        f"-# {language('digest.how')}" if gaps else None,
        _answered(parts, language),
        f"**{language('digest.fresh')}**\n{item_lines(fresh, language)}" if fresh else None,
        _solved(parts, language) if parts.solved.solved else None,
        row(*([open_problem] if open_problem else []), post_button(key, language)),
    )


def _board(parts: DigestParts, language: Language) -> str | None:
    """Return how last week's problem ended: those who agreed to be named with their place, the others counted."""
    if parts.closes is None:
        return None
    title, solvers = parts.closes
    lines = [language("digest.closed", title=one_line(title), n=len(solvers))]
    for place, solver in enumerate(solvers[:_MOST], start=1):
        if solver.member_id in parts.named:
            score = f" · **{solver.score:.3f}**" if solver.score is not None else ""
            lines.append(f"{place}\\. {mention(solver.member_id)}{score}")
    return "\n".join(lines)


def _answered(parts: DigestParts, language: Language) -> str | None:
    answered = parts.answered
    if not answered.count:
        return None
    shared = [f"- {one_line(question.text, 160)}" for question in answered.shared[:_MOST]]
    return "\n".join([language("digest.answered", n=answered.count, since=when(parts.since, "f")), *shared])


def _solved(parts: DigestParts, language: Language) -> str:
    lately, since = parts.solved, when(parts.since, "f")
    said = language("digest.solved", solved=lately.solved, members=lately.members, since=since)
    return f"{said}\n-# {language('digest.weeks', weeks=lately.weeks)}"
