"""What a question asks about: its language, its notions with their names in both languages, its kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from knowledge.search.bridge import Bridge, Piece
from knowledge.text.chat import spelled_out
from knowledge.text.fold import fold
from knowledge.text.language import HAN, Lang, language_of, language_of_asker
from knowledge.text.tokens import tokens
from knowledge.text.word_lists import is_plain

_QUANTITY = re.compile(
    r"\bhow (?:many|much|long|large|big|fast|often|small|high|old)\b"
    r"|\b(?:what (?:size|value|year|percentage)|which year|when)\b"
    r"|多少|几[个次项层年种步倍]|多[大久长快高宽深]|哪一?年|什么时候|何时|几倍|第几",
    re.IGNORECASE,
)
_MEANING = re.compile(
    r"^\W*(?:what|who)(?:'s| is| are| was| were| does)\b|\bmean\b"
    r"|是什么|什么是|是谁|什么意思|指什么|含义|定义",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:code|snippet|example (?:code|kernel|program)|show me|write|implement(?:ation)?|syntax)\b"
    r"|代码|示例程序|例程|写一个|怎么写|如何写|实现代码|语法",
    re.IGNORECASE,
)
_WAY = re.compile(
    r"\bhow (?:to|(?:do|can|could|would|should) (?:i|you|we|one))\b|(?:怎么|咋)(?!回事|样|了|会)|怎样|如何",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[A-Z]|[\d_.:/+#]")
_Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notion:
    """One thing that the question names. A page speaks of it if it holds the tokens of any one way to say it."""

    text: str
    named: bool
    """A name, abbreviation or identifier rather than an ordinary word."""
    ways: dict[Lang, tuple[_Tokens, ...]]
    english: str = ""
    """What an English embedder reads for it; empty where the bridge has no word."""
    chinese_known: bool = True
    """Whether Chinese has a word for it, as far as the bridge knows."""
    strange: bool = False
    """No term of the field and no general word, as far as the bridge knows: a name, or something from elsewhere."""
    term: bool = False
    """A term of the field, by the glossary."""
    plain: bool = False
    """An ordinary word: rare in a small library, and still not the subject."""

    @property
    def kind(self) -> Literal["name", "term", "word", "stranger"]:
        if self.named:
            return "name"
        if self.term:
            return "term"
        return "stranger" if self.strange else "word"

    def sayable(self, lang: str) -> bool:
        """Whether a page in this language could name it at all; what it cannot name, it cannot be said to lack."""
        return self.named or (self.chinese_known if lang == "zh" else bool(self.ways["en"]))


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    lang: Lang
    tokens: _Tokens
    notions: tuple[Notion, ...]
    rendered: str
    """What a purely English embedder is given."""

    def for_embedder(self, *, chinese_read: bool) -> str:
        """Return what an embedder is given: rendered into English for one that reads no Chinese."""
        return self.text if chinese_read else self.rendered or self.text

    @property
    def wants_code(self) -> bool:
        return _CODE.search(self.text) is not None

    @property
    def wants_quantity(self) -> bool:
        return _QUANTITY.search(self.text) is not None

    @property
    def wants_meaning(self) -> bool:
        return _MEANING.search(self.text) is not None

    @property
    def wants_way(self) -> bool:
        """Whether it asks how something is done: its code or command belongs to the answer."""
        return _WAY.search(self.text) is not None


def read_question(text: str, bridge: Bridge, lang: Lang | None = None) -> Question:
    folded = spelled_out(fold(text)).strip()
    tongue = language_of(folded)
    return Question(
        text=folded,
        lang=lang or language_of_asker(folded),
        tokens=tuple(tokens(folded)),
        notions=_notions(folded, tongue, bridge),
        rendered=bridge.rendered(folded) if tongue == "zh" else folded,
    )


def _notions(text: str, tongue: Lang, bridge: Bridge) -> tuple[Notion, ...]:
    start = text.split(maxsplit=1)[0].lower() if text else ""
    found = {
        piece.text.lower(): notion
        for piece in bridge.pieces(text, tongue)
        if (notion := _notion(piece, tongue, first=piece.text.lower() == start)) is not None
    }
    return tuple(found.values())


def _notion(piece: Piece, tongue: Lang, *, first: bool) -> Notion | None:
    own = _own_ways(piece.text)
    if not own:
        return None
    if HAN.search(piece.text):
        english = tuple(way for name in piece.other if (way := tuple(tokens(name))))
        usual = next(iter(piece.other), "")
        ways: dict[Lang, tuple[_Tokens, ...]] = {"zh": own, "en": english}
        strange, plain = not english, is_plain(usual)
        return Notion(piece.text, False, ways, usual, strange=strange, term=piece.term, plain=plain)
    chinese = tuple(way for name in piece.other for way in _own_ways(name))
    named = tongue == "zh" or _NAMED.search(piece.text[1:] if first else piece.text) is not None
    plain = not named and is_plain(piece.text)
    ways = {"en": own + _own_ways(piece.spelled), "zh": own + chinese}
    strange = not chinese and not plain
    return Notion(piece.text, named, ways, piece.text, bool(chinese), strange, piece.term, plain)


def _own_ways(name: str) -> tuple[_Tokens, ...]:
    """Chinese by its bigrams alone, however a dictionary cuts it; an identifier whole or by its parts.

    Of a name that holds a function word (过拟合), those bigrams that a page's tokens can hold.
    """
    cut = tuple(tokens(name))
    if len(name) > 1 and all(HAN.match(character) for character in name):
        pairs = tuple(name[at : at + 2] for at in range(len(name) - 1))
        return (tuple(pair for pair in pairs if pair in cut) or pairs,)
    if len(cut) > 1 and name[0].isalpha() and " " not in name and not HAN.search(name):
        return (cut[:1], cut[1:])
    return (cut,) if cut else ()
