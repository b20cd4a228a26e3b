"""The kernels of every course against numpy, an oracle that shares nothing with the emulator."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kernels.corpus import FOLDER, Filled, fill, load
from tests.kernels.emulated import run_case
from tests.unit.worker.emulator.oracles import Empty, run


def filled(case_name: str, buffer: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    case = load(FOLDER / f"{case_name}.cu")
    item: Filled = next(item for item in case.buffers if item.name == buffer)
    return fill(item)


def test_vector_addition() -> None:
    output = run_case(load(FOLDER / "clean/vector_add.cu")).outputs["o"].array

    np.testing.assert_array_equal(output, filled("clean/vector_add", "a") + filled("clean/vector_add", "b"))


@pytest.mark.parametrize("name", ["matmul_naive", "matmul_tiled"])
def test_matrix_multiplication(name: str) -> None:
    output = run_case(load(FOLDER / f"clean/{name}.cu")).outputs["o"].array
    a, b = filled(f"clean/{name}", "a").reshape(20, 30), filled(f"clean/{name}", "b").reshape(30, 25)

    np.testing.assert_allclose(output, (a.astype(np.float64) @ b).reshape(-1), rtol=1e-4, atol=1e-5)


def test_softmax() -> None:
    output = run_case(load(FOLDER / "clean/softmax.cu")).outputs["o"].array.reshape(8, 128)
    x = filled("clean/softmax", "x").reshape(8, 128).astype(np.float64)
    exponent = np.exp(x - x.max(1, keepdims=True))

    np.testing.assert_allclose(output, exponent / exponent.sum(1, keepdims=True), rtol=2e-6)


@pytest.mark.parametrize("name", ["scan_hillis_steele", "scan_warp"])
def test_prefix_sums(name: str) -> None:
    output = run_case(load(FOLDER / f"clean/{name}.cu")).outputs["o"].array
    x = filled(f"clean/{name}", "x")
    expected = x.reshape(-1, 32).cumsum(1).reshape(-1) if name == "scan_warp" else x.cumsum()

    np.testing.assert_array_equal(output, expected)


def test_a_histogram_counts_everything() -> None:
    output = run_case(load(FOLDER / "clean/histogram_shared.cu")).outputs["o"].array

    np.testing.assert_array_equal(output, np.bincount(filled("clean/histogram_shared", "x") & 63, minlength=64))


def test_sorting_networks_and_library_sorts_sort() -> None:
    for name in ("bitonic_sort", "cub_radix_sort"):
        output = run_case(load(FOLDER / f"clean/{name}.cu")).outputs["o"].array
        np.testing.assert_array_equal(output, np.sort(filled(f"clean/{name}", "x")))


def test_recursion_computes_fibonacci() -> None:
    output = run_case(load(FOLDER / "clean/recursion.cu")).outputs["o"].array
    numbers = [0, 1]
    for _ in range(10):
        numbers.append(numbers[-1] + numbers[-2])

    np.testing.assert_array_equal(output, np.array(numbers)[filled("clean/recursion", "x")])


def test_printf_prints_what_c_would_print() -> None:
    assert run_case(load(FOLDER / "clean/printf.cu")).printed == "thread 2 says  1.50 and hello\n"


def test_a_division_that_is_not_by_a_power_of_two_rounds_towards_zero() -> None:
    x = np.array([-7, 7, -2147483648, 2147483647], np.int32)
    emulation = run(
        'extern "C" __global__ void k(const int* x, int* o) {'
        " int v = x[threadIdx.x]; o[threadIdx.x] = v / 2 - v % 3; }",
        [x, Empty(4, "int32")], block=4,
    )  # fmt: skip

    np.testing.assert_array_equal(emulation.outputs["p1"].array, [-3 + 1, 3 - 1, -1073741824 + 2, 1073741823 - 1])
