"""content/topics.yaml: the closed list of topics and which needs which."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from knowledge.content.schema import Strict, file_text, listed, parsed_yaml, record, refuse
from knowledge.content.shared_types import Id, Level, Sentence, Words
from knowledge.errors import SetupError

Area = Literal["cuda", "performance", "hardware", "numerics", "deep-learning", "systems", "software", "community"]


class Topic(Strict):
    """One topic: its names, what comes first, and the words that a text on it uses."""

    id: Id
    area: Area
    level: Level
    """Of a usual text on the topic."""
    title: Words
    aliases: tuple[Sentence, ...] = ()
    needs: tuple[Id, ...] = ()
    keywords: tuple[Sentence, ...]


@dataclass(frozen=True)
class Topics:
    """All topics, each after what it needs."""

    in_order: tuple[Topic, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Topic]:
        return MappingProxyType({topic.id: topic for topic in self.in_order})

    @cached_property
    def position(self) -> Mapping[str, int]:
        """A topic's place in an order without inversions."""
        return MappingProxyType({topic.id: n for n, topic in enumerate(self.in_order)})

    def __getitem__(self, topic_id: str) -> Topic:
        return self.by_id[topic_id]

    def __contains__(self, topic_id: object) -> bool:
        return topic_id in self.by_id

    def __iter__(self) -> Iterator[Topic]:
        return iter(self.in_order)

    def __len__(self) -> int:
        return len(self.in_order)

    def before(self, topic_id: str) -> tuple[Topic, ...]:
        """Everything that leads to the topic, in an order to learn it; the topic itself is not in it."""
        found: set[str] = set()
        waiting = list(self[topic_id].needs)
        while waiting:
            if (need := waiting.pop()) not in found:
                found.add(need)
                waiting += self[need].needs
        return tuple(topic for topic in self.in_order if topic.id in found)

    def named(self, name: str) -> Topic | None:
        """The topic of exactly this id, title or alias, however it is cased or hyphenated."""
        found = self._by_name.get(plain_name(name))
        return self.by_id[found] if found else None

    @cached_property
    def _by_name(self) -> Mapping[str, str]:
        return MappingProxyType({plain_name(name): topic.id for topic in self for name in names(topic)})


def names(topic: Topic) -> tuple[str, ...]:
    """Every name a member may type for the topic."""
    return (topic.id, topic.title.en, topic.title.zh, *topic.aliases)


def plain_name(name: str) -> str:
    """A name without the differences nobody means: case, width, hyphens, underscores, blanks."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(character for character in folded if character not in " -_\t")


def load_topics(root: Path) -> Topics:
    """The topics of root/topics.yaml; raises BadContent, or SetupError where root is no content folder."""
    if not (root / "topics.yaml").is_file():
        raise SetupError(f"{root} holds no topics.yaml; set WARPMATE_CONTENT_DIR to the content folder of a checkout")
    text, file = file_text(root / "topics.yaml", root)
    entries = listed(parsed_yaml(text, file), "topics", file)
    topics = [record(Topic, entry, file, f"topics[{n}]") for n, entry in enumerate(entries)]
    refuse(file, _mistakes(topics))
    return Topics(_sorted(topics, file))


def _mistakes(topics: list[Topic]) -> Iterator[str]:
    ids = {topic.id for topic in topics}
    owner: dict[str, str] = {}
    for n, topic in enumerate(topics):
        for m, need in enumerate(topic.needs):
            if need not in ids:
                yield f"topics[{n}].needs[{m}]: no topic {need!r}"
        for name in {plain_name(name) for name in names(topic)}:
            if (other := owner.setdefault(name, topic.id)) != topic.id or topic.id in {t.id for t in topics[:n]}:
                yield f"topics[{n}].aliases: {name!r} names {other!r} already"


def _sorted(topics: list[Topic], file: str) -> tuple[Topic, ...]:
    graph = {topic.id: topic.needs for topic in topics}
    by_id = {topic.id: topic for topic in topics}
    try:
        return tuple(by_id[topic_id] for topic_id in TopologicalSorter(graph).static_order())
    except CycleError as error:
        circle = " -> ".join(error.args[1])
        refuse(file, [f"topics: {circle} need each other; nothing could come first"])
        raise
