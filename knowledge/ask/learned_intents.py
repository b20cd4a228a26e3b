"""What a message asks for where the word files do not have its words: a linear model, learnt from sentences of ours.

It sees a message as the reader's encoder and the packaged embedder do, which read both languages, and how many terms
and names of the field it has. tests/eval/intents has the sentences and makes learned_intents.json of them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.ask.intents import ABOUT_US, ELSEWHERE, LONGEST, TALK, UNKNOWABLE, Intent
from knowledge.content import Glossary
from knowledge.library.embed import Embedder
from knowledge.reader.model import Reader
from knowledge.search.bridge import Bridge
from knowledge.search.question import read_question
from knowledge.search.wording import bridge_maker
from knowledge.text.fold import fold

FILE = Path(__file__).with_suffix(".json")
FAMILIES: tuple[tuple[Intent, ...], ...] = (TALK, ABOUT_US, UNKNOWABLE, ("group",), *((one,) for one in ELSEWHERE))
NO_QUESTION = 0.85
"""How certain it has to be that a message is no question of the field: to take one for talk is the worst mistake."""
ONE_FAMILY = 0.4
"""How certain which family it is of."""
_TALK_IN_A_CONVERSATION = 0.94
"""How certain that a message after a question is talk. Then nothing else is told by likeness: `can you show me` is
about the answer, not about us."""
_ONE_OF_FAMILY = 0.5
"""The share that an intent has to have of its family; a question about us gets a general answer below that."""
_MOST_COUNTED = 3
Floats = NDArray[np.float32]


class Encoders:
    """Turns a message into the numbers that the model weighs."""

    def __init__(self, reader: Reader, embedder: Embedder, glossary: Glossary) -> None:
        self._reader = reader
        self._embedder = embedder
        self._bridge: Bridge = bridge_maker(glossary)(())

    @property
    def version(self) -> str:
        """Of what encodes: a model that was learnt with another version says nothing here."""
        return f"{self._reader.revision}-{self._embedder.spec.key}"

    def encoded(self, message: str) -> Floats:
        folded = fold(message).strip()
        kinds = [notion.kind for notion in read_question(folded, self._bridge).notions]
        counts = [min(kinds.count(kind), _MOST_COUNTED) for kind in ("term", "name", "stranger")]
        plain = np.array([*counts, min(len(folded), LONGEST) / LONGEST], dtype=np.float32)
        return np.concatenate((self._reader.meaning(folded), self._embedder.queries([folded])[0], plain))


@dataclass(frozen=True, slots=True)
class LinearModel:
    intents: tuple[Intent, ...]
    center: Floats
    spread: Floats
    weights: Floats
    """A row for each intent."""
    bias: Floats

    def shares(self, encoded: Floats) -> dict[Intent, float]:
        """How likely each intent is; together they are 1."""
        logits = self.weights @ ((encoded - self.center) / self.spread) + self.bias
        grown = np.exp(logits - logits.max())
        return dict(zip(self.intents, map(float, grown / grown.sum()), strict=True))

    def as_json(self) -> dict[str, Any]:
        """With a byte for each weight, by a scale of its row."""
        scale = np.abs(self.weights).max(axis=1) / 127
        return {
            "intents": list(self.intents),
            "bias": [round(float(value), 4) for value in self.bias],
            "scale": [float(f"{value:.4g}") for value in scale],
            "center": _packed(self.center.astype(np.float16)),
            "spread": _packed(self.spread.astype(np.float16)),
            "weights": _packed(np.round(self.weights / scale[:, None]).astype(np.int8)),
        }


def _packed(values: NDArray[Any]) -> str:
    return base64.b64encode(values.tobytes()).decode("ascii")


def model_of(row: Mapping[str, Any]) -> LinearModel:
    """The model as `as_json` wrote it."""
    center, spread = (np.frombuffer(base64.b64decode(row[name]), np.float16) for name in ("center", "spread"))
    weights = np.frombuffer(base64.b64decode(row["weights"]), np.int8).reshape(len(row["intents"]), -1)
    scale = np.array(row["scale"], dtype=np.float32)[:, None]
    return LinearModel(
        tuple(row["intents"]),
        center.astype(np.float32),
        spread.astype(np.float32),
        weights.astype(np.float32) * scale,
        np.array(row["bias"], dtype=np.float32),
    )


class LearnedIntents:
    def __init__(self, encoders: Encoders, model: LinearModel) -> None:
        self._encoders = encoders
        self._model = model

    def of(self, message: str) -> Intent:
        """What is asked for; `question` unless it is nearly certain that the message is none of the field."""
        return told(self._shares(message)) if len(message) <= LONGEST else "question"

    def talk(self, message: str) -> Intent:
        """The talk that a message after a question is; `question` for everything else."""
        if len(message) > LONGEST:
            return "question"
        shares = self._shares(message)
        is_talk = sum(shares[intent] for intent in TALK) >= _TALK_IN_A_CONVERSATION
        return max(TALK, key=lambda intent: shares[intent]) if is_talk else "question"

    def within(self, intent: Intent, message: str) -> Intent:
        """The intent more exactly: phrases said that it is talk or about us, and which of these the model tells."""
        shares = self._shares(message)
        total = sum(shares[one] for one in (*TALK, *ABOUT_US))
        best = max((*TALK, *ABOUT_US), key=lambda one: shares[one])
        return best if shares[best] >= _ONE_OF_FAMILY * total else intent

    def _shares(self, message: str) -> dict[Intent, float]:
        return self._model.shares(self._encoders.encoded(message))


def told(shares: Mapping[Intent, float]) -> Intent:
    """The intent that shares speak for."""
    of_families = [sum(shares[intent] for intent in family) for family in FAMILIES]
    total, family = max(zip(of_families, FAMILIES, strict=True), key=lambda each: each[0])
    if 1 - shares["question"] < NO_QUESTION or total < ONE_FAMILY:
        return "question"
    best = max(family, key=lambda intent: shares[intent])
    return "abilities" if family is ABOUT_US and shares[best] < _ONE_OF_FAMILY * total else best


def open_learned_intents(encoders: Encoders) -> LearnedIntents | None:
    """None where another embedder is set up than the packaged one, whose vectors mean something else."""
    row = json.loads(FILE.read_text(encoding="utf-8"))
    return LearnedIntents(encoders, model_of(row)) if row["version"] == encoders.version else None
