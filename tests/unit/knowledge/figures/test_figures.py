"""Questions of figures are answered exactly from the tables; every other question is left to the search."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from knowledge.figures import CARD_SHEET, answer_figures, correct_figures, figure, quantity_name, sheet
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


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("H100 有 144 个 SM 对吧，我按144算wave了", "132"),
        ("Which flag lets me launch 2048 threads in a single block on A100?", "1024"),
    ],
)
def test_another_number_that_a_question_takes_for_granted_is_corrected(question: str, told: str) -> None:
    answer = correct_figures(question)
    assert answer is not None
    assert told in answer.text("en")


@pytest.mark.parametrize(
    "question",
    [
        "An H100 has 132 SMs, so how many waves are 400 blocks?",
        "Since an H200 has a bandwidth of 4.8 TB/s, how long does 1 GB take?",
        "Ridge point of an A100 40GB? Use 312 TFLOPS and a bandwidth of 1555 GB/s.",
        "My H100 runs 2 blocks with 100 registers, why is occupancy low?",
    ],
)
def test_a_number_that_is_right_or_of_something_else_is_left_alone(question: str) -> None:
    assert correct_figures(question) is None


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
