"""findings.toml: complete, in both languages, and able to speak for all who use it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from worker.diagnosis import FindingCatalogue
from worker.emulator.request import Observation
from worker.errors import ProblemError
from worker.messages import MessageError
from worker.protocol import Kind

ROOT = Path(__file__).parents[4]
FINDINGS = ROOT / "content" / "findings.toml"

CONTRACT = """out-of-bounds, misaligned, missing-bounds-check, race-shared, race-global, missing-barrier,
divergent-barrier, uninitialized-global, uninitialized-shared, uninitialized-local, const-written,
infinite-loop, uncoalesced, bank-conflict, divergence, low-occupancy, register-spill, too-few-blocks,
strided-access, double-precision-used, integer-division, tensor-cores-unused, not-vectorised,
nan-produced, precision-loss, undeclared-name, misspelt-type, non-ascii-operator, missing-semicolon,
host-call-from-device, missing-global, unbounded-array-parameter, elided-code"""


@pytest.fixture(scope="module")
def catalogue() -> FindingCatalogue:
    return FindingCatalogue.load(FINDINGS)


def test_the_promised_ids_are_there(catalogue: FindingCatalogue) -> None:
    assert {name.strip() for name in CONTRACT.split(",")} <= {entry.id for entry in catalogue}


def test_chinese_is_chinese_and_english_is_english(catalogue: FindingCatalogue) -> None:
    said_alike = {"parameter.floating", "between"}
    for name in set(catalogue.words) - said_alike:
        words = {lang: one.text for lang, one in catalogue.words[name].by_language.items()}
        assert re.search(r"[\u4e00-\u9fff]", words["zh"]), name
        assert not re.search(r"[\u4e00-\u9fff]", words["en"]), name


def test_topics_exist(catalogue: FindingCatalogue) -> None:
    topics = {
        topic["id"] for topic in yaml.safe_load((ROOT / "content" / "topics.yaml").read_text("utf-8"))["topics"]
    }
    assert {topic for entry in catalogue for topic in entry.topics} <= topics


def test_everything_that_the_emulator_reports_has_words(catalogue: FindingCatalogue) -> None:
    """Each name in a call of `report` in the emulator's source; f-strings with their known endings."""
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "worker" / "emulator").rglob("*.py"))
    reported = set(re.findall(r'report(?:_line)?\(\s*"([a-z-]+)"', source))
    assert "trap" in reported
    assert reported - {"integer-division"} <= {entry.id for entry in catalogue}


def test_what_is_missing_from_the_evidence_is_left_out_of_the_sentence(catalogue: FindingCatalogue) -> None:
    bare = catalogue.observed(Observation("out-of-bounds", 3, (1, 0, 0), (0, 0, 0)))
    full = catalogue.observed(
        Observation(
            "out-of-bounds", 3, (1, 0, 0), (0, 0, 0), {"access": "read", "buffer": "x", "index": 33, "elements": 33}
        )
    )
    assert bare.message["en"].startswith("A thread goes outside of its array.")
    assert "index 33 of x, which has 33 elements" in full.message["en"]
    assert (full.line, full.thread) == (3, (1, 0, 0))


def test_a_sentence_with_a_hole_is_refused(catalogue: FindingCatalogue) -> None:
    with pytest.raises(MessageError, match="needs name, nearest"):
        catalogue.finding("misspelt-type", 1)


def test_evidence_from_a_submission_is_kept_to_one_short_line(catalogue: FindingCatalogue) -> None:
    message = catalogue.finding("undeclared-name", 1, name="a\nb" * 500).message["en"]
    assert "\n" not in message
    assert len(message) < 200


def test_braces_in_evidence_are_not_filled_again(catalogue: FindingCatalogue) -> None:
    assert "{nearest}" in catalogue.finding("misspelt-type", 1, name="{nearest}", nearest="int").message["en"]


def test_the_fatal_findings_have_verdicts_of_the_protocol(catalogue: FindingCatalogue) -> None:
    kinds = catalogue.kinds()
    assert kinds["race-shared"] is Kind.RACE
    assert kinds["divergent-barrier"] is Kind.BARRIER
    assert "uncoalesced" not in kinds


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('id = "a"\nseverity = "error"\ntopics = ["x"]\nen = "a"', "a.zh"),
        ('id = "a"\nseverity = "bad"\ntopics = ["x"]\nen = "a"\nzh = "一"', "a.severity"),
        ('id = "a"\nseverity = "error"\ntopics = ["x"]\nen = "a"\nzh = "一"\nverdict = "no"', "a.verdict"),
        ('id = "a"\nseverity = "error"\ntopics = ["x"]\nen = "a"\nzh = "一"\nextra = 1', "a.extra"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, row: str, says: str) -> None:
    file: Any = tmp_path / "findings.toml"
    file.write_text(f'languages = ["en", "zh"]\n[[finding]]\n{row}\n', encoding="utf-8")
    with pytest.raises(ProblemError, match=re.escape(says)):
        FindingCatalogue.load(file)
