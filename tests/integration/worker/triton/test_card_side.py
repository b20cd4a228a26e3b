"""What the card gets of a Triton kernel, as far as it can be seen without one: cubins, launches, configurations."""

from __future__ import annotations

import asyncio
import re

import numpy as np
import pytest

from tests.integration.worker.conftest import CONTENT
from tests.integration.worker.triton.test_judging import TUNED
from tests.triton_styles import FOLDER as STYLES
from worker.gpu import cases
from worker.gpu.layout import codes, launches, lay_out
from worker.judge import Tools
from worker.judge.ports import Trial
from worker.judge.triton import Prepared, Stopped, prepare

pytestmark = [pytest.mark.needs("triton"), pytest.mark.slow]


def prepared(tools: Tools, source: str, slug: str, arch: str = "sm_90a") -> Prepared | Stopped:
    assert tools.triton is not None
    problem = tools.problems[slug]
    return asyncio.run(prepare(source, problem, tools.triton, tools.catalogue, arch, card=True))


def test_a_card_gets_code_for_its_own_architecture_and_the_emulator_what_it_can_read(lasting_tools: Tools) -> None:
    source = (CONTENT / "problems/hgemm/solutions/right/tiles.py").read_text("utf-8")
    ready = prepared(lasting_tools, source, "hgemm")
    assert isinstance(ready, Prepared)
    (card,) = ready.on_card
    assert all(one.cubin.startswith(b"\x7fELF") for one in card.compiled.modules.values())
    assert all(one.kernel.registers > 0 and "wgmma" in one.ptx for one in card.compiled.modules.values())
    assert not any("wgmma" in one.ptx for one in ready.emulated.compiled.modules.values())


def test_a_card_gets_descriptors_whose_strides_tritons_own_ptxas_understands(lasting_tools: Tools) -> None:
    """For a ptxas before 12.6 Triton writes sixteenths of bytes; the one that it brings takes bytes."""
    source = (STYLES / "hgemm/descriptors.py").read_text("utf-8")
    ready = prepared(lasting_tools, source, "hgemm")
    assert isinstance(ready, Prepared)
    (card,) = ready.on_card
    for one in card.compiled.modules.values():
        assert ".version 8.7" in one.ptx
        assert "tensormap.replace.tile.global_stride" in one.ptx
        assert not re.search(r"shr\.[su]\d+ .*\n\s*cvt\.s64\.s32 .*\n.*\n.*global_stride", one.ptx)


def test_every_launch_of_a_card_finds_its_module_and_all_of_its_arguments(lasting_tools: Tools) -> None:
    source = (CONTENT / "problems/reduce_sum/solutions/right/grid_of_loops.py").read_text("utf-8")
    ready = prepared(lasting_tools, source, "reduce_sum")
    assert isinstance(ready, Prepared)
    side, problem = ready.on_card[0], lasting_tools.problems["reduce_sum"]
    trial = Trial(problem, lasting_tools.oracles["reduce_sum"], side.plan, side.compiled, 1, source, ready.sight)
    for case in problem.cases()[:4]:
        run = cases.prepare(trial, case, np.zeros(4, np.uint8))
        loaded = codes(side.compiled, run.launches)
        assert len(run.launches) == 2
        for one in run.launches:
            assert one.kernel in loaded[one.module].shared
            assert loaded[one.module].cubin
    (bench,) = problem.bench
    resolved = side.plan.resolve(bench.sizes)
    sizes = {"x": 4, "out": 4, **{one.name: one.bytes for one in resolved.scratch}}
    steps = launches(side.compiled, resolved, lay_out(sizes, 512), problem, {})
    assert [len(one.args) for one in steps] == [
        len(side.compiled.kernel(one.kernel).params) for one in resolved.launches
    ]


def test_a_card_tries_every_configuration_behind_the_first_that_fits(lasting_tools: Tools) -> None:
    source = TUNED.replace(
        "triton.Config({'BLOCK': 128}, num_warps=2)",
        "triton.Config({'BLOCK': 128}), " * 2 + "triton.Config({'BLOCK': 256})",
    )
    ready = prepared(lasting_tools, source, "vector_add")
    assert isinstance(ready, Prepared)
    (bench,) = lasting_tools.problems["vector_add"].bench
    grids = [side.plan.resolve(bench.sizes).launches[0].grid[0] for side in ready.on_card]
    assert grids == [bench.sizes["n"] // 128, bench.sizes["n"] // 128, bench.sizes["n"] // 256]


def test_assembly_that_ptxas_refuses_is_a_finding_of_the_members(lasting_tools: Tools) -> None:
    source = (CONTENT / "problems/vector_add/solutions/right/block_per_program.py").read_text("utf-8")
    asm = 'tl.inline_asm_elementwise("no.such $0, $1;", "=f,f", [left], dtype=tl.float32, is_pure=False, pack=1)'
    stopped = prepared(lasting_tools, source.replace("left + right", f"right + {asm}"), "vector_add")
    assert isinstance(stopped, Stopped)
    assert stopped.findings[0].id == "inline-assembly"
    assert "/" not in stopped.findings[0].message["en"].partition("no.such")[0]
