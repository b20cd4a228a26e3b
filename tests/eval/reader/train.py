"""Train the reader: a teacher with all layers of the base, then a student with half of them that learns from it too.

    python -m tests.eval.reader.train BASE QUESTIONS OUT [--on WEIGHTS]

BASE is what base.py wrote, QUESTIONS what collect.py wrote; OUT gets the student in full precision. With WEIGHTS, a
folder as the product has it, there is no teacher: that student goes on learning, from labels that have come since.
"""

from __future__ import annotations

import argparse
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tests.eval.reader.rows import Batch, Batches, Encoder, stored

if TYPE_CHECKING:
    from torch import Tensor
    from torch.utils.data import Dataset

    from tests.eval.reader.network import Network

MOST_TOKENS = 256
_WARM_UP = 0.08
_SLOWEST = 0.05
"""Of the rate, at the end."""


@dataclass(frozen=True, slots=True)
class Course:
    """How long and how fast one network learns."""

    layers: int
    rate: float
    epochs: int


@dataclass(frozen=True, slots=True)
class Plan:
    teacher: Course | None = Course(layers=12, rate=6e-5, epochs=3)
    student: Course = Course(layers=6, rate=1.2e-4, epochs=4)
    per_batch: int = 12
    passages_each: int = 10
    workers: int = 8
    most_steps: int | None = None
    """Of each course; all where nothing is said."""


GO_ON = Plan(teacher=None, student=Course(layers=6, rate=8e-5, epochs=3))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    for name in ("base", "questions", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--on", type=Path, metavar="WEIGHTS", help="go on from these instead of from BASE")
    asked = parser.parse_args()
    train(asked.base, asked.questions, asked.out, GO_ON if asked.on else Plan(), asked.on)


def train(base: Path, questions: Path, out: Path, plan: Plan, begun: Path | None = None) -> None:
    """Make the student and write it down; questions kept for development are not looked at."""
    from safetensors.torch import save_file

    lesson = Lesson.read(base, questions, plan)
    teacher = lesson.learnt(plan.teacher, None) if plan.teacher else None
    student = lesson.learnt(plan.student, teacher, begun)
    out.mkdir(parents=True, exist_ok=True)
    save_file({name: one.contiguous() for name, one in student.tensors().items()}, out / "reader.safetensors")
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(base / name, out / name)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What every course learns from."""

    base: Path
    plan: Plan
    epochs: tuple[Batches, ...]

    @classmethod
    def read(cls, base: Path, folder: Path, plan: Plan) -> Lesson:
        encoder = Encoder(base, MOST_TOKENS)
        passages = [encoder.cut(row) for row in stored(folder / "passages.jsonl.xz")]
        questions = [row for row in stored(folder / "questions.jsonl.xz") if not row["development"]]
        usable = [row for row in questions if row["candidates"] or row["gold"]]
        longest = max(course.epochs for course in (plan.teacher, plan.student) if course)
        epochs = tuple(
            Batches(encoder, passages, usable, plan.per_batch, plan.passages_each, epoch)
            for epoch in range(1, longest + 1)
        )
        return cls(base, plan, epochs)

    def learnt(self, course: Course, teacher: Network | None, begun: Path | None = None) -> Network:
        import torch

        from tests.eval.reader.network import Network

        torch.manual_seed(1)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        network = Network(self.base, course.layers)
        if begun:
            network.go_on_from(begun)
        network.to(device)
        learnable = [one for one in network.parameters() if one.requires_grad]
        optimizer = torch.optim.AdamW(learnable, lr=course.rate, weight_decay=0.01)
        steps = sum(len(self.epochs[epoch]) for epoch in range(course.epochs))
        steps = min(steps, self.plan.most_steps or steps)
        pace = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _pace(step, steps))
        started, losses = time.monotonic(), []
        network.train()
        for step, batch in zip(range(1, steps + 1), self._batches(course), strict=False):
            loss = _loss(network, teacher, batch, device)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(learnable, 1.0)
            optimizer.step()
            pace.step()
            losses.append(loss.detach())
            if step % 200 == 0 or step == steps:
                mean = float(torch.stack(losses[-200:]).mean())
                print(
                    f"{course.layers} layers, step {step} of {steps}: {mean:.3f}, {time.monotonic() - started:.0f} s"
                )
        return network.eval()

    def _batches(self, course: Course) -> Iterable[Batch]:
        """Made by other processes while the card computes."""
        from torch.utils.data import DataLoader

        for epoch in self.epochs[: course.epochs]:
            shown = cast("Dataset[Batch]", epoch)  # its two methods are all that a loader asks for
            yield from DataLoader(shown, batch_size=None, num_workers=self.plan.workers, collate_fn=_as_it_is)


def _as_it_is(batch: Any) -> Any:
    """In place of torch's own way, which would take a batch apart."""
    return batch


def _pace(step: int, steps: int) -> float:
    return min(1.0, (step + 1) / (_WARM_UP * steps + 1)) * max(_SLOWEST, 1 - step / steps)


def _loss(network: Network, teacher: Network | None, batch: Batch, device: str) -> Tensor:
    import torch

    from tests.eval.reader.network import loss_of

    given = [torch.from_numpy(one).to(device) for one in (batch.ids, batch.segments, batch.sentence)]
    with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        logits = network(*given)
        with torch.no_grad():
            taught = teacher(*given) if teacher else None
    return loss_of(logits, batch, taught)


if __name__ == "__main__":
    main()
