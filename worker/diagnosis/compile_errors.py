"""What the compiler said, in words that help.

What shows in the source itself (a Markdown fence, full-width punctuation) is looked for before the messages, because
it explains whole cascades of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from worker.compile import Compiled
from worker.compile.nvcc import CompiledProgram
from worker.diagnosis.catalogue import FindingCatalogue
from worker.diagnosis.rules import by_rule
from worker.diagnosis.source import CompilerError, Context, Source, source_findings
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


_NAME_MAP = re.compile(r"^__nv_name_map\(\d+\): .*\n?(?:[ \t].*\n?)*\n?", re.MULTILINE)
_TOTAL = re.compile(r"^\d+ errors? detected in the compilation of .*\n?", re.MULTILINE)


def readable_log(log: str) -> str:
    """The log as a member reads it: without lines that speak of our own `#pragma nv_mangled_name`.

    The compiler's count of errors goes with them, for it counts them too.
    """
    kept = _NAME_MAP.sub("", log)
    return log if kept == log else _TOTAL.sub("", kept).strip()


def explain(
    catalogue: FindingCatalogue, compiled: Compiled | CompiledProgram, source: str, kernels: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """Findings, three at most, on why a source does not compile, the likeliest cause first; never empty."""
    if compiled.remark is not None:
        finding_id, because = compiled.remark
        return (catalogue.finding(finding_id, None, **because),)
    context = Context(Source.of(source), kernels)
    found = list(source_findings(context))
    for error in _errors(compiled.log):
        if len(found) < MAX_FINDINGS:
            found += by_rule(error, context)
    if any(finding_id != "other-compile-error" for finding_id, _, _ in found):
        found = [one for one in found if one[0] != "other-compile-error"]
    findings: dict[tuple[str, int | None], Finding] = {}
    for finding_id, line, evidence in found:
        findings.setdefault((finding_id, line), catalogue.finding(finding_id, line, **evidence))
    said = compiled.log.strip().splitlines()
    last = catalogue.finding("other-compile-error", None, message=said[0] if said else "")
    return tuple(findings.values())[:MAX_FINDINGS] or (last,)


def _errors(log: str) -> Iterator[CompilerError]:
    for match in _MESSAGE.finditer(log):
        yield CompilerError(int(match["line"]) if match["line"] else None, match["text"], bool(match["launch"]))
    for match in _ASSEMBLER.finditer(log):
        if "aborted due to errors" not in match["text"]:
            yield CompilerError(None, f"ptxas: {match['text']}", launch=False)
