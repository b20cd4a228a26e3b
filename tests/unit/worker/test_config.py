"""A worker's settings, read once."""

from __future__ import annotations

from pathlib import Path

import pytest

from worker.config import WorkerConfig
from worker.errors import SettingsError
from worker.protocol import Backend


def test_defaults_need_no_variable() -> None:
    config = WorkerConfig.from_environ({})
    assert (config.judge_backend, config.programs, config.redis_url) == (Backend.AUTO, False, None)
    assert (config.content_dir / "findings.toml").is_file()


def test_every_variable_is_read() -> None:
    config = WorkerConfig.from_environ(
        {
            "WARPMATE_JUDGE_BACKEND": "emulator",
            "WARPMATE_PROGRAMS": "1",
            "WARPMATE_REDIS_URL": "redis://host/0",
            "WARPMATE_CONTENT_DIR": "/content",
            "WARPMATE_DATA_DIR": "/data",
            "WARPMATE_CARD": "h200",
        }
    )
    assert config == WorkerConfig(Backend.EMULATOR, True, "redis://host/0", Path("/content"), Path("/data"), "h200")


@pytest.mark.parametrize(("name", "value"), [("WARPMATE_JUDGE_BACKEND", "fast"), ("WARPMATE_PROGRAMS", "maybe")])
def test_a_wrong_value_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"{name}={value}"):
        WorkerConfig.from_environ({name: value})
