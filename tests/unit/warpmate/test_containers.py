"""Images and compose file: every room is in, nobody is root, and what an operator sets in `.env` arrives."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from tests.folders import ROOT
from warpmate.settings import read_settings, variables

OF_THE_CONTAINER = {"DATA_DIR", "INDEX_DIR", "CONTENT_DIR", "DATABASE_URL", "REDIS_URL", "HTTP_HOST", "HTTP_PORT"}
OF_A_WORKER = {"JUDGE_BACKEND", "CARD", "PROGRAMS", "GATEWAY_URL", "WORKER_KEY", "GATEWAY_CA"}
OF_SEVERAL_HOSTS = {"GATEWAY", "GATEWAY_CERT", "GATEWAY_KEY", "JUDGED_AGAIN", "DISCORD_SHARDS"}
OF_NO_SERVER = {"SERVER", "TOKEN", "CORPUS", "TRACES"}
"""Of the command line against a server, of evaluations, and of an extra that the image lacks."""
NOT_HANDED_ON = OF_THE_CONTAINER | OF_A_WORKER | OF_SEVERAL_HOSTS | OF_NO_SERVER


def services() -> Mapping[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    return found


def stages() -> dict[str, str]:
    """Return what is said in each stage of the Dockerfile."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    parts = re.split(r"^FROM \S+ AS (\S+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("service", ["app", "indexer"])
def test_every_setting_of_a_server_reaches_its_containers(service: str) -> None:
    given = services()[service]["environment"]
    wanted = {name for name in variables() if name.removeprefix("WARPMATE_") not in NOT_HANDED_ON}
    assert {name for name in wanted if given.get(name) != f"${{{name}:-}}"} == set()
    assert {"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"} <= given.keys()


def test_what_is_not_set_in_the_env_file_keeps_its_default() -> None:
    given = {name: "" for name in services()["app"]["environment"] if name.startswith("WARPMATE_")}
    assert read_settings(given, ROOT / "no-such.env") == read_settings({}, ROOT / "no-such.env")


@pytest.mark.parametrize("image", ["app", "worker"])
def test_an_image_is_made_in_another_stage_and_runs_as_an_ordinary_user(image: str) -> None:
    said = stages()[image]
    assert f"COPY --from={image}-env /opt/venv" in said
    assert "pip" not in said
    assert "\nUSER warpmate\n" in said.partition("CMD")[0]


def test_every_room_is_in_the_image_of_the_app() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rooms = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) - {"content"}
    assert set(re.findall(r"^COPY (\w+) \1$", stages()["app-env"], flags=re.MULTILINE)) == rooms
    assert "COPY content /content" in stages()["app"]


@pytest.mark.parametrize(("image", "package"), [("app", "git"), ("worker", "g++")])
def test_an_image_has_the_programs_that_its_packages_call(image: str, package: str) -> None:
    """Repositories of notes are fetched with git; nvcc compiles nothing without a compiler of the host."""
    assert re.search(rf"apt-get install .* {re.escape(package)} ", stages()[image])
