"""A wish cut into phrases that mean something: the longest that the lexicon knows, then the nearest to a typo."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from knowledge.content.topics import plain_name
from knowledge.recommend.lexicon import UNKNOWN, Lexicon, Meaning
from knowledge.text.fold import fold
from knowledge.text.language import HAN_SIGNS, has_han

_PIECE = re.compile(rf"[{HAN_SIGNS}]|[^\s{HAN_SIGNS},;!?，。；！？、“”\"‘’'()（）\[\]《》-]+|[,;!?，。；！？]")
_END = frozenset(",;!?，。；！？")
_MOST_PIECES = 12
_MOST_TYPO_WORDS = 3
_LONGEST = 400
_A_TIME = re.compile(
    r"""(?P<n>\d{1,3}(?:\.\d)?|[两二三四五六七八九十])\s*-?\s*(?:(?P<h>h|hrs?|hours?|个?小时|钟头)|(?P<m>min|mins|minutes?|分钟))(?![a-z])
      | (?P<half>half\s+an\s+hour|半个?小时|半个钟头) | (?P<one>\ban\s+hour|\bone\s+hour|一个?小时|一个钟头)""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMERALS = {sign: n for n, sign in enumerate("二三四五六七八九十", start=2)} | {"两": 2}
_A_RATE = re.compile(
    r"\s*(?:(?:a|per|each|every)\s+(?:day|week|month)|/\s*(?:day|week)|weekly|daily|every\s*day)\b", re.IGNORECASE
)
_A_RATE_ZH = re.compile(r"(?:每天|每周|每个?月|一周|一天)\s*$")


@dataclass(frozen=True, slots=True)
class Phrase:
    text: str
    """As it was typed, folded."""
    meaning: Meaning
    part: int = 0
    """Counts the prepositions before it in its clause: `compilers` is in part 0 and `learning` in part 1 of
    `compilers for deep learning`."""
    known: bool = False
    """Named as what is not asked for: `I already know CUDA`."""


def pace_in(text: str) -> tuple[str, str]:
    """The time that a member has again and again, as they typed it, and the text without it: `5 hours a week`."""
    for found in _A_TIME.finditer(text):
        after, before = _A_RATE.match(text, found.end()), _A_RATE_ZH.search(text[: found.start()])
        if after or before:
            start, end = before.start() if before else found.start(), after.end() if after else found.end()
            return text[start:end].strip(), f"{text[:start]} {text[end:]}"
    return "", text


def minutes_in(text: str) -> tuple[int | None, str]:
    """The time at hand and the text without it."""
    found = _A_TIME.search(text)
    if found is None:
        return None, text
    if found["half"] or found["one"]:
        minutes = 30 if found["half"] else 60
    else:
        minutes = round(float(_NUMERALS.get(found["n"], found["n"])) * (60 if found["h"] else 1))
    return max(5, minutes), f"{text[: found.start()]} {text[found.end() :]}"


def phrases_of(text: str, lexicon: Lexicon) -> tuple[Phrase, ...]:
    return tuple(_with_signs(_cut(_PIECE.findall(fold(text[:_LONGEST]).casefold()), lexicon)))


def _cut(pieces: list[str], lexicon: Lexicon) -> Iterator[Phrase]:
    """The longest known phrase at each place; a word that is unknown stands alone."""
    at = 0
    while at < len(pieces):
        if pieces[at] in _END:
            yield Phrase(pieces[at], UNKNOWN)
            at += 1
            continue
        length, name = (
            _known(pieces, at, lexicon) or _typo(pieces, at, lexicon) or (_unknown(pieces, at, lexicon), "")
        )
        between = "" if has_han(pieces[at]) else " "
        yield Phrase(between.join(pieces[at : at + length]), lexicon.by_name.get(name, UNKNOWN))
        at += length


def _unknown(pieces: list[str], at: int, lexicon: Lexicon) -> int:
    """How many pieces make one word that is unknown: Chinese runs on until something known begins."""
    end = at + 1
    while has_han(pieces[at]) and end < len(pieces) and has_han(pieces[end]) and not _known(pieces, end, lexicon):
        end += 1
    return end - at


def _known(pieces: list[str], at: int, lexicon: Lexicon) -> tuple[int, str] | None:
    for length in range(min(_MOST_PIECES, len(pieces) - at), 0, -1):
        plain = _plain(pieces[at : at + length])
        if _is_chance(plain, length, len(pieces)) and not _is_sign(plain, lexicon):
            continue
        if name := _in_either_number(plain, lexicon):
            return length, name
    return None


def _in_either_number(plain: str, lexicon: Lexicon) -> str | None:
    """As it was typed, unless the other number is the name of a topic and this is no more than a word about it."""
    here = [name for name in (plain, plain.removesuffix("s"), f"{plain}s") if name in lexicon.by_name]
    if not here or (here[0] == plain and not lexicon.by_name[plain].topics):
        return here[0] if here else None
    return max(here, key=lambda name: lexicon.by_name[name].by_name)


def _is_chance(plain: str, length: int, pieces: int) -> bool:
    """`is a` is not the name `isa`, and a single Chinese sign is a part of another word far more often."""
    if plain.isascii():
        return length > 1 and len(plain) < 5
    return length == 1 < pieces and len(plain) == 1


def _is_sign(plain: str, lexicon: Lexicon) -> bool:
    """True for a word that stands by itself also in one sign: `的`, `书`."""
    meaning = lexicon.by_name.get(plain, UNKNOWN)
    return meaning.sign is not None or meaning.kind != ""


def _typo(pieces: list[str], at: int, lexicon: Lexicon) -> tuple[int, str] | None:
    """A near phrase of up to three words; words that are known by themselves are not taken for typos."""
    for length in range(min(_MOST_TYPO_WORDS, len(pieces) - at), 0, -1):
        if any(piece in _END for piece in pieces[at : at + length]):
            continue
        if near := lexicon.typo_of(_plain(pieces[at : at + length])):
            return length, near
    return None


def _plain(pieces: list[str]) -> str:
    return plain_name("".join(pieces)).rstrip(".:")


def _with_signs(phrases: Iterator[Phrase]) -> Iterator[Phrase]:
    """What follows `already know` or `without` in a clause is not asked for, nor what stands before `engineer`; `for`
    ends what it is about.
    """
    part, known, cut = 0, False, list(phrases)
    for at, phrase in enumerate(cut):
        sign = phrase.meaning.sign
        if phrase.text in _END or sign == "intent":
            part, known = 0, False
        elif sign in {"known", "unwanted"}:
            known = True
        elif sign == "about":
            part += 1
        of_a_trade = at + 1 < len(cut) and cut[at + 1].meaning.sign == "trade"
        yield replace(phrase, part=part, known=known or of_a_trade)
