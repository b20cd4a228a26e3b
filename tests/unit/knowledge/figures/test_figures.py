"""Questions of figures are answered exactly from the tables; every other question is left to the search."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from knowledge.figures import CARD_SHEET, answer_figures, figure, quantity_name, sheet
from worker.hardware.architectures import architectures
from worker.hardware.cards import cards

QUESTIONS = tomllib.loads((Path(__file__).parent / "questions.toml").read_text(encoding="utf-8"))
FIGURES = [(lang, *pair) for lang in ("en", "zh") for pair in QUESTIONS["figures"][lang].items()]
OTHERS = [(lang, question) for lang in ("en", "zh") for question in QUESTIONS["others"][lang]["questions"]]


@pytest.mark.parametrize(("lang", "question", "told"), FIGURES, ids=[question for _, question, _ in FIGURES])
def test_a_question_of_figures_is_answered_from_the_table(lang: str, question: str, told: str) -> None:
    answer = answer_figures(question)
    assert answer is not None
    assert told in answer.text(lang)
    assert answer.figures
    assert all(each.source.title for each in answer.figures)
    assert "{" not in answer.text("en") + answer.text("zh")


@pytest.mark.parametrize(("lang", "question"), OTHERS, ids=[question for _, question in OTHERS])
def test_another_question_is_left_to_the_search(lang: str, question: str) -> None:
    assert answer_figures(question) is None


def test_there_are_two_hundred_questions_in_equal_parts() -> None:
    assert len(FIGURES) + len(OTHERS) >= 200
    assert min(len(FIGURES), len(OTHERS)) >= 90


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.name)
def test_every_figure_of_every_card_can_be_asked_for(card: object) -> None:
    names = {"year": "year", "capability": "compute capability", "generation": "architecture", "cores": "cores"}
    names |= {"multiprocessors": "multiprocessors", "tensor_cores": "tensor cores", "boost_mhz": "boost clock"}
    names |= {"memory_gb": "memory size", "memory_kind": "memory type", "bus_bits": "bus width", "l2_mib": "L2 cache"}
    names |= {"gbit_per_s_per_pin": "memory data rate", "bandwidth_gb_per_s": "memory bandwidth", "tdp_w": "TDP"}
    for known in sheet(card):  # type: ignore[arg-type]
        wanted = names.get(known.quantity)
        if known.quantity.startswith("tflops.") and "tensor" not in known.quantity:
            wanted = f"peak {known.quantity.partition('.')[2]}"
        if wanted:
            answer = answer_figures(f"what is the {wanted} of the {known.subject}?")
            assert answer is not None, f"{wanted} of {known.subject}"
            assert answer.figures == (known,)


def test_what_the_table_lacks_is_told_and_not_guessed() -> None:
    answer = answer_figures("L2 cache of TPU v5e")
    assert answer is not None
    assert answer.figures == ()
    assert answer.missing == (("Google TPU v5e", "l2_mib"),)
    assert "no figure" in answer.text("en")


def test_a_capability_that_newer_toolkits_left_behind_is_told_so() -> None:
    answer = answer_figures("which CUDA version supports V100")
    assert answer is not None
    assert "CUDA 12.9 is the last" in answer.text("en")


def test_every_row_of_a_card_and_every_limit_has_a_name() -> None:
    for quantity in CARD_SHEET:
        for lang in ("en", "zh"):
            assert quantity_name(quantity).text(lang)
    for machine in architectures().values():
        assert figure(machine, "block_threads") is not None
