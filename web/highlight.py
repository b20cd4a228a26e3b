"""Source code as HTML with classes for its parts, which the site's one style sheet colours."""

from __future__ import annotations

import re
from functools import lru_cache

from markupsafe import Markup, escape
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from knowledge.submit import is_triton

_CUDA = frozenset({"cuda", "cu", "c++", "cpp", "c", ""})
_LONGEST = 64 * 1024
"""The most characters that are coloured; longer sources are shown plain, so that no page waits for them."""


_TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that turn the direction of text: shown, so that no line reads otherwise than it is compiled."""


def lines(source: str) -> list[Markup]:
    """Return a submission's source as HTML, line by line."""
    language = "python" if is_triton(source) else "cuda"
    return [Markup(line) for line in _highlighted(source, language).split("\n")]  # noqa: S704  the formatter escaped it


def block(source: str, language: str = "") -> Markup:
    return Markup(_highlighted(source, language))  # noqa: S704  likewise


@lru_cache(maxsize=256)
def _highlighted(source: str, language: str) -> str:
    plain = source.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    lexer = _lexer("text" if len(plain) > _LONGEST else language)
    from pygments import highlight

    return with_turns(str(highlight(plain, lexer, HtmlFormatter(nowrap=True))).rstrip("\n"))


def with_turns(html: str) -> str:
    """Put a visible sign in the place of each character that would turn the direction of what follows."""
    return _TURNS.sub(lambda found: f'<span class="turns" title="U+{ord(found[0]):04X}">•</span>', html)


def uncoloured(text: str) -> Markup:
    """Return code without colours."""
    return Markup(with_turns(str(escape(text))))  # noqa: S704  escaped here


def _lexer(language: str) -> Lexer:
    name = "cuda" if language.lower() in _CUDA else language
    options = {"stripnl": False, "ensurenl": False}
    try:
        return get_lexer_by_name(name, **options)
    except ClassNotFound:
        return get_lexer_by_name("text", **options)
