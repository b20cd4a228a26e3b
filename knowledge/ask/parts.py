"""Questions of two parts, told apart by rules in both languages: `what is X and how do I use it`.

Each part has to be a question of its own once what it is about is carried over. The difference of A and B, a list,
code and a pasted error are one question, and a preface that asks nothing belongs to what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.text.language import HAN, HAN_SIGNS
from knowledge.text.sentences import Span
from knowledge.text.word_lists import word_list

LONGEST = 320
"""Characters of a question that is told apart; what is longer describes a case and asks about it as a whole."""
_CODE = re.compile(
    r"\n|`|[{}]|<<<|==|\w\([^)]*\)\s*;|=\s*[\w.]+\s*;"
    r"|\b(?:Error|Exception|Traceback)\b|\berror:|报错.*[:：]"
)
_TAG = re.compile(r"\b(?:right|correct|yes|no)\W*[?？]|(?:对吧|对吗|是吧|对不对)\W*[?？]?", re.IGNORECASE)
"""What is taken for granted has to be read with what is asked of it."""

_WH = r"(?:what|why|how|when|which|where|who|whom|whose)(?:['’]?s|['’]?re)?\b"
_AUX = r"(?:is|are|was|were|does|do|did|can|could|should|would|will|has|have|am)(?:n['’]?t)?\b"
_SUBJECT = r"(?:it|they|there|this|that|these|those|the|an?|i|we|you|one|my|our|each|all|any|both)\b"
_ASKING = rf"(?:how|why|what(?:['’]?s)?|{_AUX}\s+{_SUBJECT})\b"
"""What begins a question after a comma; `which`, `where` and `when` go on with what was said."""
_SO = r"(?:(?:also|then|so|if so,?)\s+)?"
_ASKING_ZH = r"怎么|如何|怎样|为什么|为啥|为何|什么时候|有什么|有啥"
_CUT = re.compile(
    r"(?P<ends>[?？]+[)）\"”']*\s*|[。！!…]+\s*|\.\s+|[;；]\s*)"
    rf"|(?P<and>\s*[,，]\s*(?:and|plus)\s+{_SO}(?={_WH}|{_AUX})"
    rf"|\s+(?:and|plus)\s+{_SO}(?={_WH}|{_AUX}\s+{_SUBJECT}))"
    rf"|(?P<comma>\s*[,，]\s*(?:but\s+|so\s+|also\s+)?(?={_ASKING}))"
    rf"|(?P<zh>\s*[,，]\s*|(?<=[{HAN_SIGNS}])\s+(?=[{HAN_SIGNS}])"
    rf"|\s*(?:以及|还有|并且|和|跟|又|顺便(?:问(?:一下|下)?|说(?:一下|下)?)?)\s*(?={_ASKING_ZH}))",
    re.IGNORECASE,
)
_PAIRED = re.compile(r"\b(?:between|both|difference|compare|comparison)\b(?!.*\band\b)", re.IGNORECASE)
"""The `and` that follows belongs to it: the difference between how A works and how B does."""

_ASKS_EN = re.compile(
    rf"(?:^|[:(–—-]\s*)(?:(?:and|but|so|also|ok|then)\s+)*(?:{_WH}|{_AUX})"
    r"|\b(?:explain|define|difference|meaning of|vs\.?|versus)(?=\s|\W*$)",
    re.IGNORECASE,
)
_TOLD_EN = re.compile(r"^\W*(?:i|we|my|our|he|she)\b", re.IGNORECASE)
_TELLS_HOW = re.compile(r"^\W*(?:please\s+)?(?:explain|define)\b", re.IGNORECASE)
_ASKS_ZH = re.compile(
    r"(?:什么|啥)(?!都|也|的时候)|怎么(?!都|也)|怎样|如何|为何|咋|哪(?!怕)|(?<!好)几(?![乎千万百十率何个分])"
    r"|(?<!好)几个(?!.*的)|多少|多[大长久高快宽深]|吗|么$|是否|是不是|能不能|可不可以|可以不|有没有|要不要|会不会"
    r"|该不该|算不算|还是.{1,30}[?？]|区别|差别|差异|不同|谁|何时|定义|解释"
)
_TOLD_ZH = re.compile(r"想(?!问)|不知道|怀疑|听说|看到|发现")
"""Of a wish or of what one saw: `I want to know how much it takes` only leads to the question."""

_IDLE = frozenset(
    re.findall(
        r"\w+",
        "also actually exactly really even still then so ok fix anything something thing things reason case like "
        "mean kind dont don doesn t s re whats hows whys about changes change differ different difference lose loose "
        "gain point deal explain define good bad better best one ones much long big right",
    )
)
"""Words that ask for no more than the question before them did."""
_DONE = frozenset({"use", "used", "using", "get", "make", "need"})
"""Words that search leaves out, and that a question can be about."""
_REMEDY = re.compile(
    r"\b(?:what (?:can|should|do) (?:i|we|one) do|what(?:['’]?s| is) (?:the|a) (?:fix|cure|remedy)"
    r"|how (?:do|can|to)\b.*\bfix)"
)
_IDLE_ZH = re.compile(
    r"什么|时候|为啥|啥|怎么[办样]?|怎样|如何|为何|为什么|咋[办样整]?|哪[个些种里边]?|几|多少|吗|么|呢|吧|啊|呀|的|了"
    r"|是|有|会|能|可以|应该|该|这个?|那个?|它们?|其|又|也|都|还|就|到底|究竟|一般|大概|具体|分别|各自?|个|一下|请|问|说"
    r"|原因|情况|回事|正常|不同|区别|差别|差异|差在|差|对|好|行|我|在|上|里|下|和|跟|与"
)
_DONE_ZH = re.compile(r"[用做写算开查测修治选装配解读看调设推切]")

_BACK = re.compile(r"\b(?:it|they|them)\b|它们?(?!的)", re.IGNORECASE)
_LEADING_ON = re.compile(r"^\W*(?:(?:and|but|so|also|then|还有|另外|那么?|顺便问?)\b\s*)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TwoParts:
    """Two questions of one message, and what it says before the first of them."""

    preface: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class _Clause:
    span: Span
    sentence: bool
    """Whether a sentence begins with it."""


def parts_of(message: str) -> TwoParts | None:
    """The two questions of a message; None where it is one, or where it cannot be told apart for certain."""
    text = message.strip()
    if len(text) > LONGEST or _CODE.search(text) or _TAG.search(text):
        return None
    clauses = _clauses(text)
    begins = _questions(text, clauses)
    if len(begins) < 2:
        return None
    first, second = begins[0], begins[1]
    end = max(clause.span.end for clause in clauses if clause.span.start < second)
    return TwoParts(text[:first].strip(), text[first:end].strip(), _LEADING_ON.sub("", text[second:]))


def with_subject(names: Sequence[str], question: str) -> str:
    """The question about what these names say: in place of the word that points back, or before it."""
    if not names:
        return question
    subject = " ".join(names)
    if len(names) == 1 and (back := _BACK.search(question)):
        return f"{question[: back.start()]}{subject}{question[back.end() :]}"
    return f"{subject} {question}" if HAN.search(question) else f"{subject}: {question}"


def _clauses(text: str) -> list[_Clause]:
    """Cut where a question may begin or end."""
    chinese = HAN.search(text) is not None
    clauses, start, sentence = [], 0, True
    for cut in _CUT.finditer(text):
        if (cut["zh"] and not chinese) or (cut["and"] and _PAIRED.search(text, start, cut.start())):
            continue
        clauses.append(_Clause(Span(start, cut.end() if cut["ends"] else cut.start()), sentence))
        start, sentence = cut.end(), cut["ends"] is not None
    clauses.append(_Clause(Span(start, len(text)), sentence))
    return [clause for clause in clauses if clause.span.of(text).strip()]


def _questions(text: str, clauses: Sequence[_Clause]) -> list[int]:
    """Where each question begins: with what asks nothing by itself before it, but for the first."""
    begins: list[int] = []
    waiting: int | None = None
    for clause in clauses:
        said = clause.span.of(text)
        if not _asks(said, sentence=clause.sentence):
            waiting = clause.span.start if waiting is None else waiting
            continue
        if not begins:
            begins.append(clause.span.start)
        elif _stands_alone(said):
            begins.append(clause.span.start if waiting is None else waiting)
        waiting = None
    return begins


def _asks(clause: str, *, sentence: bool) -> bool:
    marked = sentence and clause.rstrip(" )”\"'").endswith(("?", "？"))
    if HAN.search(clause):
        told = _TOLD_ZH.search(clause) and not clause.rstrip("?？ ").endswith(("吗", "么"))
        return marked or (not told and _ASKS_ZH.search(clause) is not None)
    return marked or (not _TOLD_EN.search(clause) and _ASKS_EN.search(clause) is not None)


def _stands_alone(clause: str) -> bool:
    """Whether it asks something beyond `why`, `which one`, `and B?` or `please explain`."""
    if HAN.search(clause):
        left = re.sub(r"\W", "", _IDLE_ZH.sub("", clause))
        elliptic = clause.rstrip("?？ ").endswith("呢")
        return not elliptic and (len(left) >= 2 or _DONE_ZH.search(left) is not None)
    if not _ASKS_EN.search(clause) or _TELLS_HOW.search(clause):
        return False
    words = re.findall(r"[\w+#.]+", clause.lower())
    idle = (word_list("stop.en") - _DONE) | _IDLE
    return any(word not in idle for word in words) or _REMEDY.search(clause.lower()) is not None
