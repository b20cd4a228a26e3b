"""Learn what a message asks for, and measure it on what was kept aside.

    python -m tests.eval.intents.fit MODELS

MODELS is a folder for the models' graphs, such as `models` of a data directory. Writes
knowledge/ask/learned_intents.json and prints the table of docs/ask.md. Takes some three minutes on one core, most of
them to encode 14,000 messages.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from knowledge.ask.intents import Intent
from knowledge.ask.learned_intents import FAMILIES, FILE, Encoders, Floats, LinearModel, model_of, told
from knowledge.content import load_content
from knowledge.library.embed import open_embedder
from knowledge.reader.model import Reader
from tests.eval.intents.sentences import Said, kept_aside, labelled, to_learn
from tests.folders import CONTENT

_PENALTY = 2.5e-6
"""On the squares of the weights; chosen among a few by questions of the reader that were not learnt from."""
_STEPS = 150
_FAMILY: dict[Intent, int] = {intent: number for number, family in enumerate(FAMILIES) for intent in family}


def main() -> None:
    models = Path(sys.argv[1])
    encoders = Encoders(Reader(models), open_embedder(cache=models), load_content(CONTENT).glossary)
    said = [*to_learn(), *(Said("question", text) for text in labelled(to_learn=True))]
    model = learnt(_encoded(encoders, [one.text for one in said]), [one.intent for one in said])
    row = {"version": encoders.version, **model.as_json()}
    FILE.write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")
    report(model_of(row), encoders)


def _encoded(encoders: Encoders, texts: Sequence[str]) -> Floats:
    return np.array([encoders.encoded(text) for text in texts])


def learnt(encoded: Floats, intents: Sequence[Intent]) -> LinearModel:
    """The weights under which the intents are likeliest."""
    import torch

    names = tuple(sorted(set(intents)))
    center, spread = encoded.mean(axis=0), encoded.std(axis=0) + 1e-3
    given = torch.from_numpy((encoded - center) / spread)
    right = torch.tensor([names.index(intent) for intent in intents])
    weights = torch.zeros(len(names), given.shape[1], requires_grad=True)
    bias = torch.zeros(len(names), requires_grad=True)
    optimiser = torch.optim.LBFGS([weights, bias], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(given @ weights.T + bias, right)
        loss = loss + _PENALTY * given.shape[1] * weights.square().sum()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimiser.step(closure)  # type: ignore[no-untyped-call]
    return LinearModel(names, center, spread, weights.detach().numpy(), bias.detach().numpy())


def report(model: LinearModel, encoders: Encoders) -> None:
    said = list(kept_aside())
    taken = [told(model.shares(row)) for row in _encoded(encoders, [one.text for one in said])]
    pairs = list(zip((one.intent for one in said), taken, strict=True))
    asked, found = Counter(one.intent for one in said), Counter(taken)
    right = Counter(intent for intent, as_what in pairs if intent == as_what)
    family = Counter(intent for intent, as_what in pairs if _FAMILY.get(intent) == _FAMILY.get(as_what))
    left = Counter(intent for intent, as_what in pairs if as_what == "question")
    print("| intent | kept aside | precision | recall | of the family | taken for questions |")
    print("| --- | --- | --- | --- | --- | --- |")
    for intent in asked:
        precision = right[intent] / max(found[intent], 1)
        shares = (f"{of[intent] / asked[intent]:.2f}" for of in (right, family, left))
        print(f"| `{intent}` | {asked[intent]} | {precision:.2f} | {' | '.join(shares)} |")
    for one, as_what in zip(said, taken, strict=True):
        if one.intent == "question" and as_what != "question":
            print(f"caught: {as_what}: {one.text}")
    others = list(labelled(to_learn=False))
    caught = [
        (text, as_what)
        for text, row in zip(others, _encoded(encoders, others), strict=True)
        if (as_what := told(model.shares(row))) != "question"
    ]
    print(f"{len(caught)} of {len(others)} labelled questions caught", *caught, sep="\n")


if __name__ == "__main__":
    main()
