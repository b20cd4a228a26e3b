"""Small models made on the spot, with random weights: enough to try how models from a hub are opened."""

from __future__ import annotations

from pathlib import Path

WORDS = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "a",
    "warp",
    "is",
    "what",
    "bank",
    "conflict",
    "shared",
    "memory",
)
DIMENSION = 24
REVISION = "0" * 40


def write_encoder(folder: Path) -> Path:
    """A BERT that makes vectors, laid out as sentence-transformers lays its models out."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertModel

    torch.manual_seed(1)
    BertModel(_config()).save_pretrained(folder / "bare")
    _write_tokenizer(folder / "bare")
    words = Transformer(str(folder / "bare"), max_seq_length=32)
    SentenceTransformer(modules=[words, Pooling(DIMENSION, "mean")], device="cpu").save(str(folder / "model"))
    return folder / "model"


def write_cross_encoder(folder: Path, outputs: int = 1) -> Path:
    """A BERT that gives a pair of texts its scores."""
    import torch
    from transformers import BertForSequenceClassification

    torch.manual_seed(2)
    model = BertForSequenceClassification(_config(num_labels=outputs, initializer_range=1.0))
    model.save_pretrained(folder)
    _write_tokenizer(folder)
    return folder


def put_on_hub(model: Path, home: Path, name: str) -> None:
    """As the hub's own client keeps what it has downloaded: found without a network."""
    kept = home / "hub" / f"models--{name.replace('/', '--')}"
    (kept / "refs").mkdir(parents=True)
    (kept / "refs" / "main").write_text(REVISION)
    (kept / "snapshots").mkdir()
    model.rename(kept / "snapshots" / REVISION)


def _config(**more: object) -> object:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=len(WORDS),
        hidden_size=DIMENSION,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=64,
        **more,
    )


def _write_tokenizer(folder: Path) -> None:
    from transformers import BertTokenizerFast

    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
