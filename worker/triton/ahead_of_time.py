"""Triton's compiler, driven stage by stage as far as PTX: no driver, no card, no ptxas, no cache of its own."""

from __future__ import annotations

import re
from typing import Any

import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource, make_backend

from worker.triton.wire import Dtype, Specialisation, Value

EMULATORS_PTX_VERSION, PTX_VERSION = 84, 87
"""What the emulator reads, and what Triton's own ptxas does, which makes the card's code: for an older one Triton
would write the strides of tensor descriptors otherwise. Named, or Triton would ask a ptxas."""

HOPPER = 90

_ENTRY = re.compile(r"\.entry\s+([\w$]+)")


def compiled(kernel: Any, what: Specialisation, capability: int) -> tuple[str, str, int, int, int]:
    """PTX, entry, bytes of shared memory, warps, and bytes of global scratch that each program needs."""
    target = GPUTarget("cuda", capability, 32)
    backend = make_backend(target)
    version = PTX_VERSION if capability >= HOPPER else EMULATORS_PTX_VERSION
    options = backend.parse_options(
        {"num_warps": what.num_warps, "num_stages": what.num_stages, "ptx_version": version}
    )
    constants = {name: _value(value) for name, value in what.constants}
    places = {name: number for number, (name, _) in enumerate(what.signature)}
    attrs = {(places[name],): [["tt.divisibility", 16]] for name in what.divisible}
    source = ASTSource(kernel, dict(what.signature), constants, attrs)
    stages: dict[str, Any] = {}
    backend.add_stages(stages, options, source.language)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(
        target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context
    )
    metadata: dict[str, Any] = {"hash": "", "target": target, **options.__dict__}
    for name in ("ttir", "ttgir", "llir", "ptx"):
        module = stages[name](module, metadata)
    ptx = str(module)
    entry = _ENTRY.search(ptx)
    if entry is None:
        raise ValueError("Triton wrote no kernel")
    return (
        ptx,
        entry[1],
        int(metadata["shared"]),
        int(metadata["num_warps"]),
        int(metadata.get("global_scratch_size") or 0),
    )


def _value(value: Value) -> Any:
    return getattr(tl, value.name) if isinstance(value, Dtype) else value
