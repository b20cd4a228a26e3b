"""Write the trained reader as the product has it: int8, one scale for each output channel.

    python -m tests.eval.reader.export TRAINED OUT

TRAINED is what train.py wrote; OUT takes the place of knowledge/reader/weights (its README.md stays).
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.eval.reader.train import MOST_TOKENS

BASE = "intfloat/multilingual-e5-small"
_POSITIONS = "embeddings.position_embeddings.weight"
_TYPES = "embeddings.token_type_embeddings.weight"
_LAYER = re.compile(r"encoder\.layer\.(\d+)\.")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    for name in ("trained", "out"):
        parser.add_argument(name, type=Path)
    asked = parser.parse_args()
    export(asked.trained, asked.out)
    print({file.name: file.stat().st_size for file in sorted(asked.out.iterdir())})


def export(trained: Path, out: Path) -> None:
    from safetensors.numpy import load_file, save_file

    weights = {name: value.astype(np.float32) for name, value in load_file(trained / "reader.safetensors").items()}
    weights[_POSITIONS] = weights[_POSITIONS][:MOST_TOKENS]
    heads = json.loads((trained / "config.json").read_text(encoding="utf-8"))["num_attention_heads"]
    config = {
        "num_hidden_layers": 1 + max(int(found[1]) for name in weights if (found := _LAYER.match(name))),
        "num_attention_heads": heads,
        "hidden_size": weights[_POSITIONS].shape[1],
        "layer_norm_eps": 1e-12,
        "max_tokens": MOST_TOKENS,
        "base": BASE,
    }
    out.mkdir(parents=True, exist_ok=True)
    save_file(quantized(weights), out / "reader.safetensors")
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    shutil.copyfile(trained / "tokenizer.json", out / "tokenizer.json")


def quantized(weights: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32] | NDArray[np.int8]]:
    """Matrices as int8 with their scales beside them; the head, which is small, and vectors as they are."""
    stored: dict[str, NDArray[np.float32] | NDArray[np.int8]] = {}
    for name, value in weights.items():
        if value.ndim == 2 and name != _TYPES and not name.startswith("head."):
            scale = np.abs(value).max(axis=1) / 127
            scale[scale == 0] = 1
            stored[name] = np.rint(value / scale[:, None]).astype(np.int8)
            stored[f"{name}.scale"] = scale.astype(np.float32)
        else:
            stored[name] = np.ascontiguousarray(value)
    return stored


if __name__ == "__main__":
    main()
