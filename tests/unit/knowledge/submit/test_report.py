"""A verdict in parts, once for all faces and in any language that has words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knowledge.submit.report import NextStep, report_of
from knowledge.words import ENGLISH, FOLDER, core_languages, read_languages
from worker.protocol import Kind, Verdict, from_json, to_json

SOURCE = "__global__ void reduce_sum(const float* x, float* out, int n) {\n    out[0] = x[0];\n}\n"

STORED = {
    "submission": "01JD", "form": "kernel", "problem": "reduce_sum", "backend": "gpu", "verdict": "wrong_answer",
    "card": {"name": "NVIDIA H200", "arch": "sm_90a", "driver": "580.159.04"},
    "compile": {"ok": True, "log": "", "cached": False, "ms": 21.3, "kernels": [
        {"name": "reduce_sum", "registers": 16, "spill_bytes": 0, "shared_bytes": 1024, "occupancy": 1.0}]},
    "cases": [
        {"sizes": {"n": 1}, "values": "zeros", "ok": True, "mismatches": 0, "first": None, "max_error": 0.0},
        {"sizes": {"n": 1000}, "values": "uniform", "ok": True, "mismatches": 0, "first": None, "max_error": 0.0},
        {"sizes": {"n": 33}, "values": "uniform", "ok": False, "mismatches": 1, "max_error": 0.947,
         "first": {"output": "out", "index": [0], "expected": -0.947, "got": 0.0}}],
    "timing": [{"sizes": {"n": 67108864}, "median_us": 71.2, "p10_us": 70.9, "p90_us": 72.0, "runs": 20,
                "gb_per_s": 3770.0, "gflop_per_s": None, "attainable_fraction": 0.87, "bound": "memory"}],
    "prediction": None,
    "findings": [{"id": "wrong-launch-arguments", "severity": "error", "line": 2, "thread": [32, 0, 0],
                  "block": [0, 0, 0], "message": {"en": "It takes a pointer.", "zh": "参数是指针。"},
                  "evidence": {"kernel": "reduce_sum", "expected": "a pointer", "lanes": 3},
                  "readings": [{"resource_id": "note:reductions", "title": "Reductions", "topics": ["reduction"]}]}],
    "output": "hello\n", "score": None, "rank": None, "stages_ms": {"queued": 3.0}, "protocol": 1,
}  # fmt: skip
"""As databases hold it since the first version of the protocol, when evidence was text."""


def stored(**changes: object) -> Verdict:
    return from_json(Verdict, json.dumps({**STORED, **changes}))


def test_a_verdict_of_protocol_version_one_is_still_read() -> None:
    verdict = stored()
    assert verdict.findings[0].evidence["expected"] == "a pointer"
    assert from_json(Verdict, to_json(verdict)) == verdict


@pytest.mark.parametrize(
    ("lang", "wrong", "summary"),
    [
        (
            "en",
            "n=33, uniform: out[0]: your kernel gives 0, right is -0.947",
            "2 of 3 cases right; largest size tried: n=1000 (NVIDIA H200)",
        ),
        (
            "zh",
            "n=33, uniform: out[0]：你的核函数得到 0，正确值是 -0.947",
            "3 个用例中通过 2 个；试过的最大规模：n=1000（NVIDIA H200）",
        ),
    ],
)
def test_a_wrong_case_says_which_number_is_whose(lang: str, wrong: str, summary: str) -> None:
    cases = report_of(stored(), SOURCE, core_languages()[lang]).cases
    assert cases is not None
    assert [case.text for case in cases.wrong] == [wrong]
    assert (cases.right, cases.summary) == (2, summary)
    assert not cases.lines[0].ok


def test_every_part_of_a_verdict_is_there() -> None:
    report = report_of(stored(), SOURCE, core_languages()["zh"])
    assert (report.headline.word, report.headline.tone, report.headline.ran_on) == ("答案错误", "bad", "NVIDIA H200")
    (explanation,) = report.explanations
    assert (explanation.text, explanation.line) == ("参数是指针。", 2)
    assert [number for number, _ in explanation.excerpt] == [1, 2, 3]
    (timing,) = report.timing
    assert (timing.median_us, timing.gb_per_s, timing.gflop_per_s, timing.attainable) == ("71.2", "3770", "", "87%")
    assert report.output == "hello"
    assert report.next_steps == (NextStep.READ, NextStep.AGAIN, NextStep.HINTS, NextStep.CODE, NextStep.SHARE)


def test_a_line_that_the_source_does_not_have_is_not_named() -> None:
    assert report_of(stored(), "one line", core_languages()["en"]).explanations[0].line is None


@pytest.mark.parametrize("kind", [Kind.INFRASTRUCTURE_ERROR, Kind.CANCELLED, Kind.HELD])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_verdict_without_a_finding_says_what_to_make_of_it(kind: Kind, lang: str) -> None:
    headline = report_of(stored(verdict=kind.value, findings=[]), SOURCE, core_languages()[lang]).headline
    assert headline.tone == "warn"
    assert headline.explanation


def test_an_accepted_verdict_is_not_asked_to_try_again() -> None:
    report = report_of(stored(verdict="accepted", findings=[], cases=[]), SOURCE, core_languages()["en"])
    assert report.next_steps == (NextStep.CODE, NextStep.SHARE)
    assert report.cases is None


def test_another_language_is_a_folder_of_words(tmp_path: Path) -> None:
    for file in (FOLDER / ENGLISH).iterdir():
        (tmp_path / ENGLISH).mkdir(exist_ok=True)
        (tmp_path / ENGLISH / file.name).write_bytes(file.read_bytes())
    (tmp_path / "de").mkdir()
    words = '[verdict]\nwrong_answer = "falsche Antwort"\nwrong_element = "{place} ist {got}, erwartet {expected}"\n'
    (tmp_path / "de" / "shared.toml").write_text(words, encoding="utf-8")
    report = report_of(stored(), SOURCE, read_languages(folder=tmp_path)["de"])
    assert report.headline.word == "falsche Antwort"
    assert report.cases is not None
    assert report.cases.wrong[0].text == "n=33, uniform: out[0] ist 0, erwartet -0.947"
    assert report.explanations[0].text == "It takes a pointer."
