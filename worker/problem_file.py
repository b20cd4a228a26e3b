"""problem.toml as it is written: its keys and their types. The server reads it too, so it needs no numpy."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from worker.errors import ProblemError

Level = Literal["beginner", "intermediate", "advanced"]
Rule = Literal["exact", "absolute", "relative", "ulp"]
Peak = Literal["float", "double", "half", "half_tensor", "int8_tensor"]
ArrayRole = Literal["input", "output", "inout"]
Score = Literal["geometric_mean_of_attainable_fraction"]

Text = Annotated[str, Meta(min_length=1)]
Texts = Annotated[tuple[Text, ...], Meta(min_length=1)]
Formula = int | str
"""A whole number, or the text of an expression over the sizes."""
Sizes = dict[str, int | tuple[int, ...]]
"""Lists side by side, a number for all."""


class Keys(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file; a key that nobody reads is a mistake."""


class Title(Keys, frozen=True):
    en: Text
    zh: Text


class ParamKeys(Keys, frozen=True):
    name: Text
    type: Text
    role: ArrayRole | None = None
    shape: Annotated[tuple[Formula, ...], Meta(min_length=1)] | None = None
    value: int | float | str | None = None
    range: tuple[int | float | str, int | float | str] | None = None


class LaunchKeys(Keys, frozen=True):
    kernel: Text
    grid: Formula
    block: Formula
    shared: Formula = 0


class CheckKeys(Keys, frozen=True):
    rule: Rule
    operations: Formula = 1
    accumulate: Text | None = None
    scale: float = 1.0


class CaseKeys(Keys, frozen=True):
    sizes: Sizes | tuple[Sizes, ...]
    values: Texts = ("uniform",)
    seeds: Annotated[int, Meta(ge=1)] = 1


class BenchKeys(Keys, frozen=True):
    sizes: Sizes | tuple[Sizes, ...]
    bytes: Formula
    flops: Formula = 0
    peak: Peak = "float"


class LimitKeys(Keys, frozen=True):
    scratch_bytes: Formula | None = None


class ScoreKeys(Keys, frozen=True):
    rule: Score


class ProblemFile(Keys, frozen=True):
    slug: Text
    level: Level
    topics: Texts
    title: Title
    launch: LaunchKeys
    check: CheckKeys
    cases: Annotated[tuple[CaseKeys, ...], Meta(min_length=1)]
    params: tuple[ParamKeys, ...] = ()
    bench: tuple[BenchKeys, ...] = ()
    needs: tuple[Text, ...] = ()
    readings: tuple[Text, ...] = ()
    cards: tuple[Text, ...] = ()
    """On which it can be judged at all, by any of their names; on any where none is named."""
    limits: LimitKeys = LimitKeys()
    score: ScoreKeys | None = None


def read_file(file: Path) -> ProblemFile:
    """The file's tables, or ProblemError naming file and key."""
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), ProblemFile)
    except FileNotFoundError as error:
        raise ProblemError(file, "file", "is missing") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProblemError(file, "file", f"is not TOML: {error}") from error
    except msgspec.ValidationError as error:
        key, what = mistake_of(error)
        raise ProblemError(file, key, what) from error


_PLACE = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<key>.*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (?P<how>missing required|contains unknown) field `(?P<name>.*)`", re.DOTALL)
_HOW = {"missing required": "is missing", "contains unknown": "is not a key of this table"}
_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "level": get_args(Level),
        "check.rule": get_args(Rule),
        "bench[].peak": get_args(Peak),
        "params[].role": get_args(ArrayRole),
        "score.rule": get_args(Score),
    }
)


def mistake_of(error: msgspec.ValidationError) -> tuple[str, str]:
    """The key and what is wrong with it, out of msgspec's message, which ends in the place."""
    message = str(error)
    place = _PLACE.fullmatch(message)
    key, what = (place["key"] or "", place["what"]) if place else ("", message)
    if field := _FIELD.fullmatch(what):
        return f"{key}.{field['name']}".lstrip("."), _HOW[field["how"]]
    if choices := _CHOICES.get(re.sub(r"\[\d+\]", "[]", key)):
        return key, f"expected one of {', '.join(choices)}; {what[0].lower()}{what[1:]}"
    return key or "file", what[0].lower() + what[1:]
