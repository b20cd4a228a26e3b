"""Commands that read and remember: what they print as JSON, what they say when they cannot, their exit codes."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.integration.warpmate.cli import Home
from warpmate.edition import edition

pytestmark = pytest.mark.slow


READING = {"resource_id", "title", "url", "lang", "level", "minutes", "kind", "topics", "why"}


def test_what_a_program_reads_is_not_folded(empty: Home) -> None:
    items = empty.json("recommend", "beginner", "cuda")["items"]
    shown = empty.say("recommend", "beginner", "cuda")
    assert [item["title"] for item in items if item["title"] not in shown] == []
    assert [item["resource_id"] for item in items if (item["url"] or item["resource_id"]) not in shown] == []


def test_of_a_member_nobody_knows_nothing_is_remembered(empty: Home) -> None:
    assert empty.say("progress", "--member", "local:nobody") == "Nothing is remembered about local:nobody yet.\n"
    assert "local:nobody" in empty.say("progress", "--member", "local:nobody", "--lang", "zh")


def test_the_version_is_that_of_the_package_and_of_the_commit(empty: Home) -> None:
    said = empty.say("--version")
    assert said == f"warpmate {edition()}\n"
    assert re.fullmatch(rf"warpmate {re.escape(version('warpmate'))}( \([0-9a-f]{{12}}(\+changes)?\))?\n", said)


def test_recommend_gives_at_most_five_readings(home: Home) -> None:
    found = home.json("recommend", "beginner", "cuda")
    assert found["level"] == "beginner"
    assert 1 <= len(found["items"]) <= 5
    assert all(set(item) >= READING and item["why"] for item in found["items"])


LISTS = [("recommend", "入门", "共享内存"), ("path", "共享内存"), ("problems", "list"), ("resource", "list")]


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
def test_a_chinese_list_says_levels_in_chinese(empty: Home, command: tuple[str, ...]) -> None:
    words = {"beginner": "入门", "intermediate": "中级", "advanced": "高级"}
    cells = re.compile(rf"(?:│ |\()({'|'.join([*words, *words.values()])})(?: +│|,)")
    for lang in ("en", "zh"):
        shown = next(value for value in empty.json(*command, "--lang", lang).values() if isinstance(value, list))
        said = [item["level"] if lang == "en" else words[item["level"]] for item in shown]
        assert sorted(cells.findall(empty.say(*command, "--lang", lang))) == sorted(said) != []


def test_an_unknown_topic_names_the_nearest(home: Home) -> None:
    assert "the nearest are: CUDA graphs" in home.refusal("recommend", "beginner", "cudagraf")
    assert "To begin with there are" in home.refusal("recommend", "beginner", "basket weaving")


@pytest.mark.parametrize("option", [("--lang", "zh"), ("--lang=zh",)], ids=" ".join)
def test_an_error_is_told_in_the_language_of_the_reply(empty: Home, option: tuple[str, ...]) -> None:
    assert "no topic is called" in empty.refusal("path", "basket weaving")
    assert "没有" in empty.refusal("path", "basket weaving", *option)


def test_path_orders_steps(home: Home) -> None:
    way = home.json("path", "gemm")
    assert way["steps"]
    assert all(set(step) >= READING for step in way["steps"])


def test_what_was_read_is_remembered_shown_exported_and_forgotten(home: Home) -> None:
    member = ("--member", "local:grace")
    first = home.json("recommend", "beginner", "cuda", *member)["items"][0]["resource_id"]
    home.json("remember", "read", first, *member)
    assert first not in [item["resource_id"] for item in home.json("recommend", "beginner", "cuda", *member)["items"]]
    assert any(topic["done"] for topic in home.json("progress", *member)["topics"])
    assert json.loads(home.say("db", "export", "local:grace"))["reading_events"][0]["item"] == first
    assert home.json("db", "forget", "local:grace")["removed"]
    assert "nothing is stored" in home.refusal("db", "export", "local:grace")


def test_problems_are_listed_and_shown(empty: Home) -> None:
    slugs = [problem["slug"] for problem in empty.json("problems", "list")["problems"]]
    assert "vector_add" in slugs
    shown = empty.json("problems", "show", "vector_add")
    assert set(shown["statement"]) == {"en", "zh"}
    assert "no problem is called" in empty.refusal("problems", "show", "no_such")


@pytest.mark.needs("bubblewrap")
def test_submit_ends_in_a_verdict_whatever_it_is(empty: Home, tmp_path: Path) -> None:
    (tmp_path / "kernel.cu").write_text("__global__ void k(flaot* x) {}\n")
    verdict = empty.json("submit", str(tmp_path / "kernel.cu"), "--backend", "compile")
    assert verdict["verdict"] == "compile_error"
    assert {"submission", "form", "backend", "compile", "findings", "stages_ms", "protocol"} <= set(verdict)


@pytest.mark.needs("bubblewrap")
def test_a_card_that_this_machine_lacks_is_refused_at_once(empty: Home, tmp_path: Path) -> None:
    """Nobody is left waiting for a worker that will never come; an emulator stands for a machine without a card."""
    (tmp_path / "kernel.cu").write_text("__global__ void k(float* x) {}\n")
    told = empty.refusal("submit", str(tmp_path / "kernel.cu"), "--backend", "gpu", WARPMATE_JUDGE_BACKEND="emulator")
    assert "No GPU worker is connected" in told


def test_a_worker_without_a_broker_says_what_to_set(empty: Home) -> None:
    assert "WARPMATE_REDIS_URL" in empty.refusal("worker")
    assert "does not answer" in empty.refusal("worker", "--health", WARPMATE_REDIS_URL="redis://127.0.0.1:1/0")


@pytest.mark.parametrize(
    "arguments",
    [(), ("ask",), ("search", "x", "-k", "0"), ("resource", "list", "--state", "lost"), ("eval",), ("index", "add"),
     ("gaps", "--days", "0"), ("problems", "nothing"), ("submit", "no-such-file.cu"), ("recommend",)],
)  # fmt: skip
def test_wrong_usage_is_exit_code_2(empty: Home, arguments: tuple[str, ...]) -> None:
    done = empty.run(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_term_is_defined_by_any_of_its_names_in_both_languages(tmp_path: Path) -> None:
    home = Home(tmp_path / "data")
    told = home.json("define", "访存合并")
    assert (told["slug"], told["note"]) == ("coalesced-access", "note:coalescing")
    assert told == home.json("define", "合并访问")
    shown = home.say("define", "warps", "--lang", "zh")
    assert "线程束（warp）是" in shown
    assert "来源：CUDA C++ Programming Guide https://" in shown
    assert "bank conflict" in home.refusal("define", "bank conflit")


def test_cards_are_compared_on_the_command_line_in_both_languages(tmp_path: Path) -> None:
    home = Home(tmp_path / "data")
    told = home.json("card", "h100", "rtx 4090")
    assert told["cards"] == ["NVIDIA H100 SXM", "NVIDIA GeForce RTX 4090"]
    bandwidth = next(row for row in told["rows"] if row["quantity"] == "bandwidth_gb_per_s")
    assert [each["value"] for each in bandwidth["figures"]] == [3350, 1008]
    assert all(each["source"]["title"] for row in told["rows"] for each in row["figures"] if each)
    shown = home.say("card", "h100", "--lang", "zh")
    assert "显存带宽" in shown
    assert "[1] NVIDIA H100 Tensor Core GPU architecture whitepaper https://" in shown
    assert "NVIDIA H200" in home.refusal("card", "h900")
    assert "one to 4" in home.refusal("card", "h100", "h200", "a100", "t4", "l4")
