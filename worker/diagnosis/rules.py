"""What NVRTC says and what it means: a table of patterns, the first that fits explains the message."""

from __future__ import annotations

import re
from collections.abc import Callable

from worker.diagnosis.name_rules import (
    header,
    host_function,
    host_variable,
    incompatible,
    kernel_signature,
    member_of_namespace,
    not_global,
    operands,
    qualified,
    specifier,
    static_shared,
    undefined,
    unresolved,
)
from worker.diagnosis.source import CompilerError, Context, Found
from worker.diagnosis.syntax_rules import declaration, end_of_source, expression, semicolon, statement
from worker.messages import Message, message


def by_rule(error: CompilerError, context: Context) -> list[Found]:
    """What the first fitting rule makes of one message: one finding, or none where it only follows from another."""
    for pattern, make in _RULES:
        if match := re.search(pattern, error.text):
            found = make(match, error, context)
            return [found] if found is not None else []
    return [("other-compile-error", error.line, {"message": error.text})]


Make = Callable[[re.Match[str], CompilerError, Context], Found | None]


def _plain(finding_id: str, **names: int | str | Message) -> Make:
    """Evidence from groups of the match (numbers) or fixed (texts and messages)."""

    def make(match: re.Match[str], error: CompilerError, context: Context) -> Found:
        return finding_id, error.line, {k: match[v] if isinstance(v, int) else v for k, v in names.items()}

    return make


def _nothing(match: re.Match[str], error: CompilerError, context: Context) -> None:
    """A message that only follows from another one."""


_RULES: tuple[tuple[str, Make], ...] = (
    (r"excessive recursion|maximum .* depth", _plain("compiler-stopped")),
    (r"Error in parsing name expression", _nothing),
    (
        r'cannot determine which instance of function template "(\w+)"',
        _plain("template-without-arguments", kernel=1),
    ),
    (r'address of a non-__global__ function.*"\s*(\w+)', not_global),
    (r"__host__ function is not allowed|is considered a host function", host_function),
    (r"is considered a host variable", host_variable),
    (r'attribute "__global__" does not apply|incomplete type "void"', kernel_signature),
    (r"must have a void return type", _plain("kernel-returns-value")),
    (
        r"device-side kernel launch|kernel launch from __device__|a __global__ function call must be configured",
        _plain("kernel-called-directly"),
    ),
    (r"cannot have ellipsis", _plain("elided-code")),
    (
        r"an array may not have elements of this type|unknown bound|incomplete array",
        _plain("unbounded-array-parameter"),
    ),
    (r'identifier "([^"]+)" is undefined', undefined),
    (r'cannot open source file "([^"]+)"', header),
    (r'namespace "([^"]+)" has no member "([^"]+)"', member_of_namespace),
    (r"name followed by \"::\" must be", qualified),
    (
        r'class "([^"]+)" has no member "([^"]+)"',
        _plain("unknown-member", type=1, name=2),
    ),
    (r'expected a "([;])"', semicolon),
    (r'expected a "(\})"', end_of_source),
    (r'expected a "([)\](\[])"', _plain("missing-parenthesis", wanted=1)),
    (r"initializer not allowed for __shared__", _plain("shared-initializer")),
    (r"expression must have a constant value", _plain("dynamic-array-size")),
    (
        r'declaration is incompatible with previous "(\w+)"',
        incompatible,
    ),
    (r'"?(\w+)"? has already been (declared|defined)', _plain("redeclared", name=1)),
    (r"too few arguments", _plain("wrong-argument-count", which="few")),
    (r"too many arguments", _plain("wrong-argument-count", which="many")),
    (r'no instance of (?:overloaded )?function "?(?:template )?"?(\w+)', _plain("no-matching-overload", name=1)),
    (r'no operator "(\S+)" matches', operands),
    (r'more than one operator "(\S+)" matches', operands),
    (
        r'more than one (?:instance of overloaded function|conversion function from) "(\w+)',
        _plain("ambiguous-call", name=1),
    ),
    (
        r'value of type "([^"]+)" cannot be .* type "([^"]+)"',
        _plain("type-mismatch", found=1, expected=2),
    ),
    (
        r'argument of type "([^"]+)" is incompatible with parameter of type "([^"]+)"',
        _plain("type-mismatch", found=1, expected=2),
    ),
    (
        r'no suitable (?:conversion|constructor).* from "([^"]+)" to "([^"]+)"',
        _plain("type-mismatch", found=1, expected=2),
    ),
    (
        r"expression must have integral",
        _plain(
            "type-mismatch",
            found=message("type.number-or-pointer"),
            expected=message("type.integer"),
        ),
    ),
    (r"modifiable lvalue", _plain("const-assignment")),
    (r'pointer-to-object type|operand of "\*" must be a pointer', _plain("not-a-pointer")),
    (r"return value type does not match|should return a value|missing return", _plain("missing-return")),
    (r"missing closing quote|quoted string should contain", _plain("unterminated-text")),
    (r"comment unclosed", _plain("unterminated-comment")),
    (r"the #(endif|if) for this directive is missing", _plain("unmatched-directive")),
    (r"unrecognized preprocessing directive", _plain("unknown-preprocessor-line")),
    (r"explicit type is missing|type specifier", specifier),
    (
        r"expected either a definition or a tag name|invalid combination of type specifiers|expected an identifier",
        expression,
    ),
    (r"expected a statement", statement),
    (r"expected a declaration", declaration),
    (r"ptxas: Unresolved extern function '([^']+)'", unresolved),
    (
        r"ptxas: Entry function '([^']+)' uses too much shared data \(0x([0-9a-f]+) bytes, 0x([0-9a-f]+) max\)",
        static_shared,
    ),
    (r"ptxas: (.*)", _plain("inline-assembly", message=1)),
)
"""In order: the first pattern that occurs in a message explains it."""
