"""What a message about the form of the source means: braces, parentheses, semicolons, keywords."""

from __future__ import annotations

import re

from worker.diagnosis.source import CompilerError, Context, Found

_KEYWORDS = frozenset(
    {
        "new", "delete", "class", "struct", "union", "enum", "template", "typename", "namespace", "operator",
        "private", "public", "protected", "this", "throw", "try", "catch", "virtual", "friend", "explicit", "export",
        "goto", "default", "switch", "case", "register", "signed", "unsigned", "short", "long",
    }
)  # fmt: skip


def statement(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    if re.search(r"\belse\b", context.source.line(error.line or 0)):
        return "else-without-if", error.line, {}
    return expression(match, error, context)


def expression(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    line = context.source.line(error.line or 0)
    for word in re.findall(r"[A-Za-z_]\w*", line):
        if word in _KEYWORDS and re.search(rf"\b\w+\s+{word}\s*[=;,\[]", line):
            return "name-is-keyword", error.line, {"name": word}
    if line.count("(") != line.count(")"):
        return "missing-parenthesis", error.line, {"wanted": ")" if line.count("(") > line.count(")") else "("}
    return "other-compile-error", error.line, {"message": error.text}


def end_of_source(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    opened = _unclosed(context.source.code)
    return "missing-brace", error.line, {"opened": opened} if opened else {}


def declaration(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    line = context.source.line(error.line or 0)
    return ("extra-brace" if "}" in line else "missing-type"), error.line, {}


def _unclosed(code: str) -> int | None:
    """The line of the first brace that stays open: the outermost."""
    opened: list[int] = []
    for number, line in enumerate(code.split("\n"), start=1):
        for character in line:
            if character == "{":
                opened.append(number)
            elif character == "}" and opened:
                opened.pop()
    return opened[0] if opened else None


def semicolon(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    """A nested function reads as a missing semicolon; so does a brace that was forgotten before it."""
    line = context.source.line(error.line or 0)
    if "__global__" in line or "__device__" in line:
        return end_of_source(match, error, context)
    return "missing-semicolon", error.line, {}
