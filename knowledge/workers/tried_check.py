"""What a worker on another host may show of a try: its shapes, before anything draws them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from worker.protocol import Access, Tried, TriedOutput, Write

MOST_ARRAYS, MOST_SHOWN, MOST_LINES, MOST_FIGURES = 32, 64, 400, 32
MOST_CODE_LINES, LONGEST_CODE_LINE = 1000, 200
LONGEST_NAME = 64
WARP, MOST_ACCESS_BYTES, MOST_PASSES = 32, 16, 32 * 16
"""The most sectors or wavefronts that one access of a warp can take."""
MOST_OFFSET = 1 << 40
MOST_LINE = 1 << 31
MOST_COUNT = 1 << 53


def is_tried(tried: Tried) -> bool:
    """Whether this can be what a run showed."""
    outputs = tried.outputs
    return (
        len(tried.inputs) <= MOST_ARRAYS
        and all(_is_name(name) and len(values) <= MOST_SHOWN for name, values in tried.inputs.items())
        and len(outputs) <= MOST_ARRAYS
        and all(map(_is_output, outputs))
        and len(tried.writes) <= MOST_SHOWN
        and all(_is_write(one) for one in tried.writes)
        and _are_figures(tried.counts)
        and len(tried.lines) <= MOST_LINES
        and all(_is_line(line) and _are_figures(figures) for line, figures in tried.lines.items())
        and (tried.access is None or _is_access(tried.access))
        and _is_code(tried.ptx)
        and _is_code(tried.sass)
    )


def _is_output(output: TriedOutput) -> bool:
    shown = len(output.got)
    return (
        _is_name(output.name)
        and shown == len(output.expected) <= MOST_SHOWN
        and output.start >= 0
        and output.start + shown <= output.elements <= MOST_COUNT
        and all(0 <= place < shown for place in output.wrong)
        and len(output.wrong) <= shown
        and 0 <= output.mismatches <= output.elements
    )


def _is_write(write: Write) -> bool:
    return (write.line is None or _is_line(write.line)) and _are_counts(
        (write.launch, write.barriers, *write.thread, *write.block)
    )


def _is_access(access: Access) -> bool:
    """As a picture needs it: one offset for each lane, no lane twice, of a size that a lane can ask for."""
    return (
        _is_line(access.line)
        and len(access.buffer) <= LONGEST_NAME
        and 0 < access.bytes <= MOST_ACCESS_BYTES
        and 0 < len(access.lanes) == len(access.offsets) == len(set(access.lanes))
        and all(0 <= lane < WARP for lane in access.lanes)
        and all(-MOST_OFFSET <= offset <= MOST_OFFSET for offset in access.offsets)
        and _are_counts(access.block)
        and 0 < access.ideal <= access.passes <= MOST_PASSES
    )


def _is_code(code: Sequence[tuple[int, str]]) -> bool:
    return len(code) <= MOST_CODE_LINES and all(
        _is_line(line) and len(text) <= LONGEST_CODE_LINE for line, text in code
    )


def _are_figures(figures: Mapping[str, int]) -> bool:
    return len(figures) <= MOST_FIGURES and all(map(_is_name, figures)) and _are_counts(figures.values())


def _are_counts(numbers: Iterable[int]) -> bool:
    return all(0 <= number <= MOST_COUNT for number in numbers)


def _is_line(line: int) -> bool:
    """Of the member's file, as far as `#line` does not say otherwise: what is not there is drawn without its text."""
    return 0 <= line <= MOST_LINE


def _is_name(name: str) -> bool:
    return len(name) <= LONGEST_NAME
