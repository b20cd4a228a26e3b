"""PTX and ptxas' report as text, into figures."""

from __future__ import annotations

from worker.compile.resources import Kernel, Parameter, kernels, without_report

PTX = """
.visible .entry _Z1kPfi(
	.param .u64 .ptr .align 1 _Z1kPfi_param_0,
	.param .u32 _Z1kPfi_param_1
)
{
	ret;
}
.weak .entry empty()
{
	ret;
}
.visible .entry shapes(
	.param .f64 shapes_param_0,
	.param .align 16 .b8 shapes_param_1[48],
	.param .u8 shapes_param_2
)
"""

LOG = """kernel.cu(2): warning #177-D: variable "a" was declared but never referenced
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1kPfi' for 'sm_90a'
ptxas info    : Function properties for _Z1kPfi
ptxas         .     24 bytes stack frame, 20 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem
ptxas info    : Compile time = 1.000 ms
"""


def test_entries_parameters_and_figures_are_found() -> None:
    first, empty, shapes = kernels(PTX, LOG)
    assert first == Kernel("_Z1kPfi", (Parameter("word", 8), Parameter("word", 4)), 40, 32, 24, 2048, 1)
    assert (empty.entry, empty.params, empty.registers) == ("empty", (), 0)
    assert shapes.params == (Parameter("float", 8), Parameter("bytes", 48), Parameter("word", 1))


def test_a_person_reads_the_log_without_the_figures() -> None:
    assert without_report(LOG) == 'kernel.cu(2): warning #177-D: variable "a" was declared but never referenced'
