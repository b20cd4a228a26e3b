"""Numbers with their units, however they are written: 1,000,000 is 10^6 is 1M is 一百万; 一半 is 50% is half."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from knowledge.text.fold import fold

_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_ONES = {
    name: value
    for value, name in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_MULTIPLES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    "千": 1e3, "万": 1e4, "百万": 1e6, "千万": 1e7, "亿": 1e8, "十亿": 1e9, "万亿": 1e12,
}  # fmt: skip
_SHORT_MULTIPLES = {"K": 1e3, "k": 1e3, "M": 1e6, "B": 1e9}
_RATIOS = {
    "half": 0.5, "halves": 0.5, "halved": 0.5, "halving": 0.5, "quarter": 0.25, "quarters": 0.25, "tenth": 0.1,
    "tenths": 0.1, "twice": 2, "double": 2, "doubles": 2, "doubled": 2, "doubling": 2, "triple": 3, "tripled": 3,
    "一半": 0.5, "半": 0.5, "减半": 0.5, "翻倍": 2, "加倍": 2, "两倍": 2,
}  # fmt: skip
_HAN_DIGITS = {"零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_BYTES = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_NUMBER = re.compile(
    r"(?<![\w.^])(?<!level-)(?P<base>\d+)\^\(?(?P<power>-?\d+)\)?"
    r"|(?<![A-Za-z_\d.])(?<!level-)-?(?P<plain>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?![\d_])"
)
_AFTER = re.compile(
    r"(?P<gap>[ \-]?)(?:(?P<many>hundred|thousand|million|billion|trillion|百万|千万|十亿|万亿|千|万|亿)"
    r"|(?P<short>[KkMB])(?![A-Za-z/]))",
)
_EN_WORDS = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[- ](?P<unit>one|two|three|four|five|six|seven|eight|nine))?"
    rf"|(?P<ones>{'|'.join(name for name in _ONES if name not in ('zero', 'one'))})"
    rf"|(?P<one>one)(?=[ -](?:half|third|thirds|quarter|tenth|hundred|thousand|million|billion)))\b"
    r"(?:[ -](?P<many>hundred|thousand|million|billion|trillion|third|thirds|quarter|quarters|tenth|tenths|half)\b)?"
    r"|\b(?P<third>a third|one third|thirds)\b"
    rf"|\b(?P<ratio>{'|'.join(word for word in _RATIOS if word.isascii())})\b",
    re.IGNORECASE,
)
_ZH_WORDS = re.compile(
    r"(?P<parts>[二三四五六七八九十])分之(?P<share>[一二三四五六七八九])|(?P<tenths>[一二两三四五六七八九])成(?!为|果|本|功)"
    r"|(?P<percent>百分之)(?=\d)"
    r"|(?P<ratio>一半|减半|翻倍|加倍|两倍|(?<![大多])半(?=个|字节|位|数|精度)?)"
    r"|(?<![第百千万亿\d十几数])(?P<word>[二三四五六七八九]?[十][一二三四五六七八九]?(?!几|分)|[一二两三四五六七八九][百千万亿](?:万|亿)?"
    r"|[三四五六七八九](?!元)|两(?=[个条块种步遍路者级段次倍套位层端]))"
)
_UNITS = re.compile(
    r"(?P<gap>[ \-]?)(?:"
    r"(?P<ratebytes>[KkMGTP]?i?(?:B|bytes?))/s\b|(?P<ratebits>[KkMGT]?(?:b|bits?))/s\b|(?P<flops>[KMGTP]?)(?:FLOP/s|FLOPS|OPS)\b"
    r"|(?P<bytes>[KkMGTP]i?B|B|bytes?|字节|kilobytes?|megabytes?|gigabytes?|terabytes?)(?![A-Za-z])"
    r"|(?P<bits>[KkMGT]?(?:bits?|b)|位|比特)(?![A-Za-z专数记词用程成共])"
    r"|(?P<time>ns|us|µs|μs|ms|s|nanoseconds?|microseconds?|milliseconds?|seconds?|纳秒|微秒|毫秒|秒)(?![A-Za-z])"
    r"|(?P<hertz>[kMG]?Hz)\b|(?P<percent>%|percent\b|per cent\b))"
)
_UNIT_WORD = re.compile(
    r"(?<![A-Za-z])(?:(?P<time>nanoseconds?|microseconds?|milliseconds?|seconds|纳秒|微秒|毫秒)"
    r"|(?P<bytes>kilobytes|megabytes|gigabytes|terabytes))(?![A-Za-z])"
)
_BITS_OF = re.compile(r"(?P<gap>[ -])[a-z]+ (?P<bits>bits)\b")
"""4 exponent bits."""
_TIMES = {
    "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "nanosecond": 1e-9, "microsecond": 1e-6,
    "millisecond": 1e-3, "second": 1.0, "纳秒": 1e-9, "微秒": 1e-6, "毫秒": 1e-3, "秒": 1.0,
}  # fmt: skip
_ABOUT = re.compile(
    r"(?:about|almost|nearly|roughly|around|some|approximately|~|≈|约|近|大约|差不多|将近|大致)\s*$", re.IGNORECASE
)
_AMOUNTS = {"byte", "byte/s"}
"""4.8 TB a second is written either way."""
_NEAR = 0.035
"""So far from the passage's figure may be what a sentence calls about, almost or 约."""
_EXACT = 1e-6


@dataclass(frozen=True, slots=True)
class Quantity:
    value: float
    """In the base unit of its dimension: bytes, seconds, FLOP/s."""
    written: float
    """Before the unit is reckoned in."""
    dimension: str
    """Empty for a bare number."""
    start: int
    end: int
    about: bool = False
    computed: bool = False
    """A bare number in a formula, whose unit stands elsewhere."""
    pair: bool = False
    """Said as two or 两, which counts whatever comes in twos."""


def quantities(text: str) -> tuple[Quantity, ...]:
    """Every number of the text, in its order. Ordinals and the word one are left out: they count nothing."""
    folded = fold(text)
    found = [*_figures(folded), *_english(folded), *_chinese(folded)]
    return tuple(sorted(found, key=lambda quantity: quantity.start))


def unit_words(text: str) -> frozenset[tuple[str, float]]:
    """Units that are named without a figure: tens of microseconds, 几毫秒."""
    return frozenset(_scale(match) for match in _UNIT_WORD.finditer(fold(text)))


def is_backed(claimed: Quantity, held: tuple[Quantity, ...]) -> bool:
    """Whether a passage has this quantity, in whatever unit of its dimension."""
    if claimed.dimension in {"", "%"}:
        return claimed.pair or any(_same_number(claimed, one) for one in held)
    dimensions = {claimed.dimension} | (_AMOUNTS if claimed.dimension in _AMOUNTS else set())
    same = [one for one in held if one.dimension in dimensions]
    if any(_close(claimed.value, one.value, claimed) for one in same):
        return True
    if any(_close(claimed.written, one.written, claimed) for one in held if one.dimension):
        return False  # the passage has this figure, in another unit
    bare = [one for one in held if not one.dimension and (one.computed or claimed.dimension == "bit")]
    return any(
        _close(claimed.value / scale, one.value, claimed) for one in bare for scale in _scales(claimed.dimension)
    )


def _same_number(claimed: Quantity, one: Quantity) -> bool:
    """A share may be said as a fraction or in percent, and twice as much is the other way round half as much."""
    values = {one.value}
    if one.dimension not in {"", "%"}:
        values = {one.value / scale for scale in _scales(one.dimension)}
    elif one.value and (claimed.value < 1 or one.value < 1 or claimed.value == 2):
        values |= {1 / one.value} if 0.1 <= one.value <= 10 else set()
    return any(_close(claimed.value, value, claimed) for value in values)


def _close(one: float, other: float, claimed: Quantity) -> bool:
    allowed = _NEAR if claimed.about else _EXACT
    return abs(one - other) <= allowed * max(abs(one), abs(other), 1e-300)


def _scales(dimension: str) -> tuple[float, ...]:
    match dimension:
        case "byte" | "byte/s" | "bit/s":
            return tuple(base**power for base in (1000, 1024) for power in range(6))
        case "second":
            return (1.0, 1e-3, 1e-6, 1e-9)
        case "flop/s":
            return tuple(1000.0**power for power in range(6))
        case "%":
            return (0.01, 1.0)
        case "hertz":
            return (1.0, 1e3, 1e6, 1e9)
        case _:
            return (1.0,)


def _figures(text: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        if match["base"]:
            value = float(match["base"]) ** max(-400, min(400, int(match["power"])))
        else:
            value = float(match["plain"].replace(",", ""))
        end = match.end()
        if many := _AFTER.match(text, end):
            value *= _MULTIPLES[many["many"]] if many["many"] else _SHORT_MULTIPLES[many["short"]]
            end = many.end()
        yield _with_unit(text, value, match.start(), end)


def _english(text: str) -> Iterator[Quantity]:
    for match in _EN_WORDS.finditer(text):
        if match["ratio"]:
            value = _RATIOS[match["ratio"].lower()]
        elif match["third"]:
            value = 1 / 3
        else:
            value = float(_TENS.get((match["tens"] or "").lower(), 0))
            value += _ONES.get((match["unit"] or match["ones"] or match["one"] or "").lower(), 0)
            many = (match["many"] or "").lower()
            value *= _MULTIPLES.get(many) or _RATIOS.get(many) or (1 / 3 if many.startswith("third") else 1)
        yield _with_unit(text, value, match.start(), match.end())


def _chinese(text: str) -> Iterator[Quantity]:
    for match in _ZH_WORDS.finditer(text):
        if match["parts"]:
            value = _HAN_DIGITS[match["share"]] / (10 if match["parts"] == "十" else _HAN_DIGITS[match["parts"]])
        elif match["tenths"]:
            value = _HAN_DIGITS[match["tenths"]] / 10
        elif match["ratio"]:
            value = _RATIOS[match["ratio"]]
        elif match["percent"]:
            continue
        else:
            value = _han_number(match["word"])
        yield _with_unit(text, value, match.start(), match.end())


def _han_number(word: str) -> float:
    """Up to ninety-nine, or a digit with its multiples."""
    if "十" in word:
        before, _, after = word.partition("十")
        return 10 * _HAN_DIGITS.get(before, 1) + _HAN_DIGITS.get(after, 0)
    value = float(_HAN_DIGITS[word[0]])
    for sign in word[1:]:
        value *= {"百": 1e2}.get(sign) or _MULTIPLES[sign]
    return value


def _with_unit(text: str, value: float, start: int, end: int) -> Quantity:
    about = bool(_ABOUT.search(text[max(0, start - 16) : start]))
    pair = text[start:end].lower() in {"two", "两"}
    if unit := _UNITS.match(text, end) or _BITS_OF.match(text, end):
        dimension, scale = _scale(unit)
        return Quantity(value * scale, value, dimension, start, unit.end(), about)
    computed = bool(re.match(r"\s*(?:[=/×*+)\-^·,、。;x]|$)", text[end : end + 3]))
    return Quantity(value, value, "", start, end, about, computed, pair)


def _scale(unit: re.Match[str]) -> tuple[str, float]:
    """Dimension of a unit, and how many of its base unit it is."""
    named = {name: value for name, value in unit.groupdict().items() if value is not None and name != "gap"}
    ((name, written),) = named.items()
    match name:
        case "ratebytes" | "bytes":
            return ("byte/s" if name == "ratebytes" else "byte"), _byte_scale(written)
        case "ratebits" | "bits":
            power = _BYTES[written[0].lower()] if written[0] in "KkMGT" else 0
            return ("bit/s" if name == "ratebits" else "bit"), 1000.0**power
        case "flops":
            return "flop/s", 1000.0 ** _BYTES[written.lower()]
        case "time":
            return "second", _TIMES[written if written in _TIMES else written.rstrip("s")]
        case "hertz":
            return "hertz", 1000.0 ** _BYTES[written[:-2].lower()]
        case _:
            return "%", 0.01


def _byte_scale(written: str) -> float:
    word = {"kilobyte": "k", "megabyte": "m", "gigabyte": "g", "terabyte": "t"}.get(written.rstrip("s"))
    if word:
        return 1000.0 ** _BYTES[word]
    if written in {"B", "字节"} or written.startswith("byte"):
        return 1.0
    return (1024.0 if "i" in written else 1000.0) ** _BYTES[written[0].lower()]
