"""What NVRTC says and what it means: a table of patterns, the first that fits explains the message."""

from __future__ import annotations

import re
from collections.abc import Callable

from worker.diagnosis.found import CompilerError, Context, Found, line_of
from worker.diagnosis.source import TYPES, Source


def by_rule(error: CompilerError, context: Context) -> list[Found]:
    """What the first fitting rule makes of one message: one finding, or none where it only follows from another."""
    for pattern, make in _RULES:
        if match := re.search(pattern, error.text):
            found = make(match, error, context)
            return [found] if found is not None else []
    return [("other-compile-error", error.line, {"message": error.text})]


Make = Callable[[re.Match[str], CompilerError, Context], Found | None]


def _plain(finding_id: str, **names: int | str) -> Make:
    """Evidence from groups of the match (numbers) or fixed (texts)."""

    def make(match: re.Match[str], error: CompilerError, context: Context) -> Found:
        return finding_id, error.line, {k: match[v] if isinstance(v, int) else v for k, v in names.items()}

    return make


def _nothing(match: re.Match[str], error: CompilerError, context: Context) -> None:
    """A message that only follows from another one."""


def _undefined(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    """The most common message of all: a slip, a host function, a missing header, or simply no such name."""
    name, source = match[1], context.source
    if error.launch:
        return _no_such_kernel(name, context)
    line = source.line(error.line or 0)
    if header := _HEADERS.get(name):
        return "missing-include", error.line, {"name": name, "header": header}
    if re.fullmatch(r"__(shfl(_up|_down|_xor)?|any|all|ballot)", name):
        return "removed-shuffle", error.line, {"name": name}
    if re.fullmatch(r"cuda[A-Z]\w*|cublas\w*|cudnn\w*|malloc_host|cu[A-Z][a-z]\w+", name):
        return "host-api-in-kernel", error.line, {"name": name}
    if name in _HOST_ONLY:
        return "host-library", error.line, {"name": name}
    if re.search(rf"\[[^\[\]]*\b{name}\b[^\[\]]*\]", line) and re.search(r"__global__|__device__", line):
        return "unbounded-array-parameter", error.line, {}
    nearest = source.nearest(name)
    if nearest in TYPES:
        return "misspelt-type", error.line, {"name": name, "nearest": nearest}
    return "undeclared-name", error.line, {"name": name} | ({"nearest": nearest} if nearest else {})


def _no_such_kernel(name: str, context: Context) -> Found:
    names = tuple(function for _, _, function, _ in context.source.functions())
    nearest = context.source.nearest(name, names) if names else None
    near = {"nearest": nearest} if nearest in names else {}
    return "unknown-kernel", None, {"kernel": name} | near


def _kernel_signature(match: re.Match[str], error: CompilerError, context: Context) -> Found | None:
    """NVRTC blames the attribute when a parameter's type is unknown: look for that type."""
    for number, before, _, params in context.source.functions():
        if "__global__" not in before and "__device__" not in before:
            continue
        for part in params.split(","):
            words = [
                word for word in re.findall(r"[A-Za-z_]\w*", part) if word not in {"const", "volatile", "struct"}
            ]
            if (
                words
                and words[0] not in TYPES
                and not re.search(rf"(typedef|using|struct|class|typename)[^;]*\b{words[0]}\b", context.source.code)
            ):
                return _undefined_type(words[0], number, context)
            if words and words[0] in _HEADERS and _HEADERS[words[0]] not in context.source.text:
                return "missing-include", number, {"name": words[0], "header": _HEADERS[words[0]]}
    return None


def _undefined_type(name: str, line: int, context: Context) -> Found:
    if header := _HEADERS.get(name):
        return "missing-include", line, {"name": name, "header": header}
    nearest = context.source.nearest(name)
    if nearest in TYPES:
        return "misspelt-type", line, {"name": name, "nearest": nearest}
    return "undeclared-name", line, {"name": name} | ({"nearest": nearest} if nearest else {})


def _host_function(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    """Unannotated or __host__: the kernel itself, main, a helper that a kernel calls, or just a helper."""
    name = next((name for line, _, name, _ in context.source.functions() if line == error.line), None)
    if name is None:
        return "host-function", error.line, {}
    if name == "main":
        return "main-in-kernel", error.line, {}
    if name in {kernel.split("<")[0] for kernel in context.kernels}:
        return "missing-global", error.line, {"name": name}
    call = _called_from_kernel(name, context.source)
    if call is not None:
        return "host-call-from-device", call, {"name": name, "declared": error.line}
    return "host-function", error.line, {"name": name}


def _called_from_kernel(name: str, source: Source) -> int | None:
    """The line of a call of it behind some __global__ or __device__."""
    inside = False
    for number, line in enumerate(source.code.split("\n"), start=1):
        inside = inside or "__global__" in line or "__device__" in line
        if inside and re.search(rf"\b{name}\s*\(", line) and not re.search(rf"\w\s+{name}\s*\([^;]*\)\s*\{{", line):
            return number
    return None


def _not_global(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    name = match[1]
    line = next((line for line, _, function, _ in context.source.functions() if function == name), None)
    return "missing-global", line, {"name": name}


def _host_variable(match: re.Match[str], error: CompilerError, context: Context) -> Found | None:
    """A statement outside of functions, a kernel with a strange parameter type, or a variable without __device__."""
    line = context.source.line(error.line or 0)
    if re.match(r"\s*[\w.\[\]]+\s*[-+*/]?=[^=]", line):
        return "statement-outside-function", error.line, {}
    return (
        None if "__global__" in context.source.code and re.search(r"\(", line) else ("missing-type", error.line, {})
    )


def _specifier(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    line = context.source.line(error.line or 0)
    word = re.match(r"\s*(\w+)", line)
    if word and (nearest := context.source.nearest(word[1])) in {"__global__", "__device__", "__shared__"}:
        return "undeclared-name", error.line, {"name": word[1], "nearest": nearest}
    outside = re.match(r"\s*[\w.\[\]]+\s*([-+*/]?=[^=]|\()", line)
    return ("statement-outside-function" if outside else "missing-type"), error.line, {}


def _header(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    """An error inside a header of CUDA's names the #include that led there."""
    name, line = match[1], error.line
    if line is None:
        include = re.search(r'#\s*include\s*[<"]([^>"]+)[>"]', context.source.text)
        thrust = re.search(r'#\s*include\s*[<"](thrust/[^>"]+)[>"]', context.source.text)
        chosen = thrust or include
        if chosen:
            name, line = chosen[1], line_of(context.source.text, chosen.start())
    return "unavailable-header", line, {"name": name}


def _member_of_namespace(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    if match[1] == "std":
        return "host-library", error.line, {"name": f"std::{match[2]}"}
    nearest = context.source.nearest(match[2])
    evidence = {"type": match[1], "name": match[2]} | ({"nearest": nearest} if nearest else {})
    return "unknown-member", error.line, evidence


def _qualified(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    line = context.source.line(error.line or 0)
    name = next(iter(re.findall(r"\b(\w+)\s*::", line)), "std")
    if header := _HEADERS.get(name):
        return "missing-include", error.line, {"name": name, "header": header}
    return "undeclared-name", error.line, {"name": name}


def _statement(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    if re.search(r"\belse\b", context.source.line(error.line or 0)):
        return "else-without-if", error.line, {}
    return _expression(match, error, context)


def _expression(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    line = context.source.line(error.line or 0)
    for word in re.findall(r"[A-Za-z_]\w*", line):
        if word in _KEYWORDS and re.search(rf"\b\w+\s+{word}\s*[=;,\[]", line):
            return "name-is-keyword", error.line, {"name": word}
    if line.count("(") != line.count(")"):
        return "missing-parenthesis", error.line, {"wanted": ")" if line.count("(") > line.count(")") else "("}
    return "other-compile-error", error.line, {"message": error.text}


def _end_of_source(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    opened = _unclosed(context.source.code)
    return "missing-brace", error.line, {"opened": opened} if opened else {}


def _declaration(match: re.Match[str], error: CompilerError, context: Context) -> Found:
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


def _semicolon(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    """A nested function reads as a missing semicolon; so does a brace that was forgotten before it."""
    line = context.source.line(error.line or 0)
    if "__global__" in line or "__device__" in line:
        return _end_of_source(match, error, context)
    return "missing-semicolon", error.line, {}


def _unresolved(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    plain = re.match(r"_Z(\d+)", match[1])
    name = match[1][plain.end() : plain.end() + int(plain[1])] if plain else match[1]
    return "unresolved-function", None, {"name": name}


def _operands(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    if "half" in context.source.code:
        return "half-operation", error.line, {}
    return "ambiguous-call", error.line, {"name": f"operator {match[1]}"}


def _incompatible(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    if "extern" in context.source.line(error.line or 0):
        return "conflicting-extern-shared", error.line, {}
    return "redeclared", error.line, {"name": match[1]}


def _static_shared(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    return (
        "too-much-static-shared",
        None,
        {"kernel": match[1], "bytes": int(match[2], 16), "limit": int(match[3], 16)},
    )


_HOST_ONLY = frozenset(
    {
        "cout",
        "cin",
        "cerr",
        "endl",
        "vector",
        "string",
        "std",
        "malloc_",
        "rand",
        "srand",
        "time",
        "fopen",
        "fprintf",
        "exit",
    }
)

_KEYWORDS = frozenset(
    [
        "new",
        "delete",
        "class",
        "struct",
        "union",
        "enum",
        "template",
        "typename",
        "namespace",
        "operator",
        "private",
        "public",
        "protected",
        "this",
        "throw",
        "try",
        "catch",
        "virtual",
        "friend",
        "explicit",
        "export",
        "goto",
        "default",
        "switch",
        "case",
        "register",
        "signed",
        "unsigned",
        "short",
        "long",
    ]
)

_HEADERS = {
    "half": "cuda_fp16.h", "half2": "cuda_fp16.h", "__half": "cuda_fp16.h", "__half2": "cuda_fp16.h",
    "__half2float": "cuda_fp16.h", "__float2half": "cuda_fp16.h", "__hadd": "cuda_fp16.h", "__hmul": "cuda_fp16.h",
    "__hfma": "cuda_fp16.h", "__nv_bfloat16": "cuda_bf16.h", "__bfloat162float": "cuda_bf16.h",
    "__float2bfloat16": "cuda_bf16.h", "uint8_t": "cstdint", "int8_t": "cstdint", "uint16_t": "cstdint",
    "int16_t": "cstdint", "uint32_t": "cstdint", "int32_t": "cstdint", "uint64_t": "cstdint", "int64_t": "cstdint",
    "FLT_MAX": "cfloat", "FLT_MIN": "cfloat", "FLT_EPSILON": "cfloat", "DBL_MAX": "cfloat", "INT_MAX": "climits",
    "INT_MIN": "climits", "UINT_MAX": "climits", "cooperative_groups": "cooperative_groups.h", "nvcuda": "mma.h",
    "wmma": "mma.h", "cub": "cub/cub.cuh",
}  # fmt: skip

_RULES: tuple[tuple[str, Make], ...] = (
    (r"the compiler (needed more|ran out)|excessive recursion|maximum .* depth", _plain("compiler-stopped")),
    (r"^(the source .*)$", _plain("unreadable-source", what=1)),
    (r"Error in parsing name expression", _nothing),
    (
        r'cannot determine which instance of function template "(\w+)"',
        _plain("template-without-arguments", kernel=1),
    ),
    (r'address of a non-__global__ function.*"\s*(\w+)', _not_global),
    (r"__host__ function is not allowed|is considered a host function", _host_function),
    (r"is considered a host variable", _host_variable),
    (r'attribute "__global__" does not apply|incomplete type "void"', _kernel_signature),
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
    (r'identifier "([^"]+)" is undefined', _undefined),
    (r'cannot open source file "([^"]+)"', _header),
    (r'namespace "([^"]+)" has no member "([^"]+)"', _member_of_namespace),
    (r"name followed by \"::\" must be", _qualified),
    (
        r'class "([^"]+)" has no member "([^"]+)"',
        _plain("unknown-member", type=1, name=2),
    ),
    (r'expected a "([;])"', _semicolon),
    (r'expected a "(\})"', _end_of_source),
    (r'expected a "([)\](\[])"', _plain("missing-parenthesis", wanted=1)),
    (r"initializer not allowed for __shared__", _plain("shared-initializer")),
    (r"expression must have a constant value", _plain("dynamic-array-size")),
    (
        r'declaration is incompatible with previous "(\w+)"',
        _incompatible,
    ),
    (r'"?(\w+)"? has already been (declared|defined)', _plain("redeclared", name=1)),
    (r"too few arguments", _plain("wrong-argument-count", which="few", which_zh="少")),
    (r"too many arguments", _plain("wrong-argument-count", which="many", which_zh="多")),
    (r'no instance of (?:overloaded )?function "?(?:template )?"?(\w+)', _plain("no-matching-overload", name=1)),
    (r'no operator "(\S+)" matches', _operands),
    (r'more than one operator "(\S+)" matches', _operands),
    (
        r'more than one (?:instance of overloaded function|conversion function from) "(\w+)',
        _plain("ambiguous-call", name=1),
    ),
    (
        r'value of type "([^"]+)" cannot be .* type "([^"]+)"',
        _plain("type-mismatch", found=1, expected=2, found_zh=1, expected_zh=2),
    ),
    (
        r'argument of type "([^"]+)" is incompatible with parameter of type "([^"]+)"',
        _plain("type-mismatch", found=1, expected=2, found_zh=1, expected_zh=2),
    ),
    (
        r'no suitable (?:conversion|constructor).* from "([^"]+)" to "([^"]+)"',
        _plain("type-mismatch", found=1, expected=2, found_zh=1, expected_zh=2),
    ),
    (
        r"expression must have integral",
        _plain(
            "type-mismatch",
            found="float or a pointer",
            expected="an integer",
            found_zh="浮点数或指针",
            expected_zh="整数",
        ),
    ),
    (r"modifiable lvalue", _plain("const-assignment")),
    (r'pointer-to-object type|operand of "\*" must be a pointer', _plain("not-a-pointer")),
    (r"return value type does not match|should return a value|missing return", _plain("missing-return")),
    (r"missing closing quote|quoted string should contain", _plain("unterminated-text")),
    (r"comment unclosed", _plain("unterminated-comment")),
    (r"the #(endif|if) for this directive is missing", _plain("unmatched-directive")),
    (r"unrecognized preprocessing directive", _plain("unknown-preprocessor-line")),
    (r"explicit type is missing|type specifier", _specifier),
    (
        r"expected either a definition or a tag name|invalid combination of type specifiers|expected an identifier",
        _expression,
    ),
    (r"expected a statement", _statement),
    (r"expected a declaration", _declaration),
    (r"ptxas: Unresolved extern function '([^']+)'", _unresolved),
    (
        r"ptxas: Entry function '([^']+)' uses too much shared data \(0x([0-9a-f]+) bytes, 0x([0-9a-f]+) max\)",
        _static_shared,
    ),
    (r"ptxas: (.*)", _plain("inline-assembly", message=1)),
)
"""In order: the first pattern that occurs in a message explains it."""
