"""A verdict as other programs read it: SARIF for code scanning, JUnit for test reports, GitHub's own commands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as Xml

from knowledge.submit.report import Report, report_of, tone_of
from knowledge.words import Language
from worker.protocol import Verdict

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "hint": "note"}
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to say about the file."""

    rule: str
    level: str
    text: str
    line: int


def remarks(verdict: Verdict, report: Report) -> Iterator[Remark]:
    """Yield every finding, and the verdict itself where it is bad and no error says why."""
    found = [
        Remark(one.finding.id, _LEVELS[one.finding.severity], one.text, one.line or 1) for one in report.explanations
    ]
    if tone_of(verdict.verdict) != "good" and not any(one.level == "error" for one in found):
        wrong = report.cases.wrong[0].text if report.cases and report.cases.wrong else ""
        said = (report.headline.word, report.headline.explanation, wrong, report.compiler_log)
        yield Remark(f"verdict-{verdict.verdict.value}", "error", "\n".join(filter(None, said)), 1)
    yield from found


def as_sarif(verdict: Verdict, source: str, file: str, language: Language, version: str) -> str:
    """Return a SARIF 2.1.0 log with one run."""
    said = list(remarks(verdict, report_of(verdict, source, language)))
    results: list[dict[str, Any]] = [
        {
            "ruleId": one.rule,
            "level": one.level,
            "message": {"text": one.text},
            "locations": [
                {"physicalLocation": {"artifactLocation": {"uri": file}, "region": {"startLine": one.line}}}
            ],
        }
        for one in said
    ]
    rules = [{"id": rule} for rule in dict.fromkeys(one.rule for one in said)]
    driver = {"name": "warpmate", "version": version, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "results": results,
        "properties": {"verdict": verdict.verdict.value, "submission": verdict.submission},
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def as_junit(verdict: Verdict, source: str, file: str, language: Language) -> str:
    """Return a JUnit report: a test for each case, and one for the verdict, which holds what was found."""
    report = report_of(verdict, source, language)
    tone, cases = tone_of(verdict.verdict), report.cases.lines if report.cases else ()
    bad = sum(not case.ok for case in cases) + (tone == "bad")
    suite = Xml.Element("testsuite", name=_plain(f"warpmate {file}"), tests=str(len(cases) + 1), failures=str(bad))
    suite.set("errors", str(int(tone == "warn")))
    whole = Xml.SubElement(suite, "testcase", classname=_plain(file), name="verdict")
    said = "\n".join(f"{file}:{one.line}: {one.rule}: {one.text}" for one in remarks(verdict, report))
    if tone != "good":
        kind = "failure" if tone == "bad" else "error"
        trouble = Xml.SubElement(whole, kind, type=verdict.verdict.value, message=_plain(report.headline.word))
        trouble.text = _plain(said)
    elif said:
        Xml.SubElement(whole, "system-out").text = _plain(said)
    for case in cases:
        sizes = ", ".join(f"{name}={size}" for name, size in case.sizes.items())
        test = Xml.SubElement(suite, "testcase", classname=_plain(file), name=_plain(f"{sizes} {case.values}"))
        if not case.ok:
            Xml.SubElement(test, "failure", message=_plain(case.text)).text = _plain(case.text)
    Xml.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(suite, encoding="unicode")


def as_github(verdict: Verdict, source: str, file: str, language: Language) -> str:
    """Return workflow commands, which GitHub shows at their lines, and the verdict as a line of the log."""
    report = report_of(verdict, source, language)
    at = f"file={_property(file)}"
    lines = [
        f"::{_COMMANDS[one.level]} {at},line={one.line},title={_property(one.rule)}::{_data(one.text)}"
        for one in remarks(verdict, report)
    ]
    verdict_line = language("verdict.line", word=report.headline.word, backend=report.headline.ran_on)
    return "\n".join([*lines, " ".join(verdict_line.split())])


def _data(text: str) -> str:
    """Escape as GitHub's runner reads it: nothing in a message of ours begins a command of its own."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _plain(text: str) -> str:
    """Return the text without what XML cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", text)
