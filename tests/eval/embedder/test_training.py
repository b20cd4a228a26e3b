"""The training of an embedder, at the size of a toy: real torch, a base of one layer made on the spot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.eval.embedder.train import Lesson, Network, Plan, train
from tests.eval.reader.base import tokenizer_of

torch = pytest.importorskip("torch")

WORDS = ("warp", "bank", "stream", "cache", "what", "is", "a", "group", "of", "threads", "memory", "queue", "near")
PAGES = ("group of threads", "memory a bank", "queue of a stream", "near memory cache")
ASKED = ("what is a warp", "what is a bank", "what is a stream", "what is a cache")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    from safetensors.torch import save_file
    from transformers import BertConfig, BertModel

    pieces = [(special, 0.0) for special in ("<s>", "<pad>", "</s>", "<unk>")]
    pieces += [(f"▁{word}", -1.0) for word in (*WORDS, "query:", "passage:")]
    tokenizer_of(pieces).save(str(tmp_path / "tokenizer.json"))
    shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    config = shape | {"vocab_size": len(pieces), "max_position_embeddings": 64, "pad_token_id": 1}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    torch.manual_seed(3)
    made = BertModel(BertConfig(**config), add_pooling_layer=False)
    save_file(made.state_dict(), tmp_path / "model.safetensors")
    return tmp_path


def lesson_of(base: Path) -> Lesson:
    pairs = [
        {"question": one, "gold": [at], "near": [other for other in range(4) if other != at], "perhaps": []}
        | {"development": False}
        for at, one in enumerate(ASKED)
    ]
    passages = [
        {"path": f"{at}.md", "context": "", "text": text, "development": False} for at, text in enumerate(PAGES)
    ]
    return Lesson.in_tokens(base, pairs, passages)


def ranked_first(network: Network, lesson: Lesson) -> int:
    best = (network.vectors(lesson.asked) @ network.vectors(lesson.read).T).argmax(dim=1).tolist()
    return sum(found == at for at, found in enumerate(best))


def test_questions_come_near_the_passages_that_answer_them(base: Path) -> None:
    lesson = lesson_of(base)
    before = ranked_first(Network(base, 1), lesson)
    plan = Plan(layers=1, epochs=40, rate=5e-3, questions_a_step=4, wrong_each=3)
    assert before < 4
    assert ranked_first(train(lesson, base, plan, "cpu"), lesson) == 4


def test_the_table_of_words_stays_as_it_was(base: Path) -> None:
    network = train(lesson_of(base), base, Plan(layers=1, epochs=2, questions_a_step=4), "cpu")
    kept = Network(base, 1).bert.embeddings.word_embeddings.weight
    assert torch.equal(network.bert.embeddings.word_embeddings.weight, kept)
