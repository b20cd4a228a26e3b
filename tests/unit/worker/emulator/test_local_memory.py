"""Arrays of a single thread: what was read stays as it was when its place is written again."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.worker.emulator.oracles import Empty, run

HEAD = 'extern "C" __global__ void k(const int* x, int* o)'
LENGTH = 8


def test_two_elements_change_places() -> None:
    source = f"""{HEAD} {{
        int a[2] = {{x[threadIdx.x], 7}}, *p = a;
        int kept = p[0];
        p[0] = p[1];
        p[1] = kept;
        o[threadIdx.x] = 1000 * p[0] + p[1];
    }}"""
    x = np.arange(64, dtype=np.int32)
    emulation = run(source, [x, Empty(64, "int32")], block=64)

    assert emulation.observations == ()
    np.testing.assert_array_equal(emulation.outputs["p1"].array, 7000 + x)


@pytest.mark.parametrize("threads", [1, 32, 96])
def test_an_array_is_sorted_in_place(threads: int) -> None:
    source = f"""{HEAD} {{
        int a[{LENGTH}];
        for (int j = 0; j < {LENGTH}; j++) a[j] = x[threadIdx.x * {LENGTH} + j];
        for (int j = 1; j < {LENGTH}; j++)
            for (int m = j; m > 0 && a[m - 1] > a[m]; m--) {{ int t = a[m]; a[m] = a[m - 1]; a[m - 1] = t; }}
        for (int j = 0; j < {LENGTH}; j++) o[threadIdx.x * {LENGTH} + j] = a[j];
    }}"""
    x = np.random.default_rng(threads).integers(-9, 9, (threads, LENGTH)).astype(np.int32)
    emulation = run(source, [x.reshape(-1), Empty(x.size, "int32")], block=threads)

    assert emulation.observations == ()
    np.testing.assert_array_equal(emulation.outputs["p1"].array.reshape(x.shape), np.sort(x, axis=1))
