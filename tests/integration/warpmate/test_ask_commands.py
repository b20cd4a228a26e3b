"""What asking, searching and measuring say on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knowledge.ask.answer import Answer, Excerpt
from tests.integration.warpmate.cli import Home
from tests.integration.warpmate.three_pages import ADDRESS, PAGES
from warpmate.commands.ask import show

pytestmark = pytest.mark.slow
READING = {"resource_id", "title", "url", "lang", "level", "minutes", "kind", "topics", "why"}


def test_ask_answers_with_excerpts_that_stand_in_their_page(home: Home) -> None:
    answer = home.json("ask", "What is coalescing of global memory reads?")
    assert {"status", "lang", "excerpts", "citations", "composed", "readings", "timings_ms"} <= set(answer)
    assert (answer["status"], answer["lang"]) == ("answered", "en")
    numbers = {citation["n"] for citation in answer["citations"]}
    pages = {" ".join(text.split()) for _, _, text in PAGES.values()}
    assert answer["excerpts"]
    for part in answer["excerpts"]:
        assert set(part) == {"text", "marked", "citation"}
        assert part["citation"] in numbers
        assert any(" ".join(part["text"].split()) in page for page in pages)
        assert all(0 <= start < end <= len(part["text"]) for start, end in part["marked"])
    assert all({"n", "resource_id", "url", "title", "section", "path"} <= set(each) for each in answer["citations"])


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "This may be it; I am not certain."), ("zh", "这可能就是答案，但没有把握。")]
)
def test_an_uncertain_answer_says_so_on_the_command_line(
    capsys: pytest.CaptureFixture[str], lang: str, said: str
) -> None:
    excerpt = Excerpt("A warp has 32 threads.", 0, (), 1)
    for status in ("perhaps", "answered"):
        show(Answer(status, lang, "", (excerpt,)))
        shown = capsys.readouterr().out
        assert (said in shown) is (status == "perhaps")
        assert "A warp has 32 threads. [1]" in shown


def test_ask_refuses_what_the_library_does_not_know_and_offers_readings(home: Home) -> None:
    answer = home.json("ask", "Who owns the patent on CUDA streams?")
    assert (answer["status"], answer["excerpts"]) == ("refused", [])
    assert all(set(reading) >= READING for reading in answer["readings"])


def test_a_refusal_at_the_terminal_names_every_reading(home: Home) -> None:
    question = "Who owns the patent on CUDA streams?"
    readings = home.json("ask", question)["readings"]
    lines = home.say("ask", question).splitlines()
    assert readings
    assert [line for line in lines if line.startswith("  → ")] == [
        f"  → {reading['title']}  {reading['url'] or reading['resource_id']}" for reading in readings
    ]


def test_ask_answers_a_chinese_question_in_chinese(home: Home) -> None:
    assert home.json("ask", "什么是存储体冲突？")["lang"] == "zh"


def test_search_ranks_passages(home: Home) -> None:
    hits = home.json("search", "存储体冲突", "-k", "2")["results"]
    assert [hit["rank"] for hit in hits] == list(range(1, len(hits) + 1))
    assert {"rank", "score", "url", "path", "title", "section", "lang", "kind", "text"} <= set(hits[0])
    assert hits[0]["path"] == "bank.md"


def test_an_empty_question_is_one_line(home: Home) -> None:
    assert "no question in that" in home.refusal("ask", "   ")
    assert "没有看到问题" in home.refusal("ask", "   ", "--lang", "zh")


def test_gaps_group_what_was_left_open_and_name_nobody(home: Home) -> None:
    found = home.json("gaps")
    assert (found["days"], found["gaps"]) == (7, [])


def test_eval_measures_a_mirror_alone(home: Home, mirror: Path, tmp_path: Path) -> None:
    questions = [
        {"id": "1", "cell": "en-en", "question": "What is coalescing?", "lang": "en", "relevant": ["coalescing.md"]},
        {"id": "2", "cell": "zh-zh", "question": "什么是存储体冲突？", "lang": "zh",
         "relevant": [f"{ADDRESS}/bank.md"]},
        {"id": "3", "cell": "none", "question": "How long must sourdough rest?", "lang": "en", "relevant": []},
        {"id": "4", "first": "What is a barrier?", "second": "and in a branch?", "relevant": ["barriers.md"]},
    ]  # fmt: skip
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, questions)), encoding="utf-8")
    before = home.json("index", "status")["index"]["generation"]
    report = home.json("eval", str(file), "--mirror", str(mirror))
    assert set(report["cells"]) == {"en-en", "zh-zh", "followup"}
    assert all(set(cell) == {"hit@1", "hit@3", "hit@5", "ndcg@10", "n"} for cell in report["cells"].values())
    assert report["cells"]["zh-zh"]["hit@1"] == 1.0
    assert set(report["answers"]) == {
        "citation_support", "gold_in_reply", "gold_marked@3", "gold_sentence@3", "false_answers", "false_refusals",
        "marks_beside_gold", "excerpts_beside_gold", "refused_unanswerable", "perhaps_unanswerable",
        "perhaps_answerable", "lost_answers",
        "chars_p50", "p50_ms", "p95_ms",
    }  # fmt: skip
    assert report["answers"]["citation_support"] == 1.0
    assert home.json("index", "status")["index"]["generation"] == before, "the library itself is left alone"


@pytest.mark.parametrize("text", ["", "{not json", '{"id": "1", "cell": "en-en"}'])
def test_questions_that_are_none_are_refused(empty: Home, tmp_path: Path, text: str) -> None:
    (tmp_path / "questions.jsonl").write_text(text)
    assert "questions.jsonl" in empty.refusal("eval", str(tmp_path / "questions.jsonl"))
    assert empty.refusal("eval", str(tmp_path / "no-such.jsonl"))
