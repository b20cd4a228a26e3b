"""The reader as torch trains it; knowledge/reader/model.py is the same computation on numpy and onnxruntime.

Imported only where something is trained: nothing else of the project runs torch.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig, BertModel

from knowledge.library.bert import load_weights
from knowledge.reader.model import _UNREAD
from tests.eval.reader.rows import PAD, Batch

_UNSURE = -1.0
"""Where the bias of the head starts: most sentences answer nothing."""
_READ = _UNREAD + 1.0
_OF_EACH, _OF_TEACHER, _OF_TEACHER_LOGITS = 0.5, 2.0, 0.02
"""What counts beside the choice of a right sentence: each sentence by itself, and the teacher's view of both."""


class Network(nn.Module):
    """The first layers of the base, and a head that judges the mean of a sentence beside the whole."""

    def __init__(self, base: Path, layers: int) -> None:
        super().__init__()
        config = json.loads((base / "config.json").read_text(encoding="utf-8"))
        self.bert = BertModel(
            BertConfig(**config | {"num_hidden_layers": layers, "type_vocab_size": 2}), add_pooling_layer=False
        )
        weights = load_file(base / "model.safetensors")
        types = weights["embeddings.token_type_embeddings.weight"]
        weights["embeddings.token_type_embeddings.weight"] = types[:1].repeat(2, 1)
        missing, _ = self.bert.load_state_dict({name: one.float() for name, one in weights.items()}, strict=False)
        if missing:
            raise ValueError(f"{base} lacks {missing[0]}")
        for fixed in (self.bert.embeddings.word_embeddings, self.bert.embeddings.position_embeddings):
            fixed.requires_grad_(False)
        hidden = int(config["hidden_size"])
        last = nn.Linear(hidden, 1)
        nn.init.constant_(last.bias, _UNSURE)
        self.head = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.ReLU(), last)

    def go_on_from(self, weights: Path) -> None:
        """Take over what a reader of the product has learnt."""
        own = self.state_dict()
        for name, value in load_weights(weights / "reader.safetensors").items():
            kept = own[name if name.startswith("head.") else f"bert.{name}"]
            kept[: len(value)] = torch.from_numpy(value)  # of the positions, the product keeps those that it needs

    def forward(self, ids: Tensor, segments: Tensor, sentence: Tensor) -> Tensor:
        """A logit for each sentence of each row; very low where there is none."""
        states = self.bert(input_ids=ids, attention_mask=(ids != PAD).long(), token_type_ids=segments)
        states = states.last_hidden_state
        rows, _, hidden = states.shape
        most = int(sentence.max())
        sums = states.new_zeros(rows, most + 1, hidden)
        sums = sums.scatter_add(1, sentence[..., None].expand(-1, -1, hidden), states)
        counts = states.new_zeros(rows, most + 1).scatter_add(1, sentence, torch.ones_like(states[..., 0]))
        means = (sums / counts.clamp(min=1)[..., None])[:, 1:]
        both = torch.cat((means, states[:, :1].expand(-1, most, -1)), dim=-1)
        logits: Tensor = self.head(both)[..., 0].float()
        return logits.masked_fill(counts[:, 1:] == 0, _UNREAD)

    def tensors(self) -> dict[str, Tensor]:
        """The weights under the names that the product reads."""
        return {name.removeprefix("bert."): one.detach().cpu() for name, one in self.state_dict().items()}


def loss_of(logits: Tensor, batch: Batch, taught: Tensor | None) -> Tensor:
    """Of every question: one right sentence, or the null of 0, is to have the most of a softmax over all."""
    losses = []
    at = 0
    for many, gold in zip(batch.passages, batch.gold, strict=True):
        own = logits[at : at + many]
        losses.append(_choice(own, gold) + _OF_EACH * _each(own, gold))
        if taught is not None:
            losses[-1] = losses[-1] + _as_taught(own, taught[at : at + many])
        at += many
    return torch.stack(losses).mean()


def _choice(logits: Tensor, gold: Sequence[tuple[int, int]]) -> Tensor:
    shares = _shares(logits)
    right = [1 + row * logits.shape[1] + number for row, number in _read(logits, gold)]
    if gold and not right:
        return shares.new_zeros(())
    return -torch.logsumexp(shares[right or [0]], dim=0)


def _each(logits: Tensor, gold: Sequence[tuple[int, int]]) -> Tensor:
    wanted = torch.zeros_like(logits)
    for row, number in _read(logits, gold):
        wanted[row, number] = 1.0
    there = logits > _READ
    total = functional.binary_cross_entropy_with_logits(logits[there], wanted[there], reduction="sum")
    return total / max(1, len(logits))


def _as_taught(logits: Tensor, taught: Tensor) -> Tensor:
    view = functional.kl_div(_shares(logits), _shares(taught), log_target=True, reduction="sum")
    apart = (logits - taught)[logits > _READ].clamp(-10, 10).square().mean()
    return _OF_TEACHER * view + _OF_TEACHER_LOGITS * apart


def _shares(logits: Tensor) -> Tensor:
    """Of the null, then of every sentence."""
    return functional.log_softmax(torch.cat((logits.new_zeros(1), logits.reshape(-1))), dim=0)


def _read(logits: Tensor, gold: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Right sentences that were not cut off."""
    return [(row, number) for row, number in gold if number < logits.shape[1] and logits[row, number] > _READ]
