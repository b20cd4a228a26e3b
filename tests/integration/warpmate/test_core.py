"""The whole core as an operator starts it, against a local Discord started by hand: nothing in it is canned."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from tests import prepared
from tests.discord.visitor import Visitor

VECTOR_ADD = Path(__file__).parents[3] / "content" / "problems" / "vector_add" / "solutions"
_SETTING = re.compile(r"(WARPMATE_\w+)=(\S+)")
READY_WITHIN_S = 300
"""The first index is made on the way."""


@pytest.mark.slow
@pytest.mark.timeout(480)
async def test_a_group_asks_reads_and_submits(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    prepared.give_models(tmp_path_factory, tmp_path)
    async with (
        local_discord_by_hand() as (http, settings),
        running("warpmate", "run", folder=tmp_path, stdout=asyncio.subprocess.PIPE, **settings) as core,
        aiohttp.ClientSession() as session,
    ):
        ann, an = Visitor(session, http), Visitor(session, http, "zh-CN")
        await ann.commands(within_s=60)
        await ann.act("command", text='/ask question:"What is a warp?"')
        await ann.message("library is being prepared")
        await an.act("command", text='/提问 问题:"什么是线程束？"')
        await an.message("资料库正在准备中")
        assert core.stdout is not None
        await asyncio.wait_for(core.stdout.readuntil(b"the library is ready"), READY_WITHIN_S)

        await ann.act("command", text='/ask question:"How do I avoid shared memory bank conflicts?"')
        await ann.message("bank", "[1]", within_s=30)
        await an.act("command", text='/提问 问题:"怎样避免共享内存的存储体冲突？"')
        await an.message("存储体", "[1]", within_s=30)
        await ann.act("command", text='/ask question:"How many registers has the Voodoo 3?"')
        await ann.message("rather not guess", within_s=30)

        await ann.act("command", text="/recommend level:beginner topic:cuda")
        await ann.message("CUDA basics", "**1.**", "**2.**")

        await submit(ann, VECTOR_ADD / "wrong" / "no_bounds_check.cu", "CUDA code")
        await ann.message("memory error", "Line ", within_s=60)
        await submit(an, next((VECTOR_ADD / "right").glob("*.cu")), "CUDA 代码")
        await an.message("通过", within_s=60)

        core.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(core.wait(), 60) == 0


async def submit(visitor: Visitor, solution: Path, field: str) -> None:
    code = await asyncio.to_thread(solution.read_text, encoding="utf-8")
    await visitor.act("command", text="/submit problem:vector_add")
    await visitor.form()
    assert await visitor.act("form", values={field: code}) == 200


@asynccontextmanager
async def local_discord_by_hand() -> AsyncIterator[tuple[str, dict[str, str]]]:
    """Its address, and the settings that it says a bot needs."""
    async with running("tests.discord", "--port", "0", stdout=asyncio.subprocess.PIPE) as place:
        assert place.stdout is not None
        said = (await place.stdout.readuntil(b"make run")).decode()
        (http,) = re.findall(r"local Discord is at (\S+)", said)
        yield http, dict(_SETTING.findall(said))


@asynccontextmanager
async def running(
    module: str, *arguments: str, folder: Path | None = None, stdout: int | None = None, **settings: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process beside the block, with no settings but these; stopped at its end."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("WARPMATE_")}
    where = {"WARPMATE_DATA_DIR": str(folder), "WARPMATE_HTTP_PORT": "0", "WARPMATE_JUDGE_BACKEND": "emulator"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments, stdout=stdout, env=kept | (where if folder else {}) | settings
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()
