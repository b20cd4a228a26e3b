"""A host function followed statement by statement: what it computes, allocates and launches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from worker.messages import message
from worker.pastes.arithmetic import Names, bytes_of, kind_of, parse
from worker.pastes.numbers import Cast, Constant, Kind, Number, Operation, Untranslatable, computed, fixed
from worker.pastes.pieces import Function, Pieces, closing, split

_NOTHING = re.compile(
    r"cuda(?:DeviceSynchronize|GetLastError|PeekAtLastError|StreamSynchronize|DeviceReset|SetDevice|Free|FreeHost"
    r"|FuncSetAttribute|FuncSetCacheConfig|Event\w+|GetErrorString|ThreadSynchronize)$"
)
_HOST_ONLY = re.compile(
    r"cuda(?:Malloc|MallocManaged|MallocHost|HostAlloc|Memcpy|GetDeviceProperties|GetDevice|MemPrefetchAsync)$"
)
"""Of a program: where its arrays come from, which here the problem says."""
_WRAPPED = re.compile(r"(?:[A-Z_][A-Z0-9_]*|checkCudaErrors|gpuErrchk|cudaCheck|checkCuda|cuda_check)\s*\(")
_DECLARATION = re.compile(
    r"(?:(?:static|const|constexpr|unsigned|signed|long|short)\s+)*(?:auto|[A-Za-z_][\w:]*)(?:\s+(?:int|long|const))*\s+(?=[A-Za-z_])"
)
LONGEST = 2000
"""Characters of a statement."""
Dims = tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Launch:
    at: int
    kernel: str
    grid: Dims
    block: Dims
    shared: Number
    args: tuple[str, ...]


@dataclass(slots=True)
class Scratch:
    at: int
    name: str
    type: str
    elements: Number | None = None
    bytes: Number | None = None
    zero: bool = False


@dataclass(slots=True)
class Host:
    """What was followed so far."""

    names: Names
    dims: dict[str, Dims] = field(default_factory=dict)
    scratch: dict[str, Scratch] = field(default_factory=dict)
    launches: list[Launch] = field(default_factory=list)
    fixed_names: frozenset[str] = frozenset()
    """Of a program: variables that stand for sizes of the problem, whatever it sets them to."""
    lenient: bool = False
    """Of a program or a torch extension: statements about host data mean nothing here."""
    shapes: tuple[Mapping[str, int], ...] = ()
    templates: frozenset[str] = frozenset()
    arrays: frozenset[str] = frozenset()
    """Of a program: what the launch is given as arrays."""
    callable: frozenset[str] = frozenset()
    """Of a program: host functions that touch no device memory."""


def statements(code: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Offset and text of each statement; a block with what leads to it is one."""
    at, begun = start, None
    while at < end:
        character = code[at]
        if begun is None and not character.isspace() and character != ";":
            begun = at
        if character in "([":
            at = closing(code, at)
        elif character == "{":
            at = closing(code, at)
            text = code[begun:at]
            if not re.search(r"=\s*\{[^{}]*\Z|\bdim3\s+\w+\s*\{[^{}]*\Z", text):
                while (match := re.compile(r"\s*else\b").match(code, at + 1)) and match.end() < end:
                    at = _else_end(code, match.end(), end)
                yield begun or 0, code[begun : at + 1]
                begun = None
        elif character == ";" and begun is not None:
            yield begun, code[begun:at]
            begun = None
        at += 1
    if begun is not None and code[begun:end].strip():
        yield begun, code[begun:end]


def _else_end(code: str, at: int, end: int) -> int:
    for place in range(at, end):
        if code[place] == "{":
            return closing(code, place)
        if code[place] == ";":
            return place
    return end - 1


def follow(pieces: Pieces, function: Function, host: Host) -> None:
    """Fill `host`; Untranslatable at the first statement that launch lines cannot say."""
    if re.search(r"^[ \t]*#", pieces.text[slice(*function.body)], re.MULTILINE):
        raise Untranslatable(message("paste-reason.preprocessor", line=pieces.line(function.body[0])))
    returned = False
    for at, text in statements(pieces.code, *function.body):
        try:
            if returned or len(text) > LONGEST:
                raise Untranslatable(message("paste-reason.statement", text=text))
            returned = re.match(r"return\b", text) is not None
            _statement(host, at, " ".join(text.split()))
        except Untranslatable as error:
            if error.reason.id == "paste-reason.at":
                raise
            raise Untranslatable(message("paste-reason.at", line=pieces.line(at), why=error.reason)) from error


def _statement(host: Host, at: int, text: str) -> None:
    if re.match(r"return\b", text):
        if not re.fullmatch(r"return(?:\s+[\w.]+)?", text):
            raise Untranslatable(message("paste-reason.statement", text=text))
        return
    if re.match(r"(?:if|for|while|do|switch|try|\{)(?!\w)", text):
        _branch(host, text)
    elif "<<<" in text:
        _launch(host, at, text)
    elif text.startswith("dim3 "):
        _dim3(host, text[5:])
    else:
        _plain(host, at, _unwrapped(text))


def _unwrapped(text: str) -> str:
    """The call inside `CHECK(...)`."""
    match = _WRAPPED.match(text)
    if match and closing(text, match.end() - 1) == len(text) - 1:
        inside = text[match.end() : -1].strip()
        return inside if inside.startswith("cuda") else text
    return text


def _plain(host: Host, at: int, text: str) -> None:
    call = re.match(r"(\w+)\s*\(", text)
    if re.match(r"(?:const\s+)?(?:cudaError_t|auto)\s+\w+\s*=\s*cuda\w+\s*\(", text):
        call = re.match(r"(\w+)\s*\(", text := text.split("=", 1)[1].strip())
    if call and _NOTHING.match(call[1]) and closing(text, call.end() - 1) == len(text) - 1:
        return
    if call and call[1] in {"cudaMalloc", "cudaMemset"} and not host.lenient:
        (_malloc if call[1] == "cudaMalloc" else _memset)(host, at, split(text[call.end() : -1]))
        return
    if "cuda" in text and not (host.lenient and call and _HOST_ONLY.match(call[1])):
        if re.match(r"cudaEvent_t\b|cudaError_t\s+\w+$|cudaDeviceProp\b", text):
            return
        raise Untranslatable(message("paste-reason.statement", text=text))
    if host.lenient and not (call and _HOST_ONLY.match(call[1]) and "DeviceToDevice" not in text):
        _check_arrays(host, text)
    _declared_or_assigned(host, at, text)


def _check_arrays(host: Host, text: str) -> None:
    """Untranslatable where a statement may change an array between its making and the launch."""
    if re.search(r"\b(?:thrust|cub|cublas\w*|cudnn\w*|at)::(?!cuda)|\bcublas|DeviceToDevice", text):
        raise Untranslatable(message("paste-reason.statement", text=text))
    if (
        _POINTERS.fullmatch(text)
        or _MAKES_ARRAY.match(text)
        or _ASKS.match(text)
        or not any(re.search(rf"\b{name}\b", text) for name in host.arrays)
    ):
        return
    call = re.match(r"(\w+)\s*\(", text)
    if not (call and (call[1] in host.callable or call[1] in _HOST_CALLS or call[1].isupper())):
        raise Untranslatable(message("paste-reason.statement", text=text))


_HOST_CALLS = frozenset({"printf", "free", "assert"})
_POINTERS = re.compile(
    r"(?:const )?([A-Za-z_][\w:]*(?: [a-z]+)*) ?((?:\* ?\w+(?: ?= ?(?:nullptr|NULL|0))?(?: ?, ?|$))+)"
)
_MAKES_ARRAY = re.compile(
    r"(?:auto|torch::Tensor|at::Tensor)?\s*(\w+)\s*=\s*(?:torch|at)::empty(?:_like)?\s*\([^;]*\)$"
    r"|(?:auto|torch::Tensor|at::Tensor)?\s*(?P<same>\w+)\s*=\s*(?P=same)\.contiguous\(\)$"
    r"|(?:const\s+)?(?:auto|\w+)\s*\*?\s*\w+\s*=\s*\w+\.data_ptr<\w+>\(\)$"
)
_ASKS = re.compile(
    r"(?:const\s+)?(?:auto|int|int64_t|size_t|unsigned|long)\s+\w+\s*=\s*"
    r"(?:\([\w ]+\)\s*)?\w+\.(?:size|numel|dim|stride)\(\w*\)$"
    r"|std::cout\b"
)


def _declared_or_assigned(host: Host, at: int, text: str) -> None:
    pointer = _POINTERS.fullmatch(text)
    if pointer and not host.lenient:
        for name in re.findall(r"\*\s*(\w+)", pointer[2]):
            host.scratch[name] = Scratch(at, name, pointer[1].strip())
        return
    declared = _DECLARATION.match(text)
    if declared and (kind := kind_of(declared[0].replace("auto", "").strip()) or "auto" in declared[0]):
        _numbers(host, text[declared.end() :], kind if isinstance(kind, str) else None)
        return
    assigned = re.fullmatch(r"(\w+)\s*=(?!=)(.*)", text)
    if assigned and assigned[1] in host.names.numbers:
        if assigned[1] in host.fixed_names:
            raise Untranslatable(message("paste-reason.assigned", name=assigned[1]))
        if not host.lenient:
            raise Untranslatable(message("paste-reason.statement", text=text))
        host.names.numbers[assigned[1]] = parse(assigned[2], host.names)
    elif assigned and assigned[1] in host.dims:
        _set_dims(host, assigned[1], _dims(host, assigned[2]))
    elif not host.lenient:
        raise Untranslatable(message("paste-reason.statement", text=text))
    elif changed := re.match(r"(?:\+\+|--)?\s*(\w+)(?:\.\w+)?\s*(?:\+\+|--|[-+*/%&|^<>]*=(?!=))", text):
        host.names.numbers.pop(changed[1], None)
        _forget_dims(host, changed[1])


def _numbers(host: Host, text: str, kind: Kind | None) -> None:
    for part in split(text):
        match = re.fullmatch(r"(\w+)\s*(?:=\s*(.*)|\((.*)\)|\{(.*)\})?", part, re.DOTALL)
        if match is None:
            if host.lenient:
                continue
            raise Untranslatable(message("paste-reason.statement", text=part))
        name, value = match[1], match[2] or match[3] or match[4]
        if name in host.fixed_names:
            continue
        host.names.numbers.pop(name, None)
        if value is None:
            continue
        if kind is None and re.match(r"dim3\s*[({]", value):
            _set_dims(host, name, _dims(host, value))
            continue
        try:
            number = parse(value, host.names)
            host.names.numbers[name] = Cast(kind, number) if kind else number
        except Untranslatable:
            if not host.lenient:
                raise


def _dim3(host: Host, text: str) -> None:
    for part in split(text):
        match = re.fullmatch(r"(\w+)\s*(?:=\s*)?(dim3\s*)?(?:[({](.*)[)}])?", part, re.DOTALL)
        is_one_value = re.match(r"\w+\s*=\s*\(", part)  # of `= (16, 16)` C++ takes the 16 behind the comma alone
        if match is None or is_one_value:
            raise Untranslatable(message("paste-reason.statement", text=f"dim3 {part}"))
        axes = tuple(parse(one, host.names) for one in split(match[3] or "1"))
        _set_dims(host, match[1], axes)


def _set_dims(host: Host, name: str, axes: Dims) -> None:
    """Also `grid.x` and its kind, which expressions may ask for."""
    host.dims[name] = axes
    for axis, number in zip("xyz", (*axes, Constant(1, "u32"), Constant(1, "u32")), strict=False):
        host.names.numbers[f"{name}.{axis}"] = Cast("u32", number)


def _dims(host: Host, text: str) -> Dims:
    text = text.strip()
    if text in host.dims:
        return host.dims[text]
    if match := re.fullmatch(r"(?:dim3\s*)?[({](.*)[)}]|dim3\s*\((.*)\)", text, re.DOTALL):
        whole = text.startswith(("dim3", "{"))
        if whole:
            return tuple(parse(one, host.names) for one in split(match[1]))
    return (parse(text, host.names),)


def launch_parts(text: str) -> tuple[str, str | None, list[str], tuple[str, ...]]:
    """Of a launch: the kernel as written, its template's arguments, the configuration, the arguments."""
    match = re.match(r"(\w+\s*(?:<(?!<)(.*?)>\s*)?)<<<", text)
    closed = text.find(">>>")
    opened = text.find("(", closed)
    if match is None or closed < 0 or text.count("<<<") != 1 or opened < 0:
        raise Untranslatable(message("paste-reason.statement", text=text))
    if text[closed + 3 : opened].strip() or closing(text, opened) != len(text) - 1:
        raise Untranslatable(message("paste-reason.statement", text=text))
    return match[1].strip(), match[2], split(text[match.end() : closed]), tuple(split(text[opened + 1 : -1]))


def _launch(host: Host, at: int, text: str) -> None:
    kernel, arguments, parts, args = launch_parts(text)
    if not 2 <= len(parts) <= 4 or (len(parts) == 4 and not _default_stream(parts[3])):
        raise Untranslatable(message("paste-reason.stream"))
    shared = parse(parts[2], host.names) if len(parts) > 2 else Constant(0, "i32")
    named = _kernel(host, kernel, arguments)
    host.launches.append(Launch(at, named, _dims(host, parts[0]), _dims(host, parts[1]), shared, args))


def _default_stream(text: str) -> bool:
    return bool(re.fullmatch(r"0|nullptr|NULL|(?:at|c10)::cuda::getCurrentCUDAStream\(\)(?:\.stream\(\))?", text))


def _kernel(host: Host, written: str, arguments: str | None) -> str:
    """The kernel as a launch line names it: names of the host function are not known there."""
    name = re.match(r"\w+", written)
    assert name is not None  # noqa: S101  the caller's pattern begins with it
    if arguments is None:
        if name[0] in host.templates:
            raise Untranslatable(message("paste-reason.template", kernel=name[0]))
        return name[0]
    parts = []
    for part in split(arguments):
        if bytes_of(part) is not None or part in {"bool", "true", "false"}:
            parts.append(part)
            continue
        number = parse(part, host.names)
        if not fixed(number):
            raise Untranslatable(message("paste-reason.template", kernel=name[0]))
        parts.append(str(int(computed(number, {})[0])))
    return f"{name[0]}<{', '.join(parts)}>"


def _malloc(host: Host, at: int, parts: list[str]) -> None:
    match = re.fullmatch(r"(?:\(\s*void\s*\*\s*\*\s*\)\s*|reinterpret_cast<void\s*\*\*>\()?\s*&\s*(\w+)\)?", parts[0])
    known = host.scratch.get(match[1]) if match and len(parts) == 2 else None
    size = bytes_of(known.type) if known else None
    if known is None or size is None or known.bytes is not None or host.launches:
        raise Untranslatable(message("paste-reason.memory", name=match[1] if match else parts[0]))
    known.at, known.bytes = at, parse(parts[1], host.names)
    known.elements = _without_factor(known.bytes, size)
    for sizes in host.shapes:
        if computed(known.bytes, sizes)[0] % size:
            raise Untranslatable(message("paste-reason.memory", name=known.name))


def _without_factor(bytes_: Number, size: int) -> Number:
    """`n` of `n * sizeof(float)`."""
    if isinstance(bytes_, Operation) and bytes_.name == "*":
        first, second = bytes_.of
        for factor, rest in ((second, first), (first, second)):
            if fixed(factor) and computed(factor, {})[0] == size:
                return rest
    return Operation("/", (bytes_, Constant(size, "i32")))


def _memset(host: Host, at: int, parts: list[str]) -> None:
    known = host.scratch.get(parts[0])
    if known is None or known.bytes is None or len(parts) != 3 or parts[1] != "0" or host.launches:
        raise Untranslatable(message("paste-reason.memset", name=parts[0]))
    asked = parse(parts[2], host.names)
    if any(computed(asked, sizes)[0] != computed(known.bytes, sizes)[0] for sizes in host.shapes):
        raise Untranslatable(message("paste-reason.memset", name=parts[0]))
    known.zero = True


def _branch(host: Host, text: str) -> None:
    """Left out where it never happens: a check for errors, a size that no shape of the problem has."""
    keyword = re.match(r"\w*", text)
    touches = re.search(r"<<<|\bcuda(?!GetErrorString|GetLastError|Success)\w+", text)
    if host.lenient and not touches:
        _forget(host, text)
        return
    opened = text.find("(")
    if keyword and keyword[0] == "if" and opened >= 0 and " else" not in text:
        closed = closing(text, opened)
        condition, then = text[opened + 1 : closed], text[closed + 1 :].strip()
        fails = re.fullmatch(r"\s*(?:\w+|cuda\w*Error\w*\s*\(\s*\))\s*!=\s*cudaSuccess\s*", condition)
        if fails and "<<<" not in then:
            return
        if re.fullmatch(r"\{?\s*return\s*;?\s*\}?", then) and _never(host, condition):
            return
    raise Untranslatable(message("paste-reason.branch", text=text))


def _never(host: Host, condition: str) -> bool:
    number = parse(condition, host.names)
    return bool(host.shapes) and not any(computed(number, sizes)[0] for sizes in host.shapes)


def _forget(host: Host, text: str) -> None:
    """What a loop may have changed is not known any more."""
    for name in re.findall(r"(\w+)\s*(?:\+\+|--|[-+*/%&|^]?=(?!=))|(?:\+\+|--)\s*(\w+)", text):
        for one in name:
            if one in host.fixed_names and not re.search(rf"for\s*\(\s*\w+\s+{one}\b", text):
                raise Untranslatable(message("paste-reason.assigned", name=one))
            host.names.numbers.pop(one, None)
            _forget_dims(host, one)


def _forget_dims(host: Host, name: str) -> None:
    host.dims.pop(name, None)
    for axis in "xyz":
        host.names.numbers.pop(f"{name}.{axis}", None)
