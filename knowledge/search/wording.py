"""How texts are worded for the embedder: for a model that reads no Chinese, Chinese is rendered into English."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from knowledge.content import Glossary
from knowledge.library.embed import Embedder
from knowledge.search.bridge import Bridge, Pair, common_pairs
from knowledge.search.source import VERSION
from knowledge.text.language import has_han
from knowledge.text.word_lists import read_table

_PROBE = Path(__file__).with_name("probe.toml")


@dataclass(frozen=True, slots=True)
class Wording:
    bridge: Bridge
    chinese_read: bool
    """Whether the embedder reads Chinese itself."""

    @property
    def version(self) -> str:
        """Of the glossary and the search: what was worded under another one is worded anew."""
        return f"{VERSION}-{self.bridge.digest}-{self.chinese_read}"

    def readable(self, text: str) -> str:
        """Return the text as the embedder can read it."""
        return text if self.chinese_read or not has_han(text) else self.bridge.rendered(text)


def wording_of(glossary: Glossary, embedder: Embedder) -> Wording:
    return Wording(bridge_maker(glossary)(()), reads_chinese(embedder))


def bridge_maker(glossary: Glossary) -> Callable[[tuple[Pair, ...]], Bridge]:
    """Return what makes the bridge of a generation: our terms, general words, and what its own pages state."""
    pairs = (*(Pair(term.en, term.zh) for term in glossary.terms), *common_pairs())
    return lambda stated: Bridge(pairs, stated)


def reads_chinese(embedder: Embedder) -> bool:
    """Whether the model knows that a Chinese sentence and its English translation mean the same: by asking it."""
    pairs = read_table(_PROBE)["pairs"]
    chinese = embedder.queries([zh for zh, _ in pairs])
    english = embedder.queries([en for _, en in pairs])
    nearest = (chinese @ english.T).argmax(axis=1)
    return bool((nearest == np.arange(len(pairs))).mean() > 0.8)
