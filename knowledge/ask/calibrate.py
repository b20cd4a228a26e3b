"""What an index knows of its own noise: how sure it would be of questions that it cannot possibly answer.

The weights of the refusal are fitted once, on labelled questions. The bar is raised where an index, at the moment
it is made, would answer more than a few questions about cooking, travel and law.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.ask.doubt import Calibration, doubts, shipped
from knowledge.ask.evidence import sentences_of
from knowledge.ask.weighing import by_merit
from knowledge.library.embed import Embedder, Vectors
from knowledge.library.passages import Passage
from knowledge.library.vectors import ExactVectors
from knowledge.search.bridge import Bridge, Pair
from knowledge.search.build import FOLDER, Draft
from knowledge.search.searcher import find
from knowledge.search.source import Source, read_files

_ALLOWED = 0.05
OFF_TOPIC = {
    "en": (
        "How do I bake sourdough bread without a dutch oven?",
        "Which visa do I need for a week in Brazil?",
        "What is a fair rent for a two room flat?",
        "How do I get rid of moss in my lawn?",
        "Who painted the ceiling of the Sistine Chapel?",
        "How much water should an adult drink every day?",
        "What are the rules of offside in football?",
        "How do I write a cover letter for a bakery?",
        "Which vaccines does a puppy need?",
        "When is the best time to visit Iceland?",
        "How do I tune a violin by ear?",
        "What is the difference between a will and a trust?",
        "How long does it take to learn Spanish?",
        "Which cheese goes into a fondue?",
        "How do I fix a dripping kitchen tap?",
        "What caused the fall of the Roman empire?",
        "How do I choose a car seat for a toddler?",
        "What is the tallest building in Europe?",
        "How do I file a complaint with an airline?",
        "Why do leaves turn red in autumn?",
    ),
    "zh": (
        "怎样做番茄炒蛋才好吃？",
        "去泰国旅游需要带什么？",
        "租房合同要注意哪些条款？",
        "怎么去掉衣服上的油渍？",
        "红楼梦里林黛玉住在哪里？",
        "成年人每天应该睡几个小时？",
        "羽毛球双打的发球规则是什么？",
        "小狗第一次打疫苗要多大？",
        "学钢琴几岁开始比较好？",
        "离婚财产怎么分割？",
        "怎么挑选新鲜的螃蟹？",
        "秦始皇是哪一年统一六国的？",
        "坐飞机可以带充电宝吗？",
        "阳台上养什么花不容易死？",
        "怎么给婴儿拍嗝？",
        "高血压病人能喝咖啡吗？",
        "驾照丢了怎么补办？",
        "夏天晒伤了怎么处理？",
        "普洱茶应该怎么保存？",
        "为什么月亮有圆有缺？",
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class _DraftRows:
    """The draft of a generation, as far as search reads one."""

    passages_: Sequence[Passage]
    vectors: ExactVectors
    page_of: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.passages_)

    def passages(self, rows: Sequence[int]) -> list[Passage]:
        return [replace(self.passages_[row], row=row) for row in rows]

    def nearest(self, vector: Vectors, k: int, among: NDArray[np.int64] | None = None) -> list[tuple[int, float]]:
        return self.vectors.nearest(vector, k, among)

    def translated(self, pages: Collection[int], lang: str) -> set[int]:
        """None: the bar is measured on answers, not on the language that they are quoted in."""
        return set()


def calibration_writer(
    make_bridge: Callable[[tuple[Pair, ...]], Bridge], embedder: Embedder
) -> Callable[[Draft], dict[str, Any]]:
    """Goes after the search files' writer, whose files it reads."""

    def write(draft: Draft) -> dict[str, Any]:
        source = _source(draft, make_bridge)
        return {
            "ask": {lang: asdict(_calibrated(lang, fitted, source, embedder)) for lang, fitted in shipped().items()}
        }

    return write


def _source(draft: Draft, make_bridge: Callable[[tuple[Pair, ...]], Bridge]) -> Source:
    pages: dict[int, int] = {}
    page_of = [pages.setdefault(passage.snapshot_id, len(pages)) for passage in draft.passages]
    rows = _DraftRows(draft.passages, ExactVectors(draft.vectors), np.array(page_of, dtype=np.int32))
    return read_files(draft.folder / FOLDER, rows, make_bridge)


def _calibrated(lang: str, fitted: Calibration, source: Source, embedder: Embedder) -> Calibration:
    """The fitted bar, or a higher one that refuses nearly all of the off-topic questions."""
    sure = sorted(_log_odds(question, fitted, source, embedder) for question in OFF_TOPIC[lang])
    noise = sure[int((1 - _ALLOWED) * len(sure)) - 1]
    return replace(fitted, bar=round(max(fitted.bar, noise), 4))


def _log_odds(question: str, fitted: Calibration, source: Source, embedder: Embedder) -> float:
    findings = find(question, (source,), embedder)
    found = doubts(findings, by_merit(sentences_of(findings)), embedder)
    return fitted.log_odds(found) if found else -20.0
