"""All mistakes that are looked for, those that give wrong results before those that only cost time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from knowledge.ask.pasted_code import device, host, python
from knowledge.ask.pasted_code.source import Code, code_in
from knowledge.words import Message

MOST = 2
"""More than two at once are no help."""
_LONGEST_LINE = 90
Look = Callable[[Code], Iterator[str]]

WRONG: Mapping[str, Look] = MappingProxyType(
    {
        "kernel_returns": device.kernel_returns_a_value,
        "shared_size": device.shared_size_at_run_time,
        "block_too_large": host.block_too_large,
        "range_power_of_two": python.range_no_power_of_two,
        "bytes": host.bytes_not_elements,
        "malloc_address": host.malloc_without_address,
        "address_of_pointer": host.address_of_pointer,
        "direction": host.wrong_direction,
        "device_pointer": host.device_pointer_on_host,
        "copy_thrown_away": python.copy_thrown_away,
        "view_pointer": python.view_by_its_pointer,
        "barrier_in_condition": device.barrier_in_condition,
        "mask_in_condition": device.full_mask_in_condition,
        "no_barrier": device.no_barrier_in_rounds,
        "unrolled": device.unrolled_without_order,
        "update": device.unordered_update,
        "block_stride": device.stride_of_one_block,
        "shuffle_without_mask": device.shuffle_without_mask,
        "dynamic_size": host.dynamic_size_not_given,
        "rounded_down": host.rounded_down_grid,
        "no_guard": device.unguarded_index,
        "printf": host.printf_before_the_end,
    }
)
SLOW: Mapping[str, Look] = MappingProxyType(
    {
        "rows_along_warp": device.rows_along_the_warp,
        "column_of_tile": device.column_of_a_tile,
        "scattered_threads": device.scattered_threads,
        "one_thread_blocks": host.one_thread_blocks,
    }
)
PERHAPS: Mapping[str, Look] = MappingProxyType(
    {"no_mask": python.access_without_mask, "no_guard": device.unguarded_lines}
)
"""Where nothing else is found."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong, and the line that shows it."""

    id: str
    line: str

    @property
    def said(self) -> Message:
        return Message(f"pasted.{self.id}", line=self.line.replace("`", "'")[:_LONGEST_LINE])

    @property
    def asked(self) -> Message:
        """The question that a page answers about it."""
        return Message(f"pasted_question.{self.id}")


def mistakes_in(message: str) -> tuple[Mistake, ...]:
    """What is wrong in the code of a message, the most certain first; what is only slow where nothing is wrong."""
    code = code_in(message)
    if code is None:
        return ()
    found = tuple(_found(code, WRONG))[:MOST]
    return found or tuple(_found(code, SLOW))[:1] or tuple(_found(code, PERHAPS))[:1]


def said_of(mistakes: Sequence[Mistake]) -> Message:
    """All of it as one message."""
    first, *others = mistakes
    return Message("pasted.two", first=first.said, second=others[0].said) if others else first.said


def _found(code: Code, looks: Mapping[str, Look]) -> Iterator[Mistake]:
    lines = set[str]()
    for name, look in looks.items():
        line = next(look(code), None)
        if line is not None and line not in lines:
            lines.add(line)
            yield Mistake(name, line)
