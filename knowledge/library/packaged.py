"""The embedder that comes along: all twelve layers of multilingual-e5-small, trained further on our questions.

It reads English and Chinese. Its layers stand in `weights` as int8, one scale for each output channel; its table of
words is the reader's, which was frozen when both were trained, and so is its tokenizer.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from knowledge.library.bert import WORDS, Encoder, in_floats, stored_weights

FOLDER = Path(__file__).with_name("weights")
LAYERS = FOLDER / "embedder.safetensors"
CONFIG = FOLDER / "config.json"
SHARED = Path(__file__).parents[1] / "reader" / "weights"
TABLE = SHARED / "reader.safetensors"
TOKENIZER = SHARED / "tokenizer.json"


def config() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(CONFIG.read_text(encoding="utf-8"))
    return found


def encoder() -> Encoder:
    return Encoder(config(), stored_weights(TABLE, WORDS) | stored_weights(LAYERS))


def write_folder(target: Path) -> None:
    """Write it as sentence-transformers opens it, in float32."""
    from safetensors.numpy import save_file

    target.mkdir(parents=True, exist_ok=True)
    made = encoder()
    special = {"pad_token": "<pad>", "cls_token": "<s>", "sep_token": "</s>", "unk_token": "<unk>"}
    files = {
        "config.json": {**made.config, "architectures": ["BertModel"]},
        "sentence_bert_config.json": {"max_seq_length": made.config["max_position_embeddings"]},
        "tokenizer_config.json": {"tokenizer_class": "PreTrainedTokenizerFast", **special},
        "config_sentence_transformers.json": {"prompts": made.config["prompts"]},
    }
    for name, content in files.items():
        (target / name).write_text(json.dumps(content), encoding="utf-8")
    (target / TOKENIZER.name).write_bytes(TOKENIZER.read_bytes())
    save_file(in_floats(made.weights), target / "model.safetensors")
