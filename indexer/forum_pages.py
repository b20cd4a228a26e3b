"""What a guild keeps of its forum, as pages: a question and its answers, as they were written, without a name."""

from __future__ import annotations

from pathlib import Path

from indexer.mirror import SourcePage
from knowledge.kept_threads import KeptThreads, Thread
from knowledge.store import Store
from knowledge.store.scope import Scope
from knowledge.text.language import language_of
from knowledge.words import core_languages

_FENCE = "```"


async def forum_pages(store: Store, scope: Scope) -> list[SourcePage]:
    """Return a page for each thread that the guild keeps."""
    return [
        SourcePage(
            url=thread.url,
            path=f"forum/{thread.thread}",
            title=thread.title,
            lang="",
            kind="markdown",
            file=Path(),
            resource_id=thread.resource_id,
            content=page_of(thread).encode(),
        )
        for thread in await KeptThreads(store).kept(scope)
    ]


def page_of(thread: Thread) -> str:
    """Return the thread as Markdown; no message can reach into the one that follows it."""
    language = core_languages()[language_of(f"{thread.title} {thread.messages[0].text}")]
    parts = [f"# {thread.title}"]
    for message in thread.messages:
        is_question = message.message == thread.thread
        heading = language("forum_page.question" if is_question else "forum_page.answer")
        parts += [f"## {heading}", _closed(message.text)]
    return "\n\n".join(parts) + "\n"


def _closed(text: str) -> str:
    """Return the text with a fence that it leaves open closed."""
    fences = sum(line.lstrip().startswith(_FENCE) for line in text.splitlines())
    return f"{text}\n{_FENCE}" if fences % 2 else text
