"""The problems as they ship: their kernels compile, and their references are right where a formula says so.

What can be said of any problem is said by `warpmate content check`, which `make lint` calls.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cuda.bindings import nvrtc

from worker.compile.headers import include_folders
from worker.emulator.options import MACROS
from worker.oracle import Inputs, Oracle
from worker.problem import load_all

CONTENT = Path(__file__).parents[3] / "content"
PROBLEMS = load_all(CONTENT / "problems")
THE_SIXTEEN = {
    "vector_add", "matrix_add", "sigmoid", "matmul", "dense_sigmoid", "saxpy_strided", "transpose", "reduce_sum",
    "inclusive_scan", "histogram", "softmax", "layer_norm", "conv1x1", "conv3x3", "hgemm", "int8_quantize",
}  # fmt: skip
each_kernel = pytest.mark.parametrize(
    "kernel",
    sorted((CONTENT / "problems").rglob("*.cu")),
    ids=lambda path: "-".join(path.relative_to(CONTENT / "problems").with_suffix("").parts),
)


def first_line(solution: Path) -> str:
    return solution.read_text(encoding="utf-8").split("\n", 1)[0]


def claimed(solution: Path) -> str:
    """The verdict that a wrong solution says it gets; empty for others."""
    found = re.fullmatch(r"// verdict: (\w+)", first_line(solution))
    return found[1] if found else ""


def outputs_of(slug: str, **inputs: Any) -> Any:
    """What the problem's reference.py says of numbers chosen here."""
    names = {key: value for key, value in inputs.items() if np.ndim(value) == 0}
    arrays = {key: np.asarray(value, np.float64) for key, value in inputs.items() if np.ndim(value) > 0}
    problem = PROBLEMS[slug]
    buffers = {name: problem.param(name).element.encode(values).reshape(-1) for name, values in arrays.items()}
    sizes = {name: int(value) for name, value in names.items() if name in problem.size_names}
    return Oracle(problem).expected(Inputs(sizes, buffers, names)).outputs


def test_the_problems_of_the_first_course_are_all_there() -> None:
    assert set(PROBLEMS) >= THE_SIXTEEN


# --- kernels ----------------------------------------------------------------------------------------------


@functools.cache
def compiles(source: str, arch: str) -> str:
    """The compiler's complaints; empty when there are none."""
    _, program = nvrtc.nvrtcCreateProgram(source.encode(), b"kernel.cu", 0, None, None)
    options = [f"--gpu-architecture={arch}", "--std=c++17", "-default-device",
               *(f"-D{macro}" for macro in MACROS), *(f"-I{folder}" for folder in include_folders())]  # fmt: skip
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), [option.encode() for option in options])
    _, size = nvrtc.nvrtcGetProgramLogSize(program)
    log = b" " * (size + 1)  # never of one byte: those are shared by the interpreter
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(program)
    return log.decode(errors="replace").strip("\0 \n") if int(status) else ""


@pytest.mark.slow
@each_kernel
@pytest.mark.parametrize("arch", ["sm_90a", "sm_80"])
def test_a_kernel_compiles_unless_it_says_otherwise(kernel: Path, arch: str) -> None:
    if first_line(kernel) == "// needs: gpu" and arch != "sm_90a":
        assert re.search("wgmma|__cluster_dims__", kernel.read_text(encoding="utf-8"))
        return
    complaints = compiles(kernel.read_text(encoding="utf-8"), arch)
    assert bool(complaints) == (claimed(kernel) == "compile_error"), complaints


# --- references against closed forms ----------------------------------------------------------------------


def test_vector_add_of_a_line_and_its_double_is_its_triple() -> None:
    line = np.arange(50.0)
    assert np.array_equal(outputs_of("vector_add", a=line, b=2 * line, n=50)["c"], 3 * line)


def test_matrix_add_keeps_rows_apart() -> None:
    a = np.array([[1, 2, 3], [4, 5, 6]])
    b = np.array([[10, 10, 10], [20, 20, 20]])
    c = outputs_of("matrix_add", a=a, b=b, rows=2, cols=3)["c"]
    assert c.tolist() == [[11, 12, 13], [24, 25, 26]]


def test_sigmoid_undoes_the_log_odds() -> None:
    odds = np.array([0.25, 0.5, 1.0, 2.0, 8.0])
    y = outputs_of("sigmoid", x=np.log(odds), n=5)["y"]
    assert y == pytest.approx(odds / (1 + odds), rel=1e-6)


def test_sigmoid_of_infinities_is_the_end_of_its_range() -> None:
    assert outputs_of("sigmoid", x=np.array([np.inf, -np.inf, 0.0]), n=3)["y"].tolist() == [1.0, 0.0, 0.5]


def test_saxpy_leaves_the_gaps_alone() -> None:
    y = outputs_of("saxpy_strided", alpha=2.0, x=[1, 9, 2, 9, 3], y=[10, 70, 20, 80, 30], n=3, stride=2)["y"]
    assert y.tolist() == [12, 70, 24, 80, 36]


def test_transpose_twice_is_nothing() -> None:
    x = np.arange(35.0).reshape(5, 7)
    once = outputs_of("transpose", x=x, rows=5, cols=7)["y"]
    assert np.array_equal(outputs_of("transpose", x=once, rows=7, cols=5)["y"], x)


def test_reduce_sum_of_the_first_numbers_is_gauss_formula() -> None:
    assert outputs_of("reduce_sum", x=np.arange(1001.0), n=1001)["out"].tolist() == [1000 * 1001 / 2]


def test_inclusive_scan_of_odd_numbers_gives_squares() -> None:
    y = outputs_of("inclusive_scan", x=2 * np.arange(100) + 1, n=100)["y"]
    assert np.array_equal(y, (np.arange(100) + 1) ** 2)


def test_histogram_of_v_times_v_counts_v() -> None:
    counts = outputs_of("histogram", x=np.repeat(np.arange(256), np.arange(256)), n=256 * 255 // 2)["counts"]
    assert np.array_equal(counts, np.arange(256))


def test_matmul_of_the_first_powers_of_a_matrix_gives_fibonacci_numbers() -> None:
    q = np.array([[1, 1], [1, 0]])
    power = q
    for _ in range(9):
        power = outputs_of("matmul", a=power, b=q, m=2, n=2, k=2)["c"]
    assert power.tolist() == [[89, 55], [55, 34]]


def test_hgemm_multiplies_by_the_transpose() -> None:
    c = outputs_of("hgemm", a=[[1, 2], [3, 4]], b=[[1, 0], [1, 1]], m=2, n=2, k=2)["c"]
    assert c.tolist() == [[1, 3], [3, 7]]


def test_dense_sigmoid_balances_on_the_bias() -> None:
    layer = {"w": [[1, 2, 3], [0, -1, 0]], "x": [1, 1, -1], "b": [0, 1]}
    assert outputs_of("dense_sigmoid", **layer, m=2, n=3)["y"].tolist() == [0.5, 0.5]


def test_softmax_of_logarithms_is_their_share() -> None:
    y = outputs_of("softmax", x=np.log([[1.0, 2.0, 5.0]]) + 900, rows=1, cols=3)["y"]
    assert y[0] == pytest.approx([0.125, 0.25, 0.625], rel=1e-4)


def test_layer_norm_of_two_numbers_is_plus_and_minus_one_but_for_the_epsilon() -> None:
    y = outputs_of("layer_norm", x=[[1, 3]], gamma=[1, 10], beta=[0, 5], rows=1, cols=2)["y"]
    one = 1 / np.sqrt(1 + 1e-5)
    assert y[0] == pytest.approx([-one, 10 * one + 5], rel=1e-12)


def test_conv1x1_mixes_channels_of_each_pixel() -> None:
    sizes = {"batch": 1, "channels_in": 2, "channels_out": 1, "pixels": 3}
    y = outputs_of("conv1x1", x=[[[1, 2, 3], [10, 20, 30]]], w=[[1, 0.5]], bias=[100], **sizes)["y"]
    assert y[0, 0].tolist() == [106, 112, 118]


def test_conv3x3_with_one_weight_moves_the_image() -> None:
    move_left = [[0, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert outputs_of("conv3x3", x=[[1, 2], [3, 4]], w=move_left, height=2, width=2)["y"].tolist() == [[2, 0], [4, 0]]


def test_gaussian_blur_continues_the_border_and_mixes_along_both_axes() -> None:
    weights = [0, 0, 0, 0, 0.25, 0.5, 0.25, 0, 0, 0, 0]
    row = outputs_of("gaussian_blur", x=[[0, 0, 8, 0]], w=weights, height=1, width=4)["y"]
    assert row.tolist() == [[0, 2, 4, 2]]
    corner = outputs_of("gaussian_blur", x=[[16, 0], [0, 0]], w=weights, height=2, width=2)["y"]
    assert corner.tolist() == [[9, 3], [3, 1]]


def test_resize_bilinear_lays_edges_on_edges() -> None:
    wider = outputs_of("resize_bilinear", x=[[0, 8]], in_height=1, in_width=2, height=1, width=4)["y"]
    assert wider.tolist() == [[0, 2, 6, 8]]
    half = outputs_of("resize_bilinear", x=[[1, 3], [5, 7]], in_height=2, in_width=2, height=1, width=1)["y"]
    assert half.tolist() == [[4]]


def test_spmm_csr_of_a_small_matrix_is_its_product() -> None:
    matrix = {"row_start": [0, 2, 2], "column": [0, 2], "value": [2, 1]}
    x = [[1, 5], [9, 9], [100, 50]]
    y = outputs_of("spmm_csr", **matrix, x=x, rows=2, cols=3, nonzeros=2, width=2)["y"]
    assert y.tolist() == [[102, 60], [0, 0]]


def test_gemm_bias_gelu_of_one_and_minus_two_is_what_tables_say() -> None:
    y = outputs_of("gemm_bias_gelu", a=[[2]], b=[[1], [1]], bias=[-1, -4], m=1, n=2, k=1)["y"]
    assert y[0] == pytest.approx([0.841345, -2 * 0.0227501], rel=1e-5)  # the normal distribution at 1 and at -2


def test_int8_gemm_holds_what_no_byte_does() -> None:
    c = outputs_of("int8_gemm", a=[[100, 100]], b=[[100, 100], [1, -1]], m=1, n=2, k=2)["c"]
    assert c.tolist() == [[20000, 0]]


def test_decode_attention_follows_its_table_and_stops_at_the_length() -> None:
    sizes = {"batch": 1, "heads": 1, "max_pages": 1, "pages": 2}
    keys, values, q = np.zeros((2, 16, 1, 64)), np.full((2, 16, 1, 64), 100.0), np.zeros((1, 1, 64))
    q[0, 0, 0], keys[1, 1, 0, 0] = 8.0, np.log(3.0)
    values[1, 0], values[1, 1] = 4.0, 8.0
    out = outputs_of("decode_attention", q=q, keys=keys, values=values, table=[[1]], length=[2], **sizes)["out"]
    assert out.reshape(-1) == pytest.approx(np.full(64, 7.0), rel=1e-3)


def test_int8_quantize_gives_back_what_lies_on_the_grid() -> None:
    steps = np.array([-127, -64, -1, 0, 1, 5, 126, 127])
    outputs = outputs_of("int8_quantize", x=steps * 0.25, n=8)
    assert outputs["scale"].tolist() == [0.25]
    assert np.array_equal(outputs["q"], steps)
    assert np.array_equal(outputs["y"], steps * 0.25)


def test_int8_quantize_of_zeros_has_the_scale_one() -> None:
    outputs = outputs_of("int8_quantize", x=np.zeros(4), n=4)
    assert outputs["scale"].tolist() == [1.0]
    assert not outputs["q"].any()
    assert not outputs["y"].any()


def test_rms_norm_of_three_and_four_keeps_their_ratio() -> None:
    y = outputs_of("rms_norm", x=[[3, 4]], gamma=[1, 2], rows=1, cols=2)["y"]
    assert y[0] == pytest.approx(np.array([3, 8]) / np.sqrt(12.5 + 1e-5), rel=1e-12)


def test_cross_entropy_of_logarithms_is_that_of_their_shares() -> None:
    outputs = outputs_of("cross_entropy", x=np.log([[1.0, 2.0, 5.0]]) - 700, target=[1], rows=1, cols=3)
    assert outputs["loss"] == pytest.approx([np.log(4.0)], rel=1e-4)
    assert outputs["grad"][0] == pytest.approx([0.125, -0.75, 0.625], rel=1e-4)


def test_compact_positions_counts_from_its_base() -> None:
    outputs = outputs_of("compact_positions", x=[3, -1, 0, 5, 2], n=5, base=2**32)
    assert outputs["positions"].tolist() == [2**32, 2**32 + 3, 2**32 + 4, -1, -1]
    assert outputs["count"].tolist() == [3]


def test_eight_passes_of_a_radix_sort_sort() -> None:
    keys = np.random.default_rng(0).integers(0, 2**32, 500)
    once = keys
    for shift in range(0, 32, 4):
        once = outputs_of("radix_pass", keys=once, n=500, shift=shift)["sorted"]
    assert np.array_equal(once, np.sort(keys))


def test_segmented_sum_of_an_empty_segment_is_zero() -> None:
    out = outputs_of("segmented_sum", x=[1, 2, 3, 4, 5], segment=[0, 0, 2, 2, 2], n=5, segments=4)["out"]
    assert out.tolist() == [3, 0, 12, 0]


def test_depthwise_conv_with_one_weight_moves_one_channel() -> None:
    weights = np.zeros((5, 5, 2))
    weights[2, 3, 0], weights[2, 2, 1] = 1, 1
    image = [[[1, 10], [2, 20], [3, 30]]]
    y = outputs_of("depthwise_conv", x=image, w=weights, height=1, width=3, channels=2)["y"]
    assert y[0].tolist() == [[2, 10], [3, 20], [0, 30]]


def test_batched_matmul_keeps_the_products_apart() -> None:
    c = outputs_of("batched_matmul", a=[[[2]], [[3]]], b=[[[5]], [[7]]], batch=2, m=1, n=1, k=1)["c"]
    assert c.reshape(-1).tolist() == [10, 21]


def test_splitk_matmul_multiplies_rows_by_rows() -> None:
    c = outputs_of("splitk_matmul", a=[[1, 2, 3]], b=[[1, 1, 1], [0, 0, 2]], m=1, n=2, k=3)["c"]
    assert c.tolist() == [[6, 6]]


def test_rope_by_a_quarter_turn_exchanges_a_pair() -> None:
    tables = {"cosines": [[1], [0]], "sines": [[0], [1]]}
    turned = outputs_of("rope", x=[[[3, 4]]], **tables, position=[1], tokens=1, heads=1, pairs=1, positions=2)["x"]
    assert turned.reshape(-1).tolist() == [-4, 3]


def test_spmv_csr_of_a_small_matrix_is_its_product() -> None:
    matrix = {"row_start": [0, 2, 2, 3], "column": [0, 2, 1], "value": [2, 1, 3]}
    y = outputs_of("spmv_csr", **matrix, x=[1, 10, 100], rows=3, cols=3, nonzeros=3)["y"]
    assert y.tolist() == [102, 0, 30]


def test_column_variance_of_three_numbers_is_divided_by_three() -> None:
    outputs = outputs_of("column_variance", x=[[1, 5], [2, 5], [3, 5]], rows=3, cols=2)
    assert outputs["mean"].tolist() == [2, 5]
    assert outputs["variance"] == pytest.approx([2 / 3, 0], rel=1e-12)


def test_int4_gemv_takes_eight_from_the_lowest_bits_first() -> None:
    words = [[0x000000A9, *[0x88888888] * 7]]
    x = np.array([1, 1, *[0] * 62])
    assert outputs_of("int4_gemv", w=words, scale=[[0.5]], x=x, rows=1, groups=1)["y"].tolist() == [1.5]


def test_top_k_takes_equal_numbers_from_left_to_right() -> None:
    outputs = outputs_of("top_k", x=[[5, 9, 2, 9, 7]], rows=1, cols=5, k=3)
    assert outputs["values"].tolist() == [[9, 9, 7]]
    assert outputs["index"].tolist() == [[1, 3, 4]]


def test_nbody_forces_of_two_bodies_follow_from_the_other_ones_mass() -> None:
    pulls = outputs_of("nbody_forces", body=[[0, 0, 0, 1], [1, 0, 0, 2]], n=2)["acceleration"]
    assert pulls == pytest.approx(np.array([[2, 0, 0], [-1, 0, 0]]) / 1.01**1.5, rel=1e-12)


def test_bfs_level_goes_on_along_a_chain_and_not_back() -> None:
    chain = {"row_start": [0, 1, 3, 5, 6], "neighbour": [1, 0, 2, 1, 3, 2]}
    assert outputs_of("bfs_level", **chain, frontier=[2], reached=[3], n=4, edges=6)["next"].tolist() == [4]


def test_group_norm_of_two_channels_in_one_group_has_one_mean() -> None:
    sizes = {"batch": 1, "groups": 1, "per_group": 2, "pixels": 1}
    y = outputs_of("group_norm", x=[[[1], [3]]], gamma=[1, 10], beta=[0, 5], **sizes)["y"]
    assert y.reshape(-1) == pytest.approx([-1, 15], abs=1e-4)


def test_triangular_solve_ignores_what_stands_above_the_diagonal() -> None:
    assert outputs_of("triangular_solve", l=[[[2, 999], [1, 4]]], b=[[6, 11]], batch=1, n=2)["x"].tolist() == [[3, 2]]


def test_flash_attention_of_equal_scores_is_the_mean_of_the_values() -> None:
    values = np.arange(96.0).reshape(1, 3, 32)
    o = outputs_of("flash_attention", q=np.zeros((1, 3, 32)), k=values, v=values, heads=1, n=3)["o"]
    assert o == pytest.approx(np.tile(values.mean(axis=1, keepdims=True), (1, 3, 1)), rel=1e-12)


def test_hash_count_counts_keys_that_meet_and_finds_no_others() -> None:
    keys, queries = [7, 9, 7, 4_000_000_000, 7], [9, 7, 5]
    assert outputs_of("hash_count", keys=keys, queries=queries, n=5, m=3, distinct=3)["counts"].tolist() == [1, 3, 0]


def test_philox_uniform_begins_with_the_words_that_its_authors_published() -> None:
    words = np.array([0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8])
    y = outputs_of("philox_uniform", key=[0, 0], n=6, offset=0)["y"]
    assert np.array_equal(y[:4], (words >> 8) / 2**24)
    later = outputs_of("philox_uniform", key=[0, 0], n=2, offset=1)["y"]
    assert np.array_equal(y[4:], later)


def test_bilateral_filter_of_two_pixels_mixes_them_by_one_weight() -> None:
    y = outputs_of("bilateral_filter", x=[[0, 1]], height=1, width=2, near=0.1, alike=2.0)["y"]
    assert y[0] == pytest.approx([np.exp(-2.1) / (1 + np.exp(-2.1)), 1 / (1 + np.exp(-2.1))], rel=1e-6)


def test_gqa_decode_gives_each_query_of_a_group_its_own_weights() -> None:
    sizes = {"batch": 1, "kv_heads": 1, "group": 2, "n": 2}
    q, keys, values = np.zeros((1, 1, 2, 64)), np.zeros((1, 1, 2, 64)), np.zeros((1, 1, 2, 64))
    q[..., 0, 0], keys[..., 1, 0] = 8.0, np.log(3.0)
    values[..., 0, :], values[..., 1, :] = 4.0, 8.0
    out = outputs_of("gqa_decode", q=q, keys=keys, values=values, **sizes)["out"]
    assert out[0, 0, :, 0] == pytest.approx([7.0, 6.0], rel=1e-3)


def test_long_softmax_of_logarithms_is_their_share() -> None:
    y = outputs_of("long_softmax", x=np.log([[1.0, 2.0, 5.0, 2.0]]), rows=1, cols=4)["y"]
    assert y == pytest.approx(np.array([[0.1, 0.2, 0.5, 0.2]]), rel=1e-6)


def test_conv_implicit_gemm_mixes_channels_under_a_window_that_steps() -> None:
    sizes = {"batch": 1, "height": 2, "width": 2, "channels_in": 16, "channels_out": 16}
    x, w = np.zeros((1, 2, 2, 16)), np.ones((16, 3, 3, 16))
    x[0, :, :, 0], w[5, 0, 0] = [[1, 2], [3, 4]], 100
    y = outputs_of("conv_implicit_gemm", x=x, w=w, **sizes, side=3, stride=1, padding=1)["y"]
    assert y[0, :, :, 0].tolist() == [[10, 10], [10, 10]]
    assert y[0, :, :, 5].tolist() == [[10, 10], [10, 109]]
    halved = outputs_of("conv_implicit_gemm", x=x, w=w, **sizes, side=3, stride=2, padding=1)["y"]
    assert halved.shape == (1, 1, 1, 16)


def test_cholesky_tile_ignores_what_stands_above_the_diagonal_and_writes_zeros_there() -> None:
    assert outputs_of("cholesky_tile", a=[[[4, 999], [2, 5]]], batch=1, n=2)["l"].tolist() == [[[2, 0], [1, 2]]]


def test_sparse24_matmul_puts_two_of_four_where_their_bits_say() -> None:
    values, places = np.zeros((16, 16)), np.full((16, 1), 0x44444444)
    values[0, :2], places[0, 0] = [5, 7], 0x4444444D
    b = np.tile(np.arange(1.0, 33.0), (16, 1))
    assert outputs_of("sparse24_matmul", values=values, places=places, b=b, m=16, n=16, k=32)["c"][0, 0] == 38
