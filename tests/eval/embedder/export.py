"""Write the trained embedder as the product has it: int8, one scale for each output channel, without its words.

    python -m tests.eval.embedder.export TRAINED OUT

TRAINED is what train.py wrote; OUT takes the place of knowledge/library/weights (its README.md stays). The table of
words was frozen and stands among the reader's weights.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from knowledge.library.packaged import WORDS
from tests.eval.embedder.sizes import PASSAGE, PASSAGE_TOKENS, QUERY
from tests.eval.reader.export import BASE, quantized

_POSITIONS = "embeddings.position_embeddings.weight"
_FLOAT_LAYERS = (0, 1, 4, 5)
"""The second product of their feed-forward blocks stays in float: cosine to the full model .995 instead of .983, for
a tenth more time; of layer 4 alone it is .992."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    for name in ("trained", "out"):
        parser.add_argument(name, type=Path)
    asked = parser.parse_args()
    export(asked.trained, asked.out)
    print({file.name: file.stat().st_size for file in sorted(asked.out.iterdir())})


def export(trained: Path, out: Path) -> None:
    from safetensors.numpy import load_file, save_file

    stored = load_file(trained / "model.safetensors")
    weights = {name: value.astype(np.float32) for name, value in stored.items() if name != WORDS}
    weights[_POSITIONS] = weights[_POSITIONS][:PASSAGE_TOKENS]
    config = json.loads((trained / "config.json").read_text(encoding="utf-8")) | {
        "hidden_act": "gelu",
        "max_position_embeddings": PASSAGE_TOKENS,
        "prompts": {"query": QUERY, "passage": PASSAGE},
        "float_layers": _FLOAT_LAYERS,
        "base": BASE,
    }
    out.mkdir(parents=True, exist_ok=True)
    save_file(quantized(weights), out / "embedder.safetensors")
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
