"""What Triton said and what it means: a table of patterns, the first that fits explains the message."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from worker.diagnosis.catalogue import FindingCatalogue
from worker.diagnosis.source import BUILT_INS, Context, Source, source_findings
from worker.messages import Message
from worker.protocol import Finding
from worker.triton.wire import Trouble

SEEN_IN_THE_SOURCE = frozenset(
    {"markdown-fence", "line-numbers", "html-entity", "full-width-punctuation", "non-ascii-operator"}
)
"""Mistakes that look the same in every language."""

Evidence = Mapping[str, object]


def explain(
    catalogue: FindingCatalogue, reply: Trouble | Message, source: str, sizes: Mapping[str, int] | None = None
) -> tuple[Finding, ...]:
    """The finding on why a source does not compile, at the member's line. `sizes`: the shape it was compiled for."""
    if isinstance(reply, Message):
        name = "unreadable-source" if reply.id.startswith("source.") else "compiler-stopped"
        key = "what" if name == "unreadable-source" else "reason"
        return (catalogue.finding(name, None, **{key: reply}),)
    seen = [one for one in source_findings(Context(Source.of(_as_cpp(source)), ())) if one[0] in SEEN_IN_THE_SOURCE]
    if reply.error.endswith(("SyntaxError", "IndentationError", "TabError")) and seen:
        name, line, evidence = seen[0]
        return (catalogue.finding(name, line, **evidence),)
    name, evidence = _meaning(reply, source)
    shape = {"sizes": [f"{size} = {value}" for size, value in sizes.items()]} if sizes else {}
    entry = catalogue.words[name]
    line = reply.line if reply.line is not None and reply.line <= source.count("\n") + 1 else None
    return (catalogue.finding(name, line, **evidence, **(shape if "sizes" in entry.fields else {})),)


def _as_cpp(source: str) -> str:
    """With the comments of Python blanked, for who looks at C++."""
    return re.sub(r"#[^\n]*", "", source)


def _meaning(reply: Trouble, source: str) -> tuple[str, Evidence]:
    for error, pattern, make in _RULES:
        if error in {"", reply.error} and (match := re.search(pattern, reply.text)):
            return make(match, source)
    return "triton-other-error", {"error": reply.error, "message": reply.text}


Make = Callable[[re.Match[str], str], tuple[str, Evidence]]


def _plain(finding_id: str, **groups: int) -> Make:
    return lambda match, source: (finding_id, {name: match[group] for name, group in groups.items()})


def _global(match: re.Match[str], source: str) -> tuple[str, Evidence]:
    """A function that lacks @triton.jit is a global as well."""
    name = match[1]
    if re.search(rf"^def\s+{re.escape(name)}\s*\(", source, re.MULTILINE):
        return "triton-not-jit", {"name": name}
    return "triton-global", {"name": name}


def _undefined(match: re.Match[str], source: str) -> tuple[str, Evidence]:
    """A built-in of Python's or CUDA's is none of Triton's."""
    name = match[1]
    if name in BUILT_INS and not re.search(rf"^\s*{re.escape(name)}\s*=", source, re.MULTILINE):
        return "triton-cuda-name", {"name": name}
    return "triton-undefined", {"name": name}


_RULES: tuple[tuple[str, str, Make], ...] = (
    ("NotAllowed", r"(.*)", _plain("triton-import", module=1)),
    ("Unsuitable", r"(.*)", _plain("triton-refused", what=1)),
    (
        "",
        r"arange's range must be a power of 2|Shape element \d+ must be a power of 2",
        _plain("triton-power-of-two"),
    ),
    (
        "",
        r"arange's arguments must be of type tl.constexpr|Shape element \d+ must have type",
        _plain("triton-not-constexpr"),
    ),
    ("", r"Cannot access global variable (\w+)", _global),
    ("", r"has no attribute '(\w+)'", _plain("triton-no-attribute", name=1)),
    ("", r"^(?:name ')?(\w+)'? is not defined", _undefined),
    ("", r"incompatible dimensions at index \d+: (\d+) and (\d+)", _plain("triton-shapes", one=1, other=2)),
    ("", r"Cannot make_shape_compatible|Cannot broadcast", _plain("triton-ranks")),
    (
        "",
        r"Loop-carried variable (\w+) has initial type (.+?) but is re-assigned to (.+?) in loop",
        _plain("triton-loop-type", name=1, before=2, after=3),
    ),
    (
        "",
        r"Mismatched type for (\w+) between then block \((.+?)\) and else block \((.+?)\)",
        _plain("triton-branch-type", name=1, before=2, after=3),
    ),
    ("", r"Boolean value of Tensor with more than one value", _plain("triton-if-on-tensor")),
    ("", r"simultaneous multiple comparison", _plain("triton-chained-comparison")),
    ("", r"unsupported AST node type: (\w+)", _plain("triton-python", what=1)),
    ("", r"only (\w+) comprehensions are supported", _plain("triton-python", what=0)),
    ("", r"`other` cannot be provided without `mask`", _plain("triton-other-without-mask")),
    ("", r"Unsupported ptr type .* in `tl\.(\w+)`", _plain("triton-no-pointer", call=1)),
    ("", r"M >= (\d+), N >= (\d+) and K >= (\d+)", _plain("triton-dot-small", m=1, n=2, k=3)),
    ("", r"must be same dtype. Got (\w+) and (\w+)", _plain("triton-dot-types", one=1, other=2)),
    ("", r"equal reduction dimensions|not compatible for matmul", _plain("triton-dot-shapes")),
    (
        "",
        r"numel \((\d+)\) exceeds .* tensor numel \((\d+)\)",
        _plain("triton-too-large", found=1, limit=2),
    ),
    ("", r"unsupported tensor index|__setitem__ is not supported", _plain("triton-index")),
    ("", r"invalid axis (-?\d+). Expected (-?\d+) <= axis < (\d+)", _plain("triton-axis", axis=1, below=3)),
    ("CompileTimeAssertionFailure", r"(.*)", _plain("triton-static-assert", message=1)),
    ("", r"(\w+)\(\) (missing|got|takes) (.+)", _plain("triton-call", function=1, what=0)),
    ("", r"must be real number, not tensor", _plain("triton-math")),
    ("", r"Expected dtype (\[.*\]) but got (\w+)", _plain("triton-dtype", expected=1, found=2)),
    ("", r"invalid operands of type (\S+) and (\S+)", _plain("triton-operands", one=1, other=2)),
    ("SyntaxError", r"(.*)", _plain("triton-syntax", message=1)),
    ("IndentationError", r"(.*)", _plain("triton-syntax", message=1)),
    ("TabError", r"(.*)", _plain("triton-syntax", message=1)),
)
"""The exception's class, or any; the pattern; what it means. In order: the first that fits explains the message."""
