"""The reader's labels, and its training from a question to weights that the product reads."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from knowledge.ask.labelled_questions import NONE, read_labels
from knowledge.library.bert import load_weights
from knowledge.reader.model import FOLDER, Readable, Reader
from knowledge.text.sentences import Span
from tests.eval.reader.collect import Candidate, allowed_labels, gold_among, may_answer_too
from tests.eval.reader.collect import Text as Shown
from tests.eval.reader.export import export, quantized
from tests.eval.reader.pages import ALLOWED, LABELS, PACKAGES, group, page_of, read_rows
from tests.eval.reader.rows import Encoder
from tests.eval.reader.train import MOST_TOKENS, Course, Lesson, Plan, train

_HIDDEN, _INNER = 48, 96
_LONGEST_FIELD = 400
_QUESTION = "How many threads has a warp?"
_SENTENCES = ("A warp has 32 threads.", "Shared memory has 32 banks.", "Chinese pages are read too: 线程束。")


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _words(one)


def test_labels_parse_and_name_the_place_that_answers(tmp_path: Path) -> None:
    rows = read_rows(LABELS)
    assert len(rows) > 8_000
    plain = tmp_path / "labels.jsonl"
    plain.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    labels = read_labels(plain)
    assert len({label.id for label in labels}) == len(labels)
    for label, row in zip(labels, rows, strict=True):
        assert page_of(row)
        assert bool(label.gold) == (label.cell != NONE), label.id


def test_labels_hold_questions_and_places_but_no_text_of_pages() -> None:
    fields = {"id", "cell", "question", "lang", "kind", "relevant", "gold", "gold_also", "licence", "about"}
    for row in read_rows(LABELS):
        assert row.keys() <= fields
        assert all(len(word) <= _LONGEST_FIELD for word in _words(row)), row["id"]
        for gold in filter(None, (row.get("gold"), *row.get("gold_also", ()))):
            assert gold.keys() == {"path", "start", "end", "sha256"}
            assert 0 <= gold["start"] < gold["end"]
            assert len(gold["sha256"]) == 64


def test_labels_of_pages_that_forbid_it_are_not_trained_on(tmp_path: Path) -> None:
    groups = {row["licence"] for row in read_rows(LABELS)}
    assert groups > ALLOWED, "the rule has something to leave out"
    every = len(read_rows(LABELS))
    used = allowed_labels(LABELS, tmp_path)
    assert 0 < len(used) < every


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("CC BY-NC-SA 3.0 CN (stated at the foot of each post)", "NC"),
        ("CC BY-SA (LICENSE)", "SA"),
        ("LGPL-3.0 (LICENSE)", "GPL"),
        ("not stated in the repository (see NOTICE.txt)", "unstated"),
        ("see file (LICENSE)", "unstated"),
        ("", "unstated"),
        ("BSD-3-Clause, parts Apache-2.0 and MIT (LICENSE)", "Apache"),
        ("CC BY 4.0 (LICENSE.md)", "CC BY"),
        ("MIT (Copyright 2022 Maruan Al-Shedivat, 2025 Google LLC)", "MIT"),
    ],
)
def test_a_licence_belongs_to_its_strictest_group(licence: str, expected: str) -> None:
    assert group(licence) == expected
    assert group("own") == "own"


def test_every_package_that_the_labels_name_has_a_version() -> None:
    named = {page_of(row).partition("/")[0] for row in read_rows(LABELS)}
    assert {docs.name for docs in PACKAGES} <= named
    assert all(docs.version for docs in PACKAGES)


def test_gold_is_found_by_its_words_where_sentences_are_cut_in_another_way() -> None:
    text = "A warp is **32 threads**. They run together. Banks are another matter."
    shown = Shown("page.md", "", text, ((0, 25), (26, 44), (45, len(text))))
    assert gold_among(["awarpis32threads.theyruntogether."], {7: shown}) == {"7": (0, 1)}


def test_a_weight_is_off_by_half_a_step_at_most() -> None:
    weight = np.random.default_rng(1).normal(size=(5, 8)).astype(np.float32)
    stored = quantized({"encoder.layer.0.output.dense.weight": weight, "head.0.weight": weight})
    scale = stored["encoder.layer.0.output.dense.weight.scale"]
    back = stored["encoder.layer.0.output.dense.weight"] * scale[:, None]
    assert np.abs(back - weight).max() <= scale.max() / 2 + 1e-6
    assert np.array_equal(stored["head.0.weight"], weight)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A small encoder with weights by chance, in the shape that base.py writes."""
    from safetensors.torch import save_file
    from transformers import BertConfig, BertModel

    folder = tmp_path / "base"
    folder.mkdir()
    tokenizer = (FOLDER / "tokenizer.json").read_text(encoding="utf-8")
    (folder / "tokenizer.json").write_text(tokenizer, encoding="utf-8")
    config: dict[str, Any] = {
        "model_type": "bert",
        "hidden_size": _HIDDEN,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": _INNER,
        "vocab_size": len(json.loads(tokenizer)["model"]["vocab"]),
        "max_position_embeddings": 512,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
        "pad_token_id": 1,
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    bert = BertModel(BertConfig(**config), add_pooling_layer=False)
    save_file({name: one.contiguous() for name, one in bert.state_dict().items()}, folder / "model.safetensors")
    return folder


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Eight questions over three passages."""
    folder = tmp_path / "questions"
    folder.mkdir()
    text = " ".join(_SENTENCES)
    starts = [text.index(one) for one in _SENTENCES]
    spans = [(start, start + len(one)) for start, one in zip(starts, _SENTENCES, strict=True)]
    passages = [{"path": f"{at}.md", "context": "Page", "text": text, "sentences": spans} for at in range(3)]
    asked = [
        {
            "text": f"How many threads has warp {at}?",
            "pages": [f"{at % 3}.md"],
            "answerable": at < 6,
            "development": False,
            "candidates": [{"passage": one} for one in range(3)],
            "gold": {str(at % 3): [0]} if at < 6 else {},
        }
        for at in range(8)
    ]
    for name, rows in (("passages", passages), ("questions", asked)):
        with lzma.open(folder / f"{name}.jsonl.xz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    return folder


_SHORT = Course(layers=1, rate=1e-3, epochs=1)


@pytest.mark.slow
@pytest.mark.parametrize("teacher", [None, _SHORT])
def test_what_two_steps_have_made_is_read_by_the_product_as_torch_reads_it(
    base: Path, questions: Path, tmp_path: Path, teacher: Course | None
) -> None:
    import torch
    from safetensors.torch import load_file

    from tests.eval.reader.network import Network

    plan = Plan(teacher=teacher, student=_SHORT, per_batch=4, passages_each=3, workers=0, most_steps=2)
    train(base, questions, tmp_path / "trained", plan)
    export(tmp_path / "trained", tmp_path / "weights")
    text = " ".join(_SENTENCES)
    spans = [(text.index(one), text.index(one) + len(one)) for one in _SENTENCES]
    readable = Readable("Page", text, tuple(Span(*span) for span in spans))
    (found,) = Reader(tmp_path / "cache", tmp_path / "weights").read(_QUESTION, [readable])

    network = Network(base, 1).eval()
    trained = load_file(tmp_path / "trained" / "reader.safetensors")
    named = {name if name.startswith("head.") else f"bert.{name}": one for name, one in trained.items()}
    network.load_state_dict(named)
    encoder = Encoder(base, MOST_TOKENS)
    cut = encoder.cut({"path": "", "context": "Page", "text": text, "sentences": spans})
    (row,) = encoder.rows(_QUESTION, [cut])
    with torch.no_grad():
        (expected,) = network(*(torch.tensor([part]) for part in row)).numpy()
    assert found == pytest.approx(expected, abs=0.02)


def test_the_same_epoch_shows_the_same_passages_whoever_asks(base: Path, questions: Path) -> None:
    plan = Plan(teacher=None, student=_SHORT, per_batch=4, passages_each=3)
    first, second = (Lesson.read(base, questions, plan).epochs[0] for _ in range(2))
    assert len(first) == 2
    assert all(np.array_equal(first[at].ids, second[at].ids) for at in (1, 0))
    assert first[1].gold == second[1].gold


def test_a_beginners_note_may_answer_what_was_asked_of_the_note_beside_it() -> None:
    texts = [
        Shown(path, "", "", ())
        for path in ("notes/en/tiling-for-beginners.md", "notes/zh/tiling.md", "notes/en/scans.md")
    ]
    asked = [may_answer_too(Candidate(row), "notes/en/tiling.md", texts) for row in range(3)]
    assert asked == [True, True, False]


@pytest.mark.slow
def test_a_reader_goes_on_from_what_the_product_has(base: Path, questions: Path, tmp_path: Path) -> None:
    from tests.eval.reader.network import Network

    train(
        base,
        questions,
        tmp_path / "trained",
        Plan(teacher=None, student=_SHORT, per_batch=4, workers=0, most_steps=2),
    )
    export(tmp_path / "trained", tmp_path / "weights")
    begun, anew = Network(base, 1), Network(base, 1)
    begun.go_on_from(tmp_path / "weights")
    learnt = load_weights(tmp_path / "weights" / "reader.safetensors")["head.0.weight"]
    assert np.array_equal(begun.head[0].weight.detach().numpy(), learnt)
    assert not np.array_equal(anew.head[0].weight.detach().numpy(), learnt)
