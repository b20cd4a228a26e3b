"""Which sentences of a passage answer a question: a logit for each, against a null of 0.

The reader is a cross-encoder: question and passage go through the layers together. Its weights are ours (trained by
tests/eval/reader on labelled questions, from multilingual-e5-small) and come along as int8, one scale for each
output channel; the graph for onnxruntime is made from them once, under the data directory.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knowledge.library import bert
from knowledge.library.embed import digest_of, quiet_onnxruntime
from knowledge.text.sentences import Span

FOLDER = Path(__file__).with_name("weights")
_QUESTION_TOKENS = 72
_CONTEXT_CHARACTERS = 160
_CONTEXT_TOKENS = 40
_SENTENCE_CHARACTERS = 1500
_START, _END = 0, 2
_UNREAD = -30.0
"""The logit of a sentence that did not fit."""
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Readable:
    """What the reader is shown of one passage: where it stands, and its sentences as spans of the text."""

    context: str
    text: str
    sentences: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """One passage beside the question, in tokens; `sentence` counts from 1, 0 is none."""

    ids: list[int]
    segments: list[int]
    sentence: list[int]


class Reader:
    """Opened once; safe to call from several threads."""

    def __init__(self, cache: Path, folder: Path = FOLDER, threads: int = 2) -> None:
        from tokenizers import Tokenizer

        onnxruntime = quiet_onnxruntime()
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.revision = digest_of(folder / "reader.safetensors")
        self._tokens = int(config["max_tokens"])
        head = bert.load_weights(folder / "reader.safetensors", "head.")
        self._first, self._first_bias = head["head.0.weight"], head["head.0.bias"]
        self._last, self._last_bias = head["head.2.weight"], head["head.2.bias"]
        graph = cache / f"reader-{self.revision}-v{bert.GRAPH_VERSION}.onnx"
        if not graph.is_file():
            encoder = bert.Encoder(config, bert.stored_weights(folder / "reader.safetensors"))
            bert.write_graph(bert.Graph(encoder, vnni=bert.has_vnni()).states(), graph)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # A thread that waits lets others have the core: on few cores that halves the time of a question.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        self._session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def read(self, question: str, passages: Sequence[Readable]) -> list[Floats]:
        """Return for each passage the logits of its sentences; what did not fit has a very low one."""
        asked = self._ids("query: " + question)[:_QUESTION_TOKENS]
        rows = [self._row(asked, passage) for passage in passages]
        logits: list[Floats] = [np.full(len(p.sentences), _UNREAD, dtype=np.float32) for p in passages]
        # One by one: int8 scales a whole batch alike, so that a passage would say less or more beside others.
        for found, row in zip(logits, rows, strict=True):
            states, numbers = self._states(row), np.array(row.sentence)
            read = np.unique(numbers[numbers > 0])
            means = np.array([states[numbers == number].mean(axis=0) for number in read])
            if len(read):
                found[read - 1] = self._judged(means, states[0])
        return logits

    def meaning(self, text: str) -> Floats:
        """Return one vector for a short text alone, of either language: the mean over its pieces."""
        ids = [_START, *self._ids("query: " + text)[:_QUESTION_TOKENS], _END]
        vector: Floats = self._states(_Row(ids, [0] * len(ids), [0] * len(ids)))[1:-1].mean(axis=0)
        return vector

    def _judged(self, sentences: Floats, whole: Floats) -> Floats:
        both = np.concatenate((sentences, np.broadcast_to(whole, sentences.shape)), axis=1)
        hidden = np.maximum(both @ self._first.T + self._first_bias, 0.0)
        logits: Floats = (hidden @ self._last.T + self._last_bias)[:, 0]
        return logits

    def _states(self, row: _Row) -> Floats:
        """A vector for each token."""
        ids, segments = np.array([row.ids], dtype=np.int64), np.array([row.segments], dtype=np.int64)
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": segments}
        states: Floats = self._session.run(["states"], fed)[0][0]
        return states

    def _row(self, asked: list[int], passage: Readable) -> _Row:
        context = self._ids(passage.context[-_CONTEXT_CHARACTERS:])[-_CONTEXT_TOKENS:]
        head = [_START, *asked, _END, _END, *context, _END]
        ids: list[int] = []
        sentence: list[int] = []
        for number, span in enumerate(passage.sentences, start=1):
            own = self._ids(span.of(passage.text)[:_SENTENCE_CHARACTERS])
            ids += own
            sentence += [number] * len(own)
        room = self._tokens - len(head) - 1
        before = len(asked) + 3
        return _Row(
            ids=[*head, *ids[:room], _END],
            segments=[0] * before + [1] * (len(head) - before + min(room, len(ids)) + 1),
            sentence=[*[0] * len(head), *sentence[:room], 0],
        )

    def _ids(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return found
