"""A source as text: comments and strings masked, near names, and the mistakes that need no compiler to be seen."""

from __future__ import annotations

import difflib
import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_MASKED = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_FUNCTION = re.compile(
    r"(?P<before>[^;{}()]*?)\b(?P<name>[A-Za-z_]\w*)\s*\((?P<params>[^;{}]*)\)\s*(?:;|\{)", re.ASCII
)

TYPES = (
    "void", "bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "half", "half2",
    "size_t", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "__half",
    "__nv_bfloat16", "float2", "float3", "float4", "int2", "int3", "int4", "uint2", "uint3", "uint4", "double2",
    "dim3", "const", "auto", "struct", "volatile", "__restrict__", "restrict",
)  # fmt: skip

BUILT_INS = (
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "__syncthreads", "__syncwarp", "__shared__",
    "__device__", "__global__", "__constant__", "__restrict__", "__launch_bounds__", "__shfl_sync",
    "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync", "__any_sync", "__all_sync",
    "__activemask", "__threadfence", "__threadfence_block", "atomicAdd", "atomicSub", "atomicMax", "atomicMin",
    "atomicExch", "atomicCAS", "atomicAnd", "atomicOr", "atomicXor", "sqrtf", "rsqrtf", "expf", "logf", "powf",
    "sinf", "cosf", "tanhf", "fabsf", "fmaxf", "fminf", "floorf", "ceilf", "roundf", "fmaf", "sqrt", "exp",
    "log", "pow", "sin", "cos", "tanh", "fabs", "fmax", "fmin", "floor", "ceil", "min", "max", "abs", "__expf",
    "__logf", "__fdividef", "printf", "return", "if", "else", "for", "while", "template", "typename",
    "constexpr", "static", "extern", "struct",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    text: str
    code: str
    """The same text with comments and literals blanked, lines kept."""

    @classmethod
    def of(cls, text: str) -> Source:
        return cls(text, _MASKED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text))

    def line(self, number: int) -> str:
        lines = self.code.split("\n")
        return lines[number - 1] if 1 <= number <= len(lines) else ""

    def words(self) -> set[str]:
        return set(_WORD.findall(self.code))

    def nearest(self, name: str, also: tuple[str, ...] = ()) -> str | None:
        """A known name that differs by a slip: from the source, where it occurs elsewhere, or CUDA's own."""
        known = (self._repeated() | set(BUILT_INS) | set(TYPES) | set(also)) - {name}
        folded = [other for other in known if other.lower() == name.lower()]
        swapped = [other for other in known if sorted(other) == sorted(name)]
        near = folded or swapped or difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.72)
        return near[0] if near else None

    def functions(self) -> Iterator[tuple[int, str, str, str]]:
        """Line, what stands before the name, name and parameters of what looks like a function."""
        for match in _FUNCTION.finditer(self.code):
            yield self.code.count("\n", 0, match.start("name")) + 1, match["before"], match["name"], match["params"]

    def odd_characters(self) -> Iterator[tuple[int, str]]:
        """Line and character of what no C++ code outside comments and strings holds."""
        for number, line in enumerate(self.code.split("\n"), start=1):
            for character in line:
                if ord(character) > 126 and not character.isalpha():
                    yield number, character

    def _repeated(self) -> set[str]:
        """Names that occur twice, or are declared: a slip usually occurs once."""
        words = _WORD.findall(self.code)
        declared = set(re.findall(r"[\w>*&\]]\s+[*&]*([A-Za-z_]\w*)\s*(?=[=;,)\[({])", self.code))
        return {word for word in words if words.count(word) > 1} | declared


@dataclass(frozen=True, slots=True)
class CompilerError:
    """One message of the compiler."""

    line: int | None
    text: str
    launch: bool
    """About a kernel that a launch names, not about the source's own text."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the rules for compile errors look at beside the message."""

    source: Source
    kernels: Sequence[str]
    """What the launches name."""


Found = tuple[str, int | None, Mapping[str, object]]
"""Finding id, line, evidence."""


def line_of(text: str, at: int) -> int:
    """The number of the line that this offset lies in."""
    return text.count("\n", 0, at) + 1


LOOKS_LIKE = {
    "∕": "/", "⁄": "/", "÷": "/", "×": "*", "∗": "*", "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "“": '"',
    "”": '"', "„": '"', "‘": "'", "’": "'", "≤": "<=", "≥": ">=", "≠": "!=", "《": "<", "》": ">", "…": "...",
    "。": ".", "、": ",", "【": "[", "】": "]", "·": ".", "∣": "|", "＂": '"',
}  # fmt: skip


def ascii_for(character: str) -> str | None:
    """What was meant by it, if anything can be."""
    if character in LOOKS_LIKE:
        return LOOKS_LIKE[character]
    folded = unicodedata.normalize("NFKC", character)
    return folded if len(folded) == 1 and "!" <= folded <= "~" else None


def full_width(character: str) -> bool:
    return "\uff01" <= character <= "\uff5e" or character in "。、【】《》“”‘’"


def source_findings(context: Context) -> Iterator[Found]:
    """Mistakes that need no compiler to be seen, the likeliest first."""
    text, code = context.source.text, context.source.code
    lines = code.split("\n")
    for number, line in enumerate(lines, start=1):
        if line.lstrip().startswith("```"):
            yield "markdown-fence", number, {}
            return
    if len(lines) > 2 and (numbered := _numbered(lines)):
        yield "line-numbers", numbered, {}
        return
    for match in re.finditer(r"&(lt|gt|amp|quot);", code):
        ascii_ = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}[match[1]]
        yield "html-entity", line_of(text, match.start()), {"name": match[0], "ascii": ascii_}
    for number, character in context.source.odd_characters():
        yield _odd(number, character)
    for match in re.finditer(r"^[^\n#]*?(?<![.\w])\.\.\.(?!\.)", code, re.MULTILINE):
        behind = code[match.end() : match.end() + 1]
        if "template" not in match[0] and "typename" not in match[0] and not (behind.isidentifier() or behind == ")"):
            yield "elided-code", line_of(text, match.end()), {}


def _numbered(lines: Sequence[str]) -> int | None:
    """The first line of a source whose lines count up, as copied from a listing."""
    numbers = [
        (at, int(match[1])) for at, line in enumerate(lines, 1) if (match := re.match(r"\s*(\d+)\s*[:.|]?\s", line))
    ]
    filled = sum(bool(line.strip()) for line in lines)
    rising = all(later == earlier + 1 for (_, earlier), (_, later) in itertools.pairwise(numbers))
    return numbers[0][0] if len(numbers) > 1 and rising and len(numbers) * 2 > filled else None


def _odd(line: int, character: str) -> Found:
    evidence = {"character": character, "code": f"{ord(character):04X}"}
    meant = ascii_for(character)
    if meant is None:
        return "stray-character", line, evidence
    if full_width(character):
        return "full-width-punctuation", line, {**evidence, "ascii": meant}
    return "non-ascii-operator", line, {**evidence, "ascii": meant}
