"""Train the embedder: all layers of the base, to bring a question near the passages that answer it.

    python -m tests.eval.embedder.train BASE PAIRS OUT

BASE is what tests/eval/reader/base.py wrote, PAIRS what pairs.py wrote. Each question stands beside passages that are
like the right one and are not; between the epochs the network searches for the wrong ones it ranks highest itself.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig, BertModel

from tests.eval.embedder.sizes import PASSAGE, PASSAGE_TOKENS, QUERY, QUESTION_TOKENS
from tests.eval.reader.rows import stored

START, PAD, END = 0, 1, 2
_TEMPERATURE = 0.05
_WARM_UP = 0.06
_ALSO_RIGHT = 0.95
"""A passage that comes this near the right one's cosine may answer too, and is not taken for a wrong one."""
_DEEP = 60
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    layers: int = 12
    epochs: int = 4
    rate: float = 5e-5
    questions_a_step: int = 96
    wrong_each: int = 7
    mined_share: float = 0.75
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Lesson:
    """Everything in tokens."""

    pairs: list[Row]
    passages: list[Row]
    asked: list[list[int]]
    read: list[list[int]]

    @classmethod
    def of(cls, base: Path, folder: Path) -> Lesson:
        pairs, passages = (list(stored(folder / f"{name}.jsonl.xz")) for name in ("pairs", "passages"))
        return cls.in_tokens(base, pairs, passages)

    @classmethod
    def in_tokens(cls, base: Path, pairs: list[Row], passages: list[Row]) -> Lesson:
        tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))

        def ids(texts: Sequence[str], most: int) -> list[list[int]]:
            found = tokenizer.encode_batch(list(texts), add_special_tokens=False)
            return [[START, *one.ids[: most - 2], END] for one in found]

        read = ids(
            [PASSAGE + (f"{p['context']}\n" if p["context"] else "") + p["text"] for p in passages], PASSAGE_TOKENS
        )
        asked = ids([QUERY + p["question"] for p in pairs], QUESTION_TOKENS)
        return cls(pairs, passages, asked, read)


class Network(nn.Module):
    """The mean of the states of all tokens, of length 1."""

    def __init__(self, base: Path, layers: int) -> None:
        super().__init__()
        config = json.loads((base / "config.json").read_text(encoding="utf-8"))
        self.bert = BertModel(BertConfig(**config | {"num_hidden_layers": layers}), add_pooling_layer=False)
        self.bert.load_state_dict(
            {n: w.float() for n, w in load_file(base / "model.safetensors").items()}, strict=False
        )
        self.bert.embeddings.word_embeddings.requires_grad_(False)

    def forward(self, rows: Sequence[list[int]]) -> Tensor:
        longest = max(map(len, rows))
        made = np.full((len(rows), longest), PAD, dtype=np.int64)
        for at, row in enumerate(rows):
            made[at, : len(row)] = row
        ids = torch.from_numpy(made).to(next(self.parameters()).device)
        mask = (ids != PAD).long()
        states = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state
        return functional.normalize((states * mask[..., None]).sum(1).float(), dim=-1)

    @torch.no_grad()
    def vectors(self, rows: Sequence[list[int]], a_batch: int = 512) -> Tensor:
        self.eval()
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        out = torch.zeros(len(rows), self.bert.config.hidden_size, device=next(self.parameters()).device)
        for at in range(0, len(order), a_batch):
            part = order[at : at + a_batch]
            with torch.autocast("cuda", torch.bfloat16, enabled=out.is_cuda):
                out[torch.tensor(part, device=out.device)] = self([rows[one] for one in part])
        self.train()
        return out


def train(lesson: Lesson, base: Path, plan: Plan, device: str = "cuda") -> Network:
    torch.manual_seed(plan.seed)
    network = Network(base, plan.layers).to(device).train()
    learning = [row for row, p in enumerate(lesson.pairs) if not p["development"] and p["gold"]]
    steps = plan.epochs * max(1, len(learning) // plan.questions_a_step)
    weights = [one for one in network.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=plan.rate, weight_decay=0.01)
    pace = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (_WARM_UP * steps + 1)) * max(0.05, 1 - step / steps)
    )
    started, losses = time.monotonic(), []

    def step(loss: Tensor) -> None:
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        pace.step()
        losses.append(float(loss.detach()))
        if len(losses) % 100 == 0:
            print(
                f"step {len(losses)} of {steps}: {np.mean(losses[-100:]):.3f}, {time.monotonic() - started:.0f} s",
                flush=True,
            )

    wrong = {row: lesson.pairs[row]["near"] for row in learning}
    for epoch in range(plan.epochs):
        if epoch:
            wrong = mined(network, lesson, learning)
        dice = random.Random(f"{plan.seed}-{epoch}")
        for batch in _groups(learning, plan.questions_a_step, epoch):
            step(_loss(network, lesson, batch, wrong, plan, dice, device))
    return network


def _loss(
    network: Network,
    lesson: Lesson,
    batch: Sequence[int],
    wrong: dict[int, list[int]],
    plan: Plan,
    dice: random.Random,
    device: str,
) -> Tensor:
    """Each question against the passages of all questions of the step."""
    shown: list[int] = []
    right = []
    for row in batch:
        pair = lesson.pairs[row]
        right.append(len(shown))
        hard = [one for one in wrong.get(row, ()) if one not in pair["gold"] and one not in pair["perhaps"]]
        mine = dice.sample(hard[:30], min(len(hard[:30]), round(plan.wrong_each * plan.mined_share)))
        lexical = [one for one in pair["near"] if one not in mine]
        mine += dice.sample(lexical, min(len(lexical), plan.wrong_each - len(mine)))
        shown += [dice.choice(pair["gold"]), *mine]
    known = [{*lesson.pairs[row]["gold"], *lesson.pairs[row]["perhaps"]} for row in batch]
    also = torch.tensor(
        [[one in known[a] and at != right[a] for at, one in enumerate(shown)] for a in range(len(batch))]
    )
    with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        asked = network([lesson.asked[row] for row in batch])
        read = network([lesson.read[one] for one in shown])
    scores = (asked @ read.T / _TEMPERATURE).masked_fill(also.to(asked.device), -1e4)
    return functional.cross_entropy(scores, torch.tensor(right, device=scores.device))


def mined(network: Network, lesson: Lesson, rows: Sequence[int]) -> dict[int, list[int]]:
    """The nearest passages that are wrong, and not so near that they are likely right."""
    read, asked = network.vectors(lesson.read), network.vectors([lesson.asked[row] for row in rows])
    found = {}
    for at in range(0, len(rows), 1024):
        scores = asked[at : at + 1024] @ read.T
        best, which = scores.topk(min(_DEEP, len(read)), dim=1)
        for place, row in enumerate(rows[at : at + 1024]):
            pair = lesson.pairs[row]
            bar = _ALSO_RIGHT * float(scores[place][pair["gold"]].max())
            skip = {*pair["gold"], *pair["perhaps"]}
            near = zip(best[place].tolist(), which[place].tolist(), strict=True)
            found[row] = [one for score, one in near if one not in skip and score < bar]
    return found


def figures(network: Network, lesson: Lesson) -> dict[str, float]:
    """How often an answering passage is among the nearest, of questions and pages kept for development."""
    rows = [row for row, p in enumerate(lesson.pairs) if p["development"] and p["gold"]]
    read, asked = network.vectors(lesson.read), network.vectors([lesson.asked[row] for row in rows])
    order = (asked @ read.T).topk(20, dim=1).indices.tolist()
    kinds: dict[str, list[tuple[bool, ...]]] = {}
    for row, found in zip(rows, order, strict=True):
        pair = lesson.pairs[row]
        path = lesson.passages[pair["gold"][0]]["path"]
        kind = "terms" if path.startswith("terms") else "notes" if path.startswith("notes") else "pages"
        gold = set(pair["gold"])
        kinds.setdefault(kind, []).append(tuple(bool(gold & set(found[:k])) for k in (1, 4, 8, 20)))
    return {
        f"{kind} in {k}": round(float(np.mean([one[at] for one in seen])), 3)
        for kind, seen in sorted(kinds.items())
        for at, k in enumerate((1, 4, 8, 20))
    } | {f"{kind} questions": len(seen) for kind, seen in kinds.items()}


def save(network: Network, base: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    save_file(
        {n: w.detach().cpu().half().contiguous() for n, w in network.bert.state_dict().items()},
        out / "model.safetensors",
    )
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(base / name, out / name)


def _groups(rows: Sequence[int], many: int, seed: int) -> Iterator[list[int]]:
    order = list(rows)
    random.Random(seed).shuffle(order)
    yield from (order[at : at + many] for at in range(0, max(1, len(order) - many + 1), many))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    for name in ("base", "pairs", "out"):
        parser.add_argument(name, type=Path)
    asked = parser.parse_args()
    lesson = Lesson.of(asked.base, asked.pairs)
    network = train(lesson, asked.base, Plan())
    print(figures(network, lesson))
    save(network, asked.base, asked.out)


if __name__ == "__main__":
    main()
