"""The writers of instructions, by subject."""

from worker.emulator.translate.emitter import names_of
from worker.emulator.translate.opcodes import (
    arithmetic,
    bits,
    compare,
    control,
    convert,
    floating,
    matrix,
    memory,
    move,
    warp,
)

_ROOMS = (arithmetic, bits, compare, control, convert, floating, matrix, memory, move, warp)

WRITERS = {name: handler for room in _ROOMS for handler in vars(room).values() for name in names_of(handler)}
"""By opcode, the function that writes its Python."""
