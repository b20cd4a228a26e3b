"""Chat spelling as a page would write it: whats, w/o, attn and 咋 spelled out, greetings and thanks left out.

A page says neither `thx` nor 求问, and a word that no page says looks like the subject of a question. Only
questions are read so: pages are indexed as they stand.
"""

from __future__ import annotations

import re
from pathlib import Path

from knowledge.text.language import HAN
from knowledge.text.word_lists import read_table

_TABLE = Path(__file__).with_name("chat.toml")
_WORD = re.compile(r"(?<![\w./'-])(?:w/o?(?![\w/])|[A-Za-z']+(?![\w./'(-]*[\w(]))", re.IGNORECASE | re.ASCII)
_OPENING = re.compile(
    r"^\W*(?:(?:quick|stupid|dumb|silly|basic|beginner|newbie|noob) q(?:uestion)?\b\W*"
    r"|(?:(?:does|do|did) )?(?:any|some)(?:one|body)(?: here)? knows?\b\W*"
    r"|(?:can|could) (?:any|some)(?:one|body)(?: please)? (?:explain|tell me)\b\W*"
    r"|any ideas?\b\W*|(?:just )?(?:wondering|curious)\b\W*)+",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(r"\bdiff\b(?=\s+(?:between|of|to|from)\b|\W*$)", re.IGNORECASE)

_HAIL = re.compile(
    r"^(?:(?:大佬们?|各位|大家好?|朋友们?|老师们?|同学们?|新手|小白|萌新|跪求|求助|求问|求教|请教|请问|想问|想知道"
    r"|弱弱地?问|(?:有没有|有|谁)人?知道|帮忙看看|救命|问(?=一?下))(?:一?下)?\W*)+"
)
_THANKS = re.compile(
    r"(?:(?:谢谢|多谢|感谢|谢啦|谢了)(?:大佬们?|大家|各位)?|\W(?:在线等|求解|求助|求教|大佬们?)|[啊呀呢嘛哈哦噢呗]|\W)+$"
)


def spelled_out(question: str) -> str:
    """The question without chat spelling; as it was where nothing would be left of it."""
    text = _OPENING.sub("", _WORD.sub(_full, question))
    text = _DIFFERENCE.sub("difference", text)
    for spoken, written in read_table(_TABLE)["colloquial"].items():
        text = text.replace(spoken, written)
    return _without_hail(text).strip() or question


def is_chat(word: str) -> bool:
    """Whether a word in small letters is chat spelling, which is spelled out elsewhere."""
    table = read_table(_TABLE)
    return word in table["short"] or word in table["of_the_field"]


def _full(found: re.Match[str]) -> str:
    word = found.group()
    table = read_table(_TABLE)
    short = table["short"].get(word if len(word) == 1 else word.lower())
    return str(table["of_the_field"].get(word, word) if short is None else short)


def _without_hail(text: str) -> str:
    """Drop a beginning of hails and an end of thanks; an end of mere punctuation stays."""
    text = _HAIL.sub("", text)
    thanks = _THANKS.search(text)
    return text[: thanks.start()] if thanks and HAN.search(thanks.group()) else text
