"""Order the passages that search found anew: a cross-encoder, where one is set up, reads each beside the question."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Protocol

from knowledge.errors import SetupError


class Reranker(Protocol):
    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """Return how well each passage answers; only the order of the numbers counts."""
        ...


class CrossEncoderReranker:
    """A cross-encoder, by folder or name on the hub: any with one output that sentence-transformers can open."""

    def __init__(self, name: str) -> None:
        from sentence_transformers import CrossEncoder

        try:
            self._model = CrossEncoder(name, device="cpu")
        except (OSError, ValueError) as error:
            raise SetupError(f"WARPMATE_CROSS_ENCODER={name}: the model cannot be opened ({_first(error)})") from None
        if self._model.num_labels != 1:
            raise SetupError(
                f"WARPMATE_CROSS_ENCODER={name}: it has {self._model.num_labels} outputs; name a model with one"
            )
        self._turn = threading.Lock()  # a tokenizer carries its truncation as a state that threads would change

    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        with self._turn:
            found = self._model.predict([(question, passage) for passage in passages], show_progress_bar=False)
        return [float(score) for score in found]


def _first(error: Exception) -> str:
    return str(error).splitlines()[0]
