"""Mistakes on the host's side: sizes, pointers, launches, waiting."""

from __future__ import annotations

import re
from collections.abc import Iterator

from knowledge.ask.pasted_code.source import Code, arguments, parenthesis_at

_SIZE_AT = {
    "Memcpy": 2,
    "MemcpyAsync": 2,
    "Malloc": 1,
    "MallocManaged": 1,
    "MallocHost": 1,
    "Memset": 2,
    "MemsetAsync": 2,
}
_SIZED_CALL = re.compile(r"\bcuda(?P<name>" + "|".join(sorted(_SIZE_AT, key=len, reverse=True)) + r")\s*(?=\()")
_COUNT = re.compile(r"(?:[A-Z]|[nN]\w{0,3}|num\w*|count|len(?:gth)?|elements)(?:\s*\*\s*[A-Za-z]\w{0,2})*")
_BYTE_POINTER = re.compile(r"\b(?:char|u?int8_t|void|byte)\s*\*")
_LAUNCH = re.compile(r"(?P<name>\w+)\s*<<<(?P<how>[^;]*?)>>>")
_DIM3 = re.compile(r"\bdim3\s+(?P<name>\w+)\s*(?:\(|\{|=\s*dim3\s*\()(?P<sizes>[^;{}]*?)[)}]\s*;?")
_MOST_THREADS = 1024
_FLOOR = re.compile(r"(?P<all>[A-Za-z_]\w*|\d+)\s*/\s*(?P<part>[A-Za-z_][\w.]*|\d+)")
_POINTER = re.compile(r"&\s*(?:h|d|host|dev)_\w+$")
_ALLOCATED = re.compile(r"\bcudaMalloc\s*\(\s*(?:\(\s*\w+\s*\*\s*\*\s*\)\s*)?&\s*(?P<name>\w+)")


def bytes_not_elements(code: Code) -> Iterator[str]:
    """A number of elements where a number of bytes is wanted."""
    if _BYTE_POINTER.search(code.text):
        return
    for call in _SIZED_CALL.finditer(code.text):
        given = arguments(parenthesis_at(code.text, call.end())[0])
        at = _SIZE_AT[call["name"]]
        if len(given) > at and _COUNT.fullmatch(given[at]) and not _is_bytes(code, given[at]):
            yield code.line_of(call.start())


def _is_bytes(code: Code, name: str) -> bool:
    """Whether a variable was made with sizeof."""
    return re.search(rf"\b{re.escape(name)}\s*=[^;]*sizeof", code.text) is not None


def malloc_without_address(code: Code) -> Iterator[str]:
    for call in re.finditer(r"\bcudaMalloc\s*\(\s*(?:\(\s*void\s*\*\s*\*\s*\)\s*)?(\w+)\s*,", code.text):
        if re.search(rf"\*\s*{call[1]}\b", code.text) and not re.search(rf"\*\s*\*\s*{call[1]}\b", code.text):
            yield code.line_of(call.start())


def address_of_pointer(code: Code) -> Iterator[str]:
    """`cudaMemcpy(&d_x, ...)`, where d_x is a pointer already."""
    pointers = set(re.findall(r"\b(?:float|double|int|half|\w+_t)\s*\*\s*(\w+)", code.text)) | _allocated(code)
    for call in re.finditer(r"\bcudaMemcpy(?:Async)?\s*(?=\()", code.text):
        given = arguments(parenthesis_at(code.text, call.end())[0])
        if any(_POINTER.match(each) or (each[:1] == "&" and each[1:].strip() in pointers) for each in given[:2]):
            yield code.line_of(call.start())


def wrong_direction(code: Code) -> Iterator[str]:
    for call in re.finditer(r"\bcudaMemcpy(?:Async)?\s*(?=\()", code.text):
        given = arguments(parenthesis_at(code.text, call.end())[0])
        if len(given) < 4:
            continue
        to_host = bool(re.match(r"&?h(?:ost)?_", given[0])) and bool(re.match(r"&?d(?:ev)?_", given[1]))
        to_card = bool(re.match(r"&?d(?:ev)?_", given[0])) and bool(re.match(r"&?h(?:ost)?_", given[1]))
        if (to_host and "HostToDevice" in given[3]) or (to_card and "DeviceToHost" in given[3]):
            yield code.line_of(call.start())


def device_pointer_on_host(code: Code) -> Iterator[str]:
    """The host reads or writes through a pointer that cudaMalloc gave."""
    for name in sorted(_allocated(code)):
        for use in re.finditer(
            rf"(?<![\w*.,(&]\s)(?<![\w.&])\*\s*{name}\s*[-+*/]?=[^=]|\b{name}\s*\[[^\]]*\]", code.host
        ):
            yield Code(code.host).line_of(use.start())


def _allocated(code: Code) -> set[str]:
    return {found["name"] for found in _ALLOCATED.finditer(code.host)}


def rounded_down_grid(code: Code) -> Iterator[str]:
    """As many blocks as fit whole: the rest of the elements gets no thread."""
    for launch in _LAUNCH.finditer(code.text):
        blocks = arguments(launch["how"])[0]
        if _rounds_down(code, blocks):
            yield launch[0]
    for made in _DIM3.finditer(code.text):
        sizes = arguments(made["sizes"])
        if re.search(r"grid|block(?:s|_?num)|nblk", made["name"], re.IGNORECASE) and any(
            _rounds_down(code, size) for size in sizes
        ):
            yield code.line_of(made.start())


def _rounds_down(code: Code, size: str) -> bool:
    found = _FLOOR.fullmatch(size.strip().strip("()"))
    if found is None:
        return False
    whole, part = _number(code, found["all"]), _number(code, found["part"])
    return not (whole and part and whole % part == 0)


def _number(code: Code, name: str) -> int | None:
    """What a literal is, or a name that is set to one."""
    if name.isdigit():
        return int(name)
    found = re.search(
        rf"\b{re.escape(name)}\s*=\s*(\d+)\s*(?:<<\s*(\d+))?\s*[;,)]|#define\s+{re.escape(name)}\s+(\d+)", code.text
    )
    if found is None:
        return None
    return int(found[3]) if found[3] else int(found[1]) << int(found[2] or 0)


def block_too_large(code: Code) -> Iterator[str]:
    """More than 1024 threads in a block: the launch fails."""
    launched = {given[1] for launch in _LAUNCH.finditer(code.text) if len(given := arguments(launch["how"])) > 1}
    for made in _DIM3.finditer(code.text):
        sizes = [_number(code, size) for size in arguments(made["sizes"])]
        threads = 1
        for size in sizes:
            threads *= size or 1
        named = made["name"] in launched or re.search(
            r"^(?:dim)?block(?:dim|size)?$|thread|tpb", made["name"], re.IGNORECASE
        )
        if named and None not in sizes and threads > _MOST_THREADS:
            yield code.line_of(made.start())
    for launch in _LAUNCH.finditer(code.text):
        given = arguments(launch["how"])
        if len(given) > 1 and (_number(code, given[1]) or 0) > _MOST_THREADS:
            yield launch[0]


def one_thread_blocks(code: Code) -> Iterator[str]:
    for launch in _LAUNCH.finditer(code.text):
        given = arguments(launch["how"])
        if len(given) > 1 and given[1] == "1" and given[0] != "1":
            yield launch[0]


def dynamic_size_not_given(code: Code) -> Iterator[str]:
    """`extern __shared__` with a launch that reserves no bytes."""
    if re.search(r"extern\s+__shared__", code.text):
        for launch in _LAUNCH.finditer(code.text):
            if len(arguments(launch["how"])) == 2:
                yield launch[0]


def printf_before_the_end(code: Code) -> Iterator[str]:
    """A program that ends before the kernel has printed."""
    waits = re.search(r"cuda(?:Device|Stream|Event)Synchronize|cudaMemcpy\s*\(|cudaDeviceReset", code.host)
    ends = re.search(r"\bmain\s*\([^)]*\)", code.host)
    prints = re.search(r"\bprintf\s*\(", code.device) if code.kernels else True
    launch = _LAUNCH.search(code.host)
    if launch and ends and prints and not waits:
        yield launch[0]
