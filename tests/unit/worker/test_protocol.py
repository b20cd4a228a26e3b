"""What crosses the broker: it comes back as it was, and nothing else is read."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from worker.protocol import (
    Backend,
    Card,
    CaseResult,
    Finding,
    Form,
    Job,
    Kind,
    Mismatch,
    Timing,
    Verdict,
    from_json,
    to_json,
)

VERDICT = Verdict(
    "01J",
    Form.KERNEL,
    "saxpy",
    Backend.GPU,
    Kind.WRONG_ANSWER,
    card=Card("一张卡", "sm_90a", "580"),
    cases=(CaseResult({"n": 7}, "uniform", False, 2, Mismatch("y", (0, 3), 1.5, None), 1e16),),
    timing=(Timing({"n": 7}, 1.0, 0.5, 2.0, 9, None, None, 0.25, "memory"),),
    findings=(Finding("race-shared", "error", {"en": "a", "zh": "甲"}, 3, (1, 2, 3), None, {"lanes": [1, 2]}),),
    score=1.0,
)


@pytest.mark.parametrize("part", [VERDICT, Job("01J", Form.SNIPPET, "x\n\u2028", queued_by="k")])
def test_a_part_comes_back_as_it_was(part: Verdict | Job) -> None:
    assert from_json(type(part), to_json(part)) == part


def test_its_json_is_plain_in_the_order_of_the_contract_and_without_escapes() -> None:
    text = to_json(VERDICT)
    document = json.loads(text)
    assert text == json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    assert list(document)[:5] == ["submission", "form", "problem", "backend", "verdict"]
    assert '"name":"一张卡"' in text
    assert document["cases"][0]["max_error"] == 1e16


def test_nan_has_no_json() -> None:
    with pytest.raises(ValueError, match="JSON"):
        to_json(replace(VERDICT, score=float("nan")))


@pytest.mark.parametrize(
    ("key", "value", "where"),
    [
        ("verdict", "perfect", "verdict"), ("score", "high", "score"), ("score", True, "score"),
        ("extra", 1, "extra"),
        ("cases", [{"sizes": {"n": 1.5}, "values": "u", "ok": True}], "sizes"), ("timing", [{}], "timing"),
        ("form", None, "form"), ("findings", {}, "findings"),
    ],
)  # fmt: skip
def test_a_wrong_or_unknown_key_is_named(key: str, value: object, where: str) -> None:
    document = json.loads(to_json(VERDICT)) | {key: value}
    with pytest.raises(ValueError, match=where):
        from_json(Verdict, json.dumps(document))


@pytest.mark.parametrize("text", ["", "[]", "{}", "nul", '{"submission":' + "[" * 100_000, b"\xff\xfe"])
def test_noise_is_a_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        from_json(Verdict, text)
