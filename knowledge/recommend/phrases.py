"""A wish cut into phrases that mean something: the longest that the lexicon knows, then the nearest to a typo."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from knowledge.content.topics import plain_name
from knowledge.recommend.lexicon import UNKNOWN, Lexicon, Meaning, Sign
from knowledge.text.fold import fold
from knowledge.text.language import HAN_SIGNS, has_han

_PIECE = re.compile(rf"[{HAN_SIGNS}]|[^\s{HAN_SIGNS},;!?，。；！？、“”\"‘’'()（）\[\]《》、-]+|[,;!?，。；！？、]")
END = frozenset(",;!?，。；！？")
_PASTED = re.compile(r"```.*?```", re.DOTALL)
_TITLE = re.compile(r"《[^《》]*》")
"""A colon in it ends no clause."""
_APOSTROPHE = re.compile(r"(?<=\w)['’](?P<of>s\b)?(?=\w|\W|$)")
LIST_SIGN = "、"
_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
_ENDS_A_CLAUSE = re.compile(r"[:：](?=\s|$)|(?<=\S\S)\.(?=\s|$)|\s[-–—]+\s|：")
_THEN = re.compile(r"后(?=(?:看|读|是|给|来)?(?:论文|视频|书|代码|源码|博客|文章))")
"""`先博客后论文`: a single sign that is a part of many words."""
_NONE_AT_ALL = re.compile(
    r"(?<!from )\bzero(?=\s+(?:cuda|gpu|triton|c\b|c\+\+|python|knowledge|background|clue|idea|prior)\b)"
)
_SHORTENED = re.compile(r"\b(incl|resp|approx|ca)\.(?=\s)")
_EITHER = re.compile(r"(?<=\w\w)/(?=\w\w)")
_BARE = 6
"""A clause of no more phrases that says nothing but names goes on with the list before it."""
_OF = "的"
_TEXTS = frozenset({"article", "articles", "posts", "text", "texts"})
_NONE_OF = frozenset(
    {"no", "zero", "not", "never", "without", "but no", "and no", "but not", "but without", "not in"}
)
_OF_EACH = ("各", "各来", "各给", "各推荐", "每样", "每样来", "每个", "每个主题", "分别", "分别来")
_EACH = re.compile(r"\s*(?:(?:for|on|per)\s+)?(?:each|every)\b", re.IGNORECASE)
_A_TOOL = ("cpp",)
"""Who does not know it wants to do without, whatever they want to learn."""
_INTERVIEW = "note:gpu-interview-questions"
_MOST_PIECES = 12
_MOST_TYPO_WORDS = 3
_LONGEST = 400
_A_TIME = re.compile(
    r"""(?P<n>\d{1,3}(?:\.\d)?|[两二三四五六七八九十]|\b(?:two|three|four|five|six|eight|ten|twelve)\b)\s*-?\s*(?:(?P<h>h|hrs?|hours?|个?小时|钟头)|(?P<m>min|mins|minutes?|分钟))(?![a-z]|[\s-]+(?:talk|presentation)|的?(?:汇报|分享|报告))
      | (?P<half>half\s+an\s+hour|半个?小时|半个钟头) | (?P<one>\ban\s+hour|\bone\s+hour|一个?小时|一个钟头)""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMERALS = {sign: n for n, sign in enumerate("二三四五六七八九十", start=2)} | {
    "两": 2, "single": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8, "ten": 10, "twelve": 12,
}  # fmt: skip
_A_NUMBER = re.compile(
    r"""\b(?P<n>[1-5]|one|two|three|four|five|single)(?:\s*(?:or|to|-)\s*(?P<last>[2-5]|two|three|four))?\s+(?:[\w-]+\s+){0,2}?
        (?:books?|papers?|articles?|posts?|readings?|sources?|links?|items?|things?|videos?|ones?|courses?|tutorials?|pieces?
          |repos?|repositories|talks?|resources?|max)\b
      | [一1]?(?P<zh>[一两二三四五1-5])\s*
        (?:本|篇|个视频|门课|个课|份(?![^，。,]{0,6}(?:计划|清单|单子|路线|书单))|个仓库|门)""",
    re.IGNORECASE | re.VERBOSE,
)
_A_SPAN = re.compile(
    r"""(?:\d{1,2}|one|two|three|four|six)[\s-]+(?:days?|weeks?|months?)\b(?!\s+ago)
      | (?:\d{1,2}|[一两二三四五六七八九十])\s*(?:周|个?星期|天|个月)(?:内|里)? | 按天""",
    re.IGNORECASE | re.VERBOSE,
)
_A_FEW_DAYS = re.compile(r"(?:[1-3]|one|two|three)[\s-]+days?|[1-3一两二三]\s*天(?:内|里)?", re.IGNORECASE)
"""What a list can hold: short readings."""
_NOT_LONG = re.compile(r"(?:one|1|a)\s+week|[1一]\s*(?:周|个?星期)", re.IGNORECASE)
_A_RATE = re.compile(
    r"\s*(?:(?:a|per|each|every)\s+(?:day|week|month)|/\s*(?:day|week)|weekly|daily|every\s*day)\b", re.IGNORECASE
)
_REGULAR = re.compile(r"\b(?:each|every|per) (?:day|evening|morning|week)|每天|每晚|每周", re.IGNORECASE)
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
    """Named as what the member has behind them: `I already know CUDA`."""
    unwanted: bool = False
    """Named as what is not to be there: `no videos`."""

    @property
    def wanted(self) -> bool:
        return not (self.known or self.unwanted)


def pace_in(text: str) -> tuple[str, str]:
    """The time that a list cannot hold, as it was typed, and the text without it: `5 hours a week`, `in 3 weeks`."""
    for found in _A_TIME.finditer(text):
        after, before = _A_RATE.match(text, found.end()), _A_RATE_ZH.search(text[: found.start()])
        if after or before:
            start, end = before.start() if before else found.start(), after.end() if after else found.end()
            return text[start:end].strip(), f"{text[:start]} {text[end:]}"
    at_hand = _A_TIME.search(text)
    regular = _REGULAR.search(text)
    if at_hand and regular:
        return f"{at_hand[0].strip()} {regular[0].strip()}", f"{text[: at_hand.start()]} {text[at_hand.end() :]}"
    if (span := _A_SPAN.search(text)) and not _A_FEW_DAYS.fullmatch(span[0].strip()):
        return span[0].strip(), f"{text[: span.start()]} {text[span.end() :]}"
    return "", text


def is_brief(text: str) -> bool:
    """Whether there are days, or a week at most, for what is to be read."""
    return bool(_A_FEW_DAYS.search(text) or _NOT_LONG.search(text)) and not _A_RATE.search(text)


def minutes_in(text: str) -> tuple[int | None, str]:
    """The time at hand and the text without it."""
    found = _A_TIME.search(text)
    if found is None:
        return None, text
    if found["half"] or found["one"]:
        minutes = 30 if found["half"] else 60
    else:
        minutes = round(float(_NUMERALS.get(found["n"].casefold(), found["n"])) * (60 if found["h"] else 1))
    return max(5, minutes), f"{text[: found.start()]} {text[found.end() :]}"


def number_in(text: str) -> tuple[int | None, str]:
    """How many readings are asked for at most, `one or two books`, `三本以内`, and the text without the number."""
    found = _A_NUMBER.search(text)
    if found is None or text[: found.start()].rstrip().endswith(_OF_EACH) or _EACH.match(text, found.end()):
        return None, text
    part = next(name for name in ("last", "n", "zh") if found[name])
    last = found[part].casefold()
    start, end = found.start("zh" if part == "zh" else "n"), found.end(part)
    return int(last) if last.isdigit() else _NUMERALS.get(last, 1), f"{text[:start]} {text[end:]}"


def phrases_of(text: str, lexicon: Lexicon) -> tuple[Phrase, ...]:
    return tuple(_with_signs(_clauses(_cut(_pieces(text), lexicon))))


def _pieces(text: str) -> list[str]:
    """Words, Chinese signs and what ends a clause; a comma in brackets only goes on with a list."""
    prose = _TITLE.sub(lambda found: re.sub("[:：]", "", found[0]), _PASTED.sub(" , ", text))
    plain = _APOSTROPHE.sub(lambda found: " " if found["of"] else "", fold(prose[:_LONGEST]).casefold())
    plain = _SHORTENED.sub(r"\1 ", _NONE_AT_ALL.sub("no", _THEN.sub(" 然后 ", plain)))
    plain = _BRACKETS.sub(lambda found: re.sub("[,;，；]", LIST_SIGN, found[0]), plain)
    return _PIECE.findall(_EITHER.sub(LIST_SIGN, _ENDS_A_CLAUSE.sub(" , ", plain)))


def _cut(pieces: list[str], lexicon: Lexicon) -> Iterator[Phrase]:
    """The longest known phrase at each place; a word that is unknown stands alone."""
    at = 0
    while at < len(pieces):
        if pieces[at] in END or pieces[at] == LIST_SIGN:
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
    ends = (n for n, piece in enumerate(pieces[at : at + _MOST_PIECES]) if piece in END or piece == LIST_SIGN)
    for length in range(next(ends, min(_MOST_PIECES, len(pieces) - at)), 0, -1):
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
        if any(piece in END or piece == LIST_SIGN for piece in pieces[at : at + length]):
            continue
        if near := lexicon.typo_of(_plain(pieces[at : at + length])):
            return length, near
    return None


def _plain(pieces: list[str]) -> str:
    return plain_name("".join(pieces)).rstrip(".:")


def _clauses(cut: Iterator[Phrase]) -> Iterator[list[Phrase]]:
    clause: list[Phrase] = []
    for phrase in cut:
        clause.append(phrase)
        if phrase.text in END:
            yield clause
            clause = []
    yield clause


def _with_signs(clauses: Iterator[list[Phrase]]) -> Iterator[Phrase]:
    """What follows `already know` or `without` in a clause is not asked for, nor what stands before `engineer` or
    `went fine`; a clause of nothing but names goes on with the one before. `for` ends what a wish is about.
    """
    stance: Sign | None = None
    experienced = False
    for typed in clauses:
        clause = list(_without_ignorance(typed, experienced=experienced))
        signs = _signs_of(clause)
        experienced |= "known" in signs
        job = "job" in signs or any(_INTERVIEW in phrase.meaning.notes for phrase in clause)
        stance = stance if _goes_on(clause, stance) else None
        part = 0
        for at, phrase in enumerate(clause):
            sign = signs[at]
            if sign in {"intent", "ignorant"} or (sign != "known" and phrase.meaning.level and stance != "unwanted"):
                part, stance = 0, None
            elif sign in {"known", "unwanted"}:
                stance = sign
            elif sign == "about" or phrase.text in {"about", _OF}:
                part += sign == "about"
                of_readings = clause[at - 1].meaning.kind or clause[at - 1].text in _TEXTS
                stance = None if stance == "unwanted" and of_readings else stance
            known = stance == "known" or "did" in signs[at:] or (not job and "trade" in signs[at + 1 : at + 2])
            unwanted = not known and (stance == "unwanted" or "dropped" in signs[at:])
            yield replace(phrase, part=part, known=known and not unwanted, unwanted=unwanted)


def _signs_of(clause: Sequence[Phrase]) -> list[Sign | None]:
    """Of each phrase; `videos no` drops what stands before it, as nothing stands after it."""
    signs = [phrase.meaning.sign for phrase in clause]
    telling = [at for at, one in enumerate(clause) if one.text not in END and signs[at] != "filler"]
    if 1 < len(telling) <= _BARE and signs[telling[-1]] == "unwanted":
        signs[telling[-1]] = "dropped"
    return signs


def _without_ignorance(clause: list[Phrase], *, experienced: bool) -> Iterator[Phrase]:
    """`no CUDA` after `I know C++` says what is still to be learnt, and `but no videos` what is not wanted."""
    for at, phrase in enumerate(clause):
        experienced |= phrase.meaning.sign == "known"
        named = next((one.meaning for one in clause[at + 1 :] if one.meaning.sign != "filler"), UNKNOWN)
        of_readings = bool(named.kind or named.lang or named.level or named.sign == "quality")
        if phrase.meaning.sign == "ignorant" and (of_readings or named.topics == _A_TOOL):
            yield replace(phrase, meaning=Meaning(sign="unwanted"))
        elif phrase.text in _NONE_OF and experienced and named.topics and not of_readings:
            yield replace(phrase, meaning=Meaning(sign="ignorant"))
        else:
            yield phrase


def _goes_on(clause: list[Phrase], stance: Sign | None) -> bool:
    """True for `CUDA and Triton`, the second part of `I know C++, CUDA and Triton`, and `books` after `no videos`."""
    names = all(phrase.meaning.sign in {None, "filler", "about", "broad", "then"} for phrase in clause)
    if stance == "unwanted":
        return all(phrase.meaning.kind or phrase.meaning.sign == "filler" or phrase.text in END for phrase in clause)
    named = any(phrase.meaning.topics for phrase in clause) and not any(phrase.meaning.level for phrase in clause)
    return names and named and len(clause) <= _BARE
