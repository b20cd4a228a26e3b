"""How hard a page is: the usual level of its topics, moved by what the page does; every step says why.

Each signal is an amount with a weight; the weights were fitted on the pages labelled by hand
(`python bench/classify.py --fit` prints them anew, with the agreement that cross-validation gives).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import log2
from types import MappingProxyType
from typing import NamedTuple

from indexer.classify.labels import LevelLabel, TopicLabel
from indexer.classify.page_features import PageFeatures
from indexer.classify.topic_rules import Hits
from knowledge.content import LEVELS, Topics
from knowledge.words import Message

BASE = 0.5
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "usual level": 0.56,
        "first steps": -0.48,
        "short account": -0.25,
        "in depth": 0.3,
        "method by name": 0.53,
        "terms introduced": -0.1,
        "terms assumed": 0.08,
        "hardware named": 0.06,
        "code density": 0.18,
    }
)
"""How much one unit of a signal adds to the level, where a beginner's page has 0 and an advanced one 2."""
WORTH_SAYING = 0.05


class Signal(NamedTuple):
    """Something in a page that bears on its level: how much of it there is, and the message that says so."""

    name: str
    amount: float
    said: Message

    @property
    def step(self) -> float:
        return WEIGHTS[self.name] * self.amount


_TITLES = {
    "first steps": re.compile(
        r"入门|初学|什么是|是什么|概述|安装|基础|getting started|your first|beginner|what is|summary and setup",
        re.IGNORECASE,
    ),
    "short account": re.compile(
        r"简介|简述|介绍|浅谈|快速|术语"
        r"|introduction|first (?:program|kernel)|\bbasics?\b|overview|terminology|ecosystem",
        re.IGNORECASE,
    ),
    "in depth": re.compile(
        r"实战|底层|探秘|原理剖析|深入|高级|进阶"
        r"|\bapplied\b|case study|at scale|\bserving\b|\binternals?\b|under the hood|\badvanced\b",
        re.IGNORECASE,
    ),
}
_METHOD = re.compile(r"[A-Z][A-Za-z0-9]*[A-Z0-9][A-Za-z0-9+-]*\s*(?:详解|[（(:：].*)?$")
_INTRODUCES = re.compile(
    r"是指|指的是|称为|叫做|即为|是一种|是一个|\bis an? |are called|is called|refers to|stands for|known as",
    re.IGNORECASE,
)
_HARDWARE = re.compile(
    r"\b(?:wgmma|mma|tma|hbm|vmem|ici|mxu|nvlink|sram|l2 cache|warps?|rob|btb|csrs?|mshr|tlb|fifo|uops?|micro-ops?"
    r"|sm_\d+|pipeline stage|infiniband|systolic|mmio|dma|virtio|uart|plic|virtqueue|sstatus|stvec|sscratch|scause"
    r"|pods?|fsdp|mfu|kv caches?|all-?gathers?|\d+[bt] parameters)\b|寄存器|描述符",
    re.IGNORECASE,
)


def level_of(seen: Sequence[Signal]) -> LevelLabel:
    """Return the level that the signals add up to, with those that moved it as its reason."""
    height = BASE + sum(signal.step for signal in seen)
    level = LEVELS[0] if height < 0.5 else LEVELS[1] if height < 1.5 else LEVELS[2]
    telling = [signal for signal in seen if signal.name == "usual level" or abs(signal.step) >= WORTH_SAYING]
    return LevelLabel(level, tuple(signal.said for signal in telling))


def signals(features: PageFeatures, about: Sequence[TopicLabel], in_text: Hits, topics: Topics) -> Iterator[Signal]:
    """Yield every signal of a page for its level."""
    start = _usual_level(about, topics)
    yield start
    yield from _title_signals(features.title)
    if start.amount < 1 and _METHOD.match(features.title):
        yield Signal("method by name", 1.0, Message("label.method_by_name"))
    introduced = features.per_thousand(len(_INTRODUCES.findall(features.text)))
    yield Signal("terms introduced", log2(1 + introduced), Message("label.terms_introduced", n=introduced))
    yield _terms_assumed(in_text, topics)
    hardware = features.per_thousand(len(_HARDWARE.findall(features.text)))
    yield Signal("hardware named", log2(1 + hardware), Message("label.hardware_named", n=hardware))
    yield Signal("code density", features.code_share, Message("label.code_density", share=features.code_share))


def _terms_assumed(in_text: Hits, topics: Topics) -> Signal:
    """Return how many different words of advanced topics the page uses, against those of beginners' topics."""
    hard, easy = (
        sum(len(words) for topic, words in in_text.items() if topics[topic].level == level)
        for level in ("advanced", "beginner")
    )
    amount = log2(1 + hard) - log2(1 + easy)
    return Signal("terms assumed", amount, Message("label.terms_assumed", hard=hard, easy=easy))


def _usual_level(about: Sequence[TopicLabel], topics: Topics) -> Signal:
    """Return the topics' usual level, between their mean and the highest: one hard topic makes a page hard."""
    if not about:
        return Signal("usual level", 1.0, Message("label.no_topic"))
    total = sum(topic.score for topic in about)
    usual = [LEVELS.index(topics[topic.id].level) for topic in about]
    mean = sum(topic.score * level for topic, level in zip(about, usual, strict=True)) / total
    main = topics[about[0].id]
    said = Message("label.usual_level", topic=main.id, level=main.level)
    return Signal("usual level", (mean + max(usual)) / 2, said)


def _title_signals(title: str) -> Iterator[Signal]:
    matches = {name: pattern.search(title) for name, pattern in _TITLES.items()}
    found = {name: match.group() for name, match in matches.items() if match}
    if "first steps" in found:
        found.pop("short account", None)
    for name, words in found.items():
        yield Signal(name, 1.0, Message("label.title_says", words=words))
