"""Floating point in all its widths; the modifiers of rounding and flushing are honoured or refused."""

from __future__ import annotations

from worker.emulator.parse.program import Operand, Type
from worker.emulator.translate.emitter import Emitter, dtype_of, opcode

_PLAIN = {"add": "+", "sub": "-", "mul": "*"}
_NUMPY = {"add": "np.add", "sub": "np.subtract", "mul": "np.multiply"}
_DIRECTED = ("rz", "rm", "rp")
NARROW = {Type.F16: "f16", Type.BF16: "bf16", Type.F16X2: "f16x2", Type.BF16X2: "bf16x2"}


def _finish(at: Emitter, target: Operand, expression: str) -> None:
    if at.has("ftz"):
        expression = f"flush({expression})"
    if at.has("sat"):
        expression = f"saturate({expression})"
    at.write(target, expression)


def _inputs(at: Emitter, operands: tuple[Operand, ...]) -> list[str]:
    values = [at.read(item) for item in operands]
    return [f"flush({value})" for value in values] if at.has("ftz") else values


def _narrow(
    at: Emitter, target: Operand, operation: str, operands: tuple[Operand, ...], *, clamp: bool = True
) -> None:
    """`operation`, a function of floats, on halves or pairs."""
    kind = NARROW[at.type]
    if at.has("ftz"):
        at.refuse()
    if clamp and at.has("sat"):
        operation = f"(lambda *v: saturate(({operation})(*v)))"
    if at.has("relu"):
        operation = f"(lambda *v: relu(({operation})(*v)))"
    values = ", ".join(at.read(item) for item in operands)
    at.write(target, f'apply({operation}, "{kind}", {values})')


def arithmetic(at: Emitter) -> None:
    """add, sub, mul"""
    name = at.instruction.opcode
    at.allow("rn", "rz", "rm", "rp", "ftz", "sat", "noftz")
    target, a, b = at.operands
    if at.type in NARROW:
        return _narrow(at, target, _NUMPY[name], (a, b))
    if at.type not in (Type.F32, Type.F64):
        return at.refuse()
    x, y = _inputs(at, (a, b))
    mode = at.one_of(*_DIRECTED)
    if mode is None:
        return _finish(at, target, f"{x} {_PLAIN[name]} {y}")
    if at.type is Type.F32:
        return _finish(at, target, f'round_to(exact32({x}, {y}, "{name}"), F32, "{mode}")')
    if name == "mul":
        return at.write(target, f'multiply64({x}, {y}, "{mode}")')
    return at.write(target, f'add64({x}, {"-" if name == "sub" else ""}{y}, "{mode}")')


@opcode("fma")
def fused(at: Emitter) -> None:
    at.allow("rn", "rz", "rm", "rp", "ftz", "sat", "relu", "noftz")
    target, *operands = at.operands
    if at.type in NARROW:
        return _narrow(at, target, "fused", tuple(operands))
    if at.type not in (Type.F32, Type.F64) or at.has("relu"):
        return at.refuse()
    values = ", ".join(_inputs(at, tuple(operands)))
    mode = at.one_of(*_DIRECTED)
    if mode is None:
        return _finish(at, target, f"fma{at.type.bits}({values})")
    if at.type is Type.F32:
        return _finish(at, target, f'round_to(exact_fma32({values}), F32, "{mode}")')
    return at.write(target, f'fma64_directed({values}, "{mode}")')


def divide(at: Emitter) -> None:
    at.allow("rn", "rz", "rm", "rp", "ftz", "approx", "full")
    if at.instruction.opcode == "rem" or at.type not in (Type.F32, Type.F64):
        return at.refuse()
    target, a, b = at.operands
    x, y = _inputs(at, (a, b))
    mode = at.one_of(*_DIRECTED)
    if mode is None:
        return _finish(at, target, f"{x} / {y}")
    if at.type is Type.F32:
        return _finish(at, target, f'round_to(exact_divide32({x}, {y}), F32, "{mode}")')
    return at.write(target, f'divide64({x}, {y}, "{mode}")')


@opcode("sqrt", "rcp")
def root_or_reciprocal(at: Emitter) -> None:
    at.allow("rn", "rz", "rm", "rp", "ftz", "approx")
    if at.type not in (Type.F32, Type.F64):
        return at.refuse()
    target, a = at.operands
    (x,) = _inputs(at, (a,))
    is_root = at.instruction.opcode == "sqrt"
    mode = at.one_of(*_DIRECTED)
    one = f"{dtype_of(at.type)}(1)"
    if at.type is Type.F64 and at.has("approx"):
        return at.write(target, f"coarse_reciprocal({x})") if not is_root else at.refuse()
    if mode is None:
        return _finish(at, target, f"np.sqrt({x})" if is_root else f"{one} / {x}")
    if at.type is Type.F32:
        exact = f"exact_root32({x})" if is_root else f"exact_divide32({one}, {x})"
        return _finish(at, target, f'round_to({exact}, F32, "{mode}")')
    return at.write(target, f'root64({x}, "{mode}")' if is_root else f'divide64({one}, {x}, "{mode}")')


_SPECIAL = {"rsqrt": "reciprocal_root", "ex2": "exp2", "lg2": "log2", "sin": "sine", "cos": "cosine", "tanh": "tanh"}


@opcode(*_SPECIAL)
def special_function(at: Emitter) -> None:
    at.allow("approx", "ftz")
    target, a = at.operands
    function = _SPECIAL[at.instruction.opcode]
    if at.type in NARROW and at.instruction.opcode in ("ex2", "tanh"):
        kind = NARROW[at.type]
        return at.write(target, f'apply({function}, "{kind}", {at.read(a)})')
    if at.type is Type.F64 and at.instruction.opcode == "rsqrt":
        return at.write(target, f"coarse_reciprocal_root({at.read(a)})")
    if at.type is not Type.F32:
        return at.refuse()
    (x,) = _inputs(at, (a,))
    return _finish(at, target, f"{function}({x})")


def sign(at: Emitter) -> None:
    """neg, abs: on the bits, so that a NaN keeps its payload."""
    at.allow("ftz")
    target, a = at.operands
    if at.type in NARROW:
        function = "flip_sign" if at.instruction.opcode == "neg" else "drop_sign"
        return at.write(target, f'{function}({at.read(a)}, "{NARROW[at.type]}")')
    if at.type not in (Type.F32, Type.F64):
        return at.refuse()
    (x,) = _inputs(at, (a,))
    return at.write(target, f"-{x}" if at.instruction.opcode == "neg" else f"np.abs({x})")


def extreme(at: Emitter) -> None:
    """min, max, of two or three."""
    at.allow("ftz", "NaN")
    target, *operands = at.operands
    function = f"{at.instruction.opcode}imum{'_nan' if at.has('NaN') else ''}"
    if at.type in NARROW:
        return _narrow(at, target, function, tuple(operands))
    if at.type not in (Type.F32, Type.F64) or len(operands) != 2:
        return at.refuse()
    x, y = _inputs(at, tuple(operands))
    return at.write(target, f"{function}({x}, {y})")


@opcode("copysign")
def copy_sign(at: Emitter) -> None:
    at.allow()
    target, sign_of, magnitude = at.operands
    at.write(target, f"np.copysign({at.read(magnitude)}, {at.read(sign_of)})")


_TESTS = {
    "finite": "np.isfinite({0})",
    "infinite": "np.isinf({0})",
    "number": "~np.isnan({0})",
    "notanumber": "np.isnan({0})",
    "normal": "(np.isfinite({0}) & ((np.abs({0}) >= np.finfo({0}.dtype).tiny) | ({0} == 0)))",
    "subnormal": "((np.abs({0}) < np.finfo({0}.dtype).tiny) & ({0} != 0))",
}


@opcode("testp")
def test_property(at: Emitter) -> None:
    at.allow(*_TESTS)
    target, a = at.operands
    value = at.temporary(at.read(a))
    at.write(target, _TESTS[at.instruction.modifiers[0]].format(value), "BOOL")
