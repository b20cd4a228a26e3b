"""Verdicts for other programs: each format as its readers parse it, hostile names and texts included."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from knowledge.words import read_languages
from tests.integration.web.stage import RIGHT, WRONG, judged
from warpmate.commands.submit import EXIT_CODES
from warpmate.verdict_formats import as_github, as_junit, as_sarif
from warpmate.watched_file import saves
from worker.protocol import Backend, Form, Job, Kind, Verdict

ENGLISH = read_languages("terminal")["en"]


def verdict(source: str) -> Verdict:
    return judged(Job("01JD0000000000000000000000", Form.KERNEL, source, "vector_add"))


def test_sarif_has_each_finding_at_its_line() -> None:
    log = json.loads(as_sarif(verdict(WRONG), WRONG, "src/k.cu", ENGLISH, "0.1.0"))
    (run,) = log["runs"]
    assert (log["version"], run["tool"]["driver"]["name"]) == ("2.1.0", "warpmate")
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (result["ruleId"], result["level"]) == ("missing-bounds-check", "error")
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("src/k.cu", 3)
    assert run["tool"]["driver"]["rules"] == [{"id": "missing-bounds-check"}]


def test_an_accepted_kernel_has_nothing_against_it_in_any_format() -> None:
    good = verdict(RIGHT)
    assert json.loads(as_sarif(good, RIGHT, "k.cu", ENGLISH, "0"))["runs"][0]["results"] == []
    suite = Xml.fromstring(as_junit(good, RIGHT, "k.cu", ENGLISH))
    assert (suite.get("failures"), suite.get("errors")) == ("0", "0")
    assert "::" not in as_github(good, RIGHT, "k.cu", ENGLISH)


def test_a_bad_verdict_without_a_finding_is_a_result_all_the_same() -> None:
    bare = Verdict("01", Form.KERNEL, "vector_add", Backend.EMULATOR, Kind.TIMEOUT)
    (result,) = json.loads(as_sarif(bare, WRONG, "k.cu", ENGLISH, "0"))["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("verdict-timeout", "error")
    assert as_github(bare, WRONG, "k.cu", ENGLISH).startswith("::error file=k.cu,line=1,title=verdict-timeout::")


def test_junit_has_a_test_for_each_case_and_one_for_the_verdict() -> None:
    suite = Xml.fromstring(as_junit(verdict(WRONG), WRONG, 'a"<b>\x01.cu', ENGLISH))
    tests = suite.findall("testcase")
    assert (suite.get("tests"), suite.get("failures"), len(tests)) == ("3", "2", 3)
    failure = tests[0].find("failure")
    assert failure is not None
    assert "missing-bounds-check" in (failure.text or "")
    assert [test.get("name") for test in tests[1:] if test.find("failure") is not None] == ["n=33 uniform"]


def test_nothing_in_a_name_or_a_text_becomes_a_command_of_githubs() -> None:
    said = as_github(verdict(WRONG), WRONG, "a,b:c\n::stop-commands::x.cu", ENGLISH)
    commands = [line for line in said.split("\n") if line.startswith("::")]
    assert len(commands) == 1
    assert commands[0].startswith("::error file=a%2Cb%3Ac%0A%3A%3Astop-commands%3A%3Ax.cu,line=3,title=")


def test_every_tone_of_a_verdict_has_an_exit_code() -> None:
    assert EXIT_CODES == {"good": 0, "bad": 1, "warn": 2}


@pytest.mark.parametrize("how", ["in place", "by exchange", "after it was away"])
async def test_a_watched_file_is_read_at_every_save_and_at_no_other_time(tmp_path: Path, how: str) -> None:
    file = tmp_path / "k.cu"
    file.write_bytes(b"one")
    watched = saves(file)
    assert await anext(watched) == b"one"
    following = asyncio.ensure_future(anext(watched))
    if how == "in place":
        file.write_bytes(b"two")
    else:
        if how == "after it was away":
            file.unlink()
        (tmp_path / "new").write_bytes(b"two")
        (tmp_path / "new").replace(file)
    assert await asyncio.wait_for(following, 10) == b"two"
    again = asyncio.ensure_future(anext(watched))
    file.touch()  # saved as it was
    file.write_bytes(b"three")
    assert await asyncio.wait_for(again, 10) == b"three"
