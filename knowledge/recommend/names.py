"""What members type: levels and topics by any usual name, with typos, in either language."""

from __future__ import annotations

import difflib

from knowledge.content import Level, Topic, Topics
from knowledge.content.topics import names, plain_name
from knowledge.errors import NotFound

_LEVELS: dict[str, Level] = {
    "beginner": "beginner", "basic": "beginner", "easy": "beginner", "novice": "beginner", "newbie": "beginner",
    "starter": "beginner",
    "入门": "beginner", "初级": "beginner", "初学者": "beginner", "初学": "beginner", "新手": "beginner",
    "基础": "beginner",
    "intermediate": "intermediate", "medium": "intermediate", "middle": "intermediate", "中级": "intermediate",
    "中等": "intermediate",
    "advanced": "advanced", "expert": "advanced", "hard": "advanced", "进阶": "advanced", "高级": "advanced",
    "专家": "advanced", "深入": "advanced",
}  # fmt: skip

LEVEL_NAMES_ZH: dict[Level, str] = {"beginner": "入门", "intermediate": "中级", "advanced": "高级"}

_CLOSE_ENOUGH = 0.78
"""Below this a near name is offered, not taken: `rdna` is not `rdma` with a typo."""


def level_named(name: str) -> Level:
    plain = plain_name(name)
    if plain in _LEVELS:
        return _LEVELS[plain]
    if near := difflib.get_close_matches(plain, _LEVELS, n=1, cutoff=0.75):
        return _LEVELS[near[0]]
    raise NotFound(
        f"{name!r} is not a level; use beginner, intermediate or advanced",
        f"没有“{name}”这个级别，可用：入门、中级、高级",
    )


def topic_named(topics: Topics, name: str, lang: str = "en") -> Topic:
    """The topic meant, or NotFound that offers the nearest."""
    if not plain_name(name):
        raise NotFound("name a topic, for instance cuda", "请写出主题，例如 cuda")
    if exact := topics.named(name):
        return exact
    ranked = _ranked(topics, name)
    if ranked and ranked[0][0] >= _CLOSE_ENOUGH and (len(ranked) == 1 or ranked[0][0] - ranked[1][0] > 0.02):
        return ranked[0][1]
    offered = [topic for _, topic in ranked[:4]]
    en = ", ".join(topic.title.en for topic in offered)
    zh = "、".join(topic.title.zh for topic in offered)
    raise NotFound(f"no topic is called {name!r}; the nearest are: {en}", f"没有名为“{name}”的主题，最接近的有：{zh}")


def _ranked(topics: Topics, name: str) -> list[tuple[float, Topic]]:
    """Every topic by how near its nearest name is; equal ones in reading order."""
    scored = [
        (max(_nearness(plain_name(name), plain_name(known)) for known in names(topic)), topic) for topic in topics
    ]
    return sorted(scored, key=lambda pair: (-pair[0], topics.position[pair[1].id]))


def _nearness(wanted: str, known: str) -> float:
    """1 for equal; a whole part of a longer name counts by the share that it covers; else the edit ratio."""
    ratio = difflib.SequenceMatcher(None, wanted, known).ratio()
    if len(wanted) >= 3 or not wanted.isascii():
        if wanted in known:
            return max(ratio, 0.75 + 0.25 * len(wanted) / len(known))
        if known in wanted and (len(known) >= 4 or not known.isascii()):
            return max(ratio, 0.7 + 0.25 * len(known) / len(wanted))
    return ratio
