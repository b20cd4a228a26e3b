"""What the compiler said, in words that help.

What shows in the source itself (a Markdown fence, full-width punctuation) is looked for before the messages, because
it explains whole cascades of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from worker.diagnosis.by_sight import by_sight
from worker.diagnosis.catalogue import Catalogue
from worker.diagnosis.found import CompilerError, Context
from worker.diagnosis.rules import by_rule
from worker.diagnosis.source import Source
from worker.protocol import Finding

MAX_FINDINGS = 3

_MESSAGE = re.compile(
    r"^(?:kernel\.cu\((?P<line>\d+)\)|At end of source|(?P<launch>__nv_name_map\(\d+\))|[^\s(]+\(\d+\))"
    r": (?:catastrophic )?error: (?P<text>.+)$",
    re.MULTILINE,
)
_ASSEMBLER = re.compile(
    r"^ptxas (?:application ptx input, line \d+; )?(?:error|fatal)\s*:\s*(?P<text>.+)$", re.MULTILINE
)


def explain(catalogue: Catalogue, log: str, source: str, kernels: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Up to three findings, the likeliest cause first; never empty."""
    context = Context(Source.of(source), kernels)
    found = list(by_sight(context))
    for error in _errors(log):
        if len(found) < MAX_FINDINGS:
            found += by_rule(error, context)
    if any(finding_id != "other-compile-error" for finding_id, _, _ in found):
        found = [one for one in found if one[0] != "other-compile-error"]
    findings: dict[tuple[str, int | None], Finding] = {}
    for finding_id, line, evidence in found:
        findings.setdefault((finding_id, line), catalogue.finding(finding_id, line, **evidence))
    said = log.strip().splitlines()
    last = catalogue.finding("other-compile-error", None, message=said[0] if said else "nothing")
    return tuple(findings.values())[:MAX_FINDINGS] or (last,)


def _errors(log: str) -> Iterator[CompilerError]:
    for match in _MESSAGE.finditer(log):
        yield CompilerError(int(match["line"]) if match["line"] else None, match["text"], bool(match["launch"]))
    for match in _ASSEMBLER.finditer(log):
        if "aborted due to errors" not in match["text"]:
            yield CompilerError(None, f"ptxas: {match['text']}", launch=False)
