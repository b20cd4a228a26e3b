"""Forum threads that are to be kept: what a moderator picked, what an author is asked, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.buttons import Press, Style, row
from bot.markup import link, one_line, when
from bot.render.card import Card, Tone, card
from bot.render.group import mention
from knowledge.kept_threads import Picked, Thread
from knowledge.words import Language

_ALL_EXCERPTS = 2400
"""Characters of all excerpts of a card together, so that none of its lines is cut away."""
_LONGEST_EXCERPT = 300


def picked_card(thread: Thread, language: Language) -> Card:
    lacking = None
    if not thread.is_whole:
        lacking = language("forum.no_answer" if thread.question else "forum.no_question")
    ask = Press(
        "forum_ask", thread.id, label=language("forum.ask"), style=Style.primary, disabled=not thread.is_whole
    )
    return card(
        f"### {language('forum.picked', title=one_line(thread.title))}",
        _lines(thread, thread.messages, named=True) or None,
        lacking,
        f"-# {language('forum.how')}",
        row(ask, Press("forum_drop", thread.id, label=language("forum.drop"))),
    )


def request_card(thread: Thread, author: str, key: str, language: Language) -> Card:
    """Return what an author is asked, with every message that it is about."""
    until = when(thread.until, "F") if thread.until else ""
    return card(
        language("forum.request", author=mention(author), until=until),
        _lines(thread, thread.of(author)),
        row(
            Press("forum_yes", key, label=language("forum.yes"), style=Style.success),
            Press("forum_no", key, label=language("forum.no"), style=Style.danger),
        ),
    )


def agreed_card(thread: Thread, author: str, changed: int, key: str, language: Language) -> Card:
    mine = thread.of(author)
    return card(
        language("forum.agreed", n=len(mine)),
        _lines(thread, mine),
        language("forum.changed", n=changed) if changed else None,
        row(Press("forum_no", key, label=language("forum.withdraw"))),
        tone=Tone.GOOD,
    )


def _lines(thread: Thread, messages: Sequence[Picked], *, named: bool = False) -> str:
    room = min(_LONGEST_EXCERPT, _ALL_EXCERPTS // max(1, len(messages)))
    return "\n".join(
        f"- {link(f'#{n}', f'{thread.url}/{one.message}')} "
        + (f"{mention(one.author)} " if named else "")
        + one_line(one.text, room)
        for n, one in enumerate(messages, start=1)
    )
