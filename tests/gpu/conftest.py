"""A judge with this machine's card, opened once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from worker.config import WorkerConfig
from worker.judge import Tools, open_tools

CONTENT = Path(__file__).parents[2] / "content"


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tools]:
    config = replace(WorkerConfig(), content_dir=CONTENT, data_dir=tmp_path_factory.mktemp("data"), programs=True)
    with open_tools(config, warm=2) as opened:
        yield opened
