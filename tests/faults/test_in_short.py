"""`make faults` in short: everything is killed once while members hand in and ask, and nothing is lost."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests import prepared
from tests.faults.cluster import prepare
from tests.faults.phases import SHORT, run
from tests.faults.table import table

pytestmark = [pytest.mark.needs("redis", "initdb"), pytest.mark.slow, pytest.mark.timeout(400)]


async def test_whatever_is_killed_each_submission_has_one_verdict_and_each_member_is_told(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with tempfile.TemporaryDirectory(prefix="warpmate-faults-", dir="/tmp") as room:
        Path(room).chmod(0o711)  # noqa: ASYNC240  nothing else goes on yet
        made = await prepare(Path(room) / "prepared", prepared.models(tmp_path_factory))
        ran = (await run(SHORT, Path(room) / "short", made, seed=20)).as_json()
        print(table([ran]), ran["troubles"])
        assert ran["good"], ran["outcome"]
        assert set(ran["deeds"]) == {deed.__name__ for deed in SHORT.deeds}
