"""Source code as HTML with classes for its parts, which the site's one style sheet colours."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from knowledge.submit import is_triton

_CUDA = frozenset({"cuda", "cu", "c++", "cpp", "c", ""})
_LONGEST = 64 * 1024
"""The most characters that are coloured; longer sources are shown plain, so that no page waits for them."""


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

    return str(highlight(plain, lexer, HtmlFormatter(nowrap=True))).rstrip("\n")


def _lexer(language: str) -> Lexer:
    name = "cuda" if language.lower() in _CUDA else language
    options = {"stripnl": False, "ensurenl": False}
    try:
        return get_lexer_by_name(name, **options)
    except ClassNotFound:
        return get_lexer_by_name("text", **options)
