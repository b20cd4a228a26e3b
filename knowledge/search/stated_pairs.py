"""Term pairs that Chinese pages state themselves: 管程 (Monitor), 空洞卷积（Dilated Convolution）.

The pages of a field name their terms better than any list of ours; what they add follows the library as it grows.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from knowledge.search.bridge import Pair
from knowledge.text.word_lists import word_list

_STATED = re.compile(
    r"([\u4e00-\u9fff]{2,14})[*`_”」]*\s*[（(]\s*[*`“]*([A-Za-z][A-Za-z \-]{2,48}?)[*`”]*\s*[)）,，]"
)
_LONGEST = 10


def stated_pairs(texts: Iterable[str]) -> tuple[Pair, ...]:
    """One Chinese name for each English term in brackets, by how often it stands there and how well it fits."""
    before: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for run, english in _STATED.findall(text):
            if english.isupper():  # an abbreviation stands in Latin letters on both sides already
                continue
            before[" ".join(english.lower().split())].update(_endings(run))
    return tuple(Pair((english,), (_fittest(english, names),)) for english, names in before.items() if names)


def _endings(run: str) -> Iterator[str]:
    """The last one, two, three … dictionary words before the bracket, up to a function word."""
    import rjieba

    name = ""
    for word in reversed(rjieba.cut(run)):
        name = word + name
        if word in word_list("stop.zh") or len(name) > _LONGEST:
            return
        if len(name) > 1:
            yield name


def _fittest(english: str, names: Counter[str]) -> str:
    """An English word is about two characters of Chinese; among the commonest endings, the one nearest to that."""
    wanted = 2.0 * len(re.split(r"[ \-]", english))
    most = max(names.values())
    common = [name for name, count in names.items() if 2 * count >= most]
    return min(common, key=lambda name: (abs(len(name) - wanted), -len(name)))
