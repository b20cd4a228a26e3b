"""SIGKILL in every stage of a real judgement, of all that takes part in it: the submission ends in one verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.worker.queue.jobs import streams
from tests.integration.worker.queue.processes import ROOT, own_broker, worker_process
from tests.integration.worker.queue.survival import Survived, verdicts_of
from worker.protocol import Backend, Form, Job, Stage
from worker.queue.streams import LEASE_S

pytestmark = [pytest.mark.slow, pytest.mark.needs("redis", "bubblewrap")]

STAGES = (Stage.COMPILING, Stage.CHECKING, Stage.DIAGNOSING)
SOURCE = ROOT / "content" / "problems" / "vector_add" / "solutions" / "right" / "simple.cu"


@pytest.mark.parametrize("victim", ["broker", "worker", "children"])
async def test_whatever_is_killed_in_whichever_stage_a_submission_ends_in_one_verdict(
    victim: str, tmp_path: Path
) -> None:
    async with own_broker(tmp_path) as broker, streams(broker.url, "warpmate", LEASE_S) as queue:
        environ = {"WARPMATE_REDIS_URL": broker.url, "WARPMATE_DATA_DIR": str(tmp_path / "data")}
        async with Survived(broker, lambda: worker_process(**environ)) as survived:
            for stage in STAGES:
                source = f"{SOURCE.read_text(encoding='utf-8')}\n// not in the compiler's cache: {stage}\n"
                job = Job(f"killed-{stage}", Form.KERNEL, source, "vector_add", Backend.EMULATOR)
                assert await verdicts_of(job, queue, stage, getattr(survived, f"kill_{victim}")) == ["accepted"]
