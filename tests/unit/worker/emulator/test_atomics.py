"""Atomics of one instruction act one after the other, in the order of threads where none of them can fail."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.unit.worker.emulator.oracles import Empty, run
from worker.emulator.request import Limits
from worker.protocol import Kind

THREADS = 96

CALLS: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "exchange": ("atomicExch(w, v)", lambda word, v: v),
    "increment": ("atomicInc(w, v)", lambda word, v: 0 if word >= v else word + 1),
    "decrement": ("atomicDec(w, v)", lambda word, v: v if word == 0 or word > v else word - 1),
    "add": ("atomicAdd(w, v)", lambda word, v: word + v),
    "minimum": ("atomicMin(w, v)", min),
    "maximum": ("atomicMax(w, v)", max),
    "and": ("atomicAnd(w, v | 8)", lambda word, v: word & (v | 8)),
    "or": ("atomicOr(w, v)", lambda word, v: word | v),
    "exclusive or": ("atomicXor(w, v)", lambda word, v: word ^ v),
}


@pytest.mark.parametrize("words", [1, 3, 96])
@pytest.mark.parametrize(("call", "step"), CALLS.values(), ids=CALLS.keys())
def test_every_lane_gets_what_the_one_before_it_left(call: str, step: Callable[[int, int], int], words: int) -> None:
    rng = np.random.default_rng(words)
    where, value = (rng.integers(0, most, THREADS).astype(np.uint32) for most in (words, 40))
    source = f"""extern "C" __global__ void k(const unsigned* x, const unsigned* y, unsigned* o, unsigned* last) {{
        __shared__ unsigned s[96];
        unsigned i = threadIdx.x, v = y[i], *w = &s[x[i]];
        s[i] = i;
        __syncthreads();
        o[i] = {call};
        __syncthreads();
        last[i] = s[i];
    }}"""
    emulation = run(source, [where, value, Empty(THREADS, "uint32"), Empty(THREADS, "uint32")], block=THREADS)

    memory = list(range(THREADS))
    before = []
    for place, v in zip(where.tolist(), value.tolist(), strict=True):
        before.append(memory[place])
        memory[place] = step(memory[place], v)
    assert emulation.observations == ()
    assert emulation.outputs["p2"].array.tolist() == before
    assert emulation.outputs["p3"].array.tolist() == memory


def test_of_many_that_swap_the_same_value_one_succeeds() -> None:
    source = """extern "C" __global__ void k(unsigned* o) {
        __shared__ unsigned w;
        if (threadIdx.x == 0) w = 0;
        __syncthreads();
        o[threadIdx.x] = atomicCAS(&w, 0, threadIdx.x + 1);
    }"""
    found = run(source, [Empty(THREADS, "uint32")], block=THREADS).outputs["p0"].array

    (winner,) = np.flatnonzero(found == 0)
    assert set(np.delete(found, winner).tolist()) == {winner + 1}


def test_a_lock_that_a_warp_can_never_share_ends_by_its_steps() -> None:
    source = """extern "C" __global__ void k(int* lock, int* o) {
        while (true) if (atomicExch(lock, 1) == 0) o[0] += 1;
    }"""
    limits = Limits(blocks=2000, seconds=60.0)
    emulation = run(source, [Empty(1, "int32"), Empty(1, "int32")], block=THREADS, limits=limits)

    assert emulation.ending is Kind.TIMEOUT
    assert "infinite-loop" in {item.id for item in emulation.observations}
