"""Markdown of our own content as HTML. Raw HTML is shown, never passed on; links lead to the web only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import escape

from knowledge.content.notes import Source
from web import highlight

_MARK = re.compile(r"\[\^([a-z0-9][a-z0-9-]*)\]")


@lru_cache(maxsize=1024)
def html(source: str) -> str:
    """Return a text as HTML; those that were shown last are kept, for the same ones are shown again and again."""
    return str(_reader().render(source))


def note_html(body: str, sources: Sequence[Source]) -> str:
    """Return a note as HTML, each `[^source]` a number that leads to the list of sources at its end."""
    numbers = {source.id: n for n, source in enumerate(sources, start=1)}

    def mark(found: re.Match[str]) -> str:
        n = numbers.get(found[1])
        return f'<sup class="mark"><a href="#source-{n}">{n}</a></sup>' if n else str(escape(found[0]))

    # Marks inside of code stay as they are: tags split the text, and code is left alone.
    parts = re.split(r"(<pre.*?</pre>|<code>.*?</code>)", html(body), flags=re.DOTALL)
    return "".join(part if part.startswith(("<pre", "<code>")) else _MARK.sub(mark, part) for part in parts)


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    reader.add_render_rule("fence", _fence)
    reader.add_render_rule("code_block", _fence)
    reader.add_render_rule("link_open", _link_open)
    reader.add_render_rule("table_open", lambda *_: '<div class="wide" tabindex="0"><table>\n')
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    reader.add_render_rule("heading_open", _heading_open)
    reader.add_render_rule("heading_close", _heading_close)
    reader.add_render_rule("image", lambda _self, tokens, at, *_: str(escape(tokens[at].content)))
    return reader


def _fence(_self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    language = tokens[at].info.split()[0] if tokens[at].info.split() else "text"
    return f'<pre class="code" tabindex="0"><code>{highlight.block(tokens[at].content, language)}</code></pre>\n'


def _link_open(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    tokens[at].attrSet("rel", "noreferrer")
    return str(self.renderToken(tokens, at, options, env))


def _heading_open(_self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    """Move headings one level down: the page's own title is the only first heading."""
    return f"<{_lower(tokens[at].tag)}>"


def _heading_close(_self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    return f"</{_lower(tokens[at].tag)}>\n"


def _lower(tag: str) -> str:
    return f"h{min(6, max(2, int(tag[1])))}"
