"""What the commands that fill the library say and do."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests.integration.warpmate.cli import WARPMATE, Home
from tests.integration.warpmate.three_pages import ADDRESS
from warpmate import datadir

pytestmark = pytest.mark.slow


def test_a_second_build_changes_nothing(home: Home, mirror: Path) -> None:
    report = home.json("index", "build", "--mirror", str(mirror))
    assert (report["published"], report["unchanged"], report["embedded"]) == (False, 3, 0)


def test_refresh_from_a_mirror_counts_what_it_found(home: Home, mirror: Path) -> None:
    report = home.json("index", "refresh", "--mirror", str(mirror))
    assert (report["tried"], report["outcomes"], report["failures"]) == (3, {"unchanged": 3}, [])


def test_index_status_counts_and_dates(home: Home) -> None:
    status = home.json("index", "status")
    assert status["index"]["counts"]["pages"] == 3
    assert (status["pages"], status["stale"], status["problem"]) == (3, 0, "")
    assert status["oldest"] <= status["newest"]


def test_index_status_without_an_index_says_what_mends_it(empty: Home) -> None:
    assert "warpmate index build" in empty.say("index", "status")
    assert empty.json("index", "status")["index"] is None


def test_index_add_names_each_failure_with_its_reason(empty: Home, mirror: Path) -> None:
    urls = [f"{ADDRESS}/barriers.md", f"{ADDRESS}/missing.md", "ftp://pages.example.org/x"]
    done = empty.run("index", "add", *urls, "--mirror", str(mirror), "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert (report["tried"], report["outcomes"]) == (2, {"stored": 1, "failed": 1})
    assert {failure["url"]: failure["reason"] for failure in report["failures"]} == {
        urls[1]: "the mirror has no page of this address",
        urls[2]: "this is not the address of a page (no web address); it has to begin with https://",
    }
    assert empty.json("index", "status")["index"]["counts"]["pages"] == 1
    hits = empty.json("search", "barrier in a branch", "-k", "1")["results"]
    assert [hit["path"] or hit["url"].partition("#")[0] for hit in hits] == [urls[0]]


def test_a_file_is_taken_and_found(empty: Home, tmp_path: Path) -> None:
    file = tmp_path / "our barriers.md"
    file.write_text("# Barriers of ours\n\nOur cluster hangs where half of a warp skips the barrier.\n", "utf-8")
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "tiles.md").write_text("# Tiles\n\nWe cut the matrix into small tiles.\n", "utf-8")
    notes = f"{tmp_path / 'study'}, {tmp_path / 'gone.git'}"
    done = empty.run("index", "add", str(file), str(tmp_path), "--json", WARPMATE_NOTES=notes)
    report = json.loads(done.stdout)
    assert (done.returncode, report["outcomes"]) == (1, {"stored": 1, "failed": 1})
    assert "WARPMATE_NOTES" in report["failures"][0]["reason"]
    assert [one["url"] for one in report["build"]["failures"]] == [str(tmp_path / "gone.git")]
    (hit,) = empty.json("search", "cut the matrix into small tiles", "-k", "1")["results"]
    assert hit["path"] == "study/tiles.md"
    (hit,) = empty.json("search", "half of a warp skips the barrier", "-k", "1")["results"]
    assert re.fullmatch(r"added/[0-9a-f]{8}/our barriers\.md", hit["path"]), "apart from other files of that name"
    (listed,) = [one for one in empty.json("resource", "list")["resources"] if one["title"] == "Barriers of ours"]
    assert listed["url"] is None
    assert "by themselves" in empty.refusal("index", "add", str(file), "https://a.example/x")


def test_a_file_that_cannot_be_read_is_refused_in_one_line(empty: Home, tmp_path: Path) -> None:
    for name, content, reason in (
        ("tool.exe", b"MZ", "files such as this are not read"),
        ("none.md", b"   ", "no text was found in it"),
        ("broken.ipynb", b"{", "it"),
    ):
        (tmp_path / name).write_bytes(content)
        line = empty.refusal("index", "add", str(tmp_path / name))
        assert line.startswith(f"{tmp_path / name} was not added: {reason}"), line
    assert not (empty.folder / "added").exists()


@pytest.mark.parametrize("url", ["barriers.md", "/etc/hostname", "file:///etc/hostname", "http://localhost/x"])
def test_what_is_no_page_of_the_web_is_refused_in_one_line(empty: Home, url: str) -> None:
    before = empty.json("index", "status")["index"]
    for more in ((), ("--json",)):
        assert empty.refusal("index", "add", url, *more).startswith(f"{url} was not added: ")
    assert empty.json("index", "status")["index"] == before


def test_a_page_that_cannot_be_read_is_refused_in_one_line(empty: Home, mirror: Path) -> None:
    url = f"{ADDRESS}/missing.md"
    line = empty.refusal("index", "add", url, "--mirror", str(mirror))
    assert line == f"{url} was not added: the mirror has no page of this address"
    assert url not in [one["url"] for one in empty.json("resource", "list")["resources"]]


def test_index_import_yields_the_parts_of_a_list(empty: Home, tmp_path: Path) -> None:
    (tmp_path / "list.md").write_text("# 入门\n\n- [Coalescing](https://a.example/x) – how\n", encoding="utf-8")
    found = empty.json("index", "import", str(tmp_path / "list.md"))
    assert set(found) == {"resources", "papers", "tasks", "keywords", "snippets", "skipped"}
    assert (found["resources"][0]["url"], found["resources"][0]["level"]) == ("https://a.example/x", "beginner")


def test_a_list_becomes_suggestions_that_wait(empty: Home, tmp_path: Path) -> None:
    lines = ["# 入门", "- [Tiles](https://tiles.example.org/a) – 讲解分块", "- [Here](https://printer.local/b)"]
    (tmp_path / "list.md").write_text("\n\n".join(lines), encoding="utf-8")
    assert "drafts" not in empty.json("index", "import", str(tmp_path / "list.md"))
    first, second = [empty.json("index", "import", str(tmp_path / "list.md"), "--add")["drafts"] for _ in range(2)]
    (waiting,) = empty.json("resource", "list", "--state", "pending")["resources"]
    assert first["waiting"] == [{"id": waiting["id"], "url": "https://tiles.example.org/a"}]
    assert (waiting["title"], waiting["level"], waiting["summary"]) == ("Tiles", "beginner", "讲解分块")
    assert [each["url"] for each in first["refused"]] == ["https://printer.local/b"]
    assert (second["waiting"], second["known"]) == ([], ["https://tiles.example.org/a"])
    assert empty.json("resource", "approve", "tiles")["state"] == "approved"


def test_what_a_list_came_to_is_told_in_the_language_asked_for(empty: Home, tmp_path: Path) -> None:
    (tmp_path / "list.md").write_text("# 入门\n\n- [Here](https://printer.local/b)\n", encoding="utf-8")
    told = {
        lang: empty.say("index", "import", str(tmp_path / "list.md"), "--add", "--lang", lang)
        for lang in ("en", "zh")
    }
    assert "1 resources, 0 papers" in told["en"]
    assert "0 wait for approval" in told["en"]
    assert "资料 1 条，论文 0 篇" in told["zh"]
    assert "1 条被拒绝" in told["zh"]
    assert "未能提交的原因" in told["zh"]
    assert "was not added" not in told["zh"]


def test_the_content_folder_of_the_env_file_holds_for_every_command(tmp_path: Path) -> None:
    home = Home(tmp_path / "data")
    (tmp_path / "list.md").write_text("- [Coalescing](https://a.example/x)\n", encoding="utf-8")
    (tmp_path / ".env").write_text(f"WARPMATE_CONTENT_DIR={tmp_path / 'none'}\n", encoding="utf-8")
    for arguments in (("problems", "list"), ("index", "import", str(tmp_path / "list.md"))):
        assert f"{tmp_path / 'none'} holds no topics.yaml" in home.refusal(*arguments)


def test_a_mirror_without_a_manifest_is_refused(empty: Home, tmp_path: Path) -> None:
    assert "manifest.jsonl" in empty.refusal("index", "build", "--mirror", str(tmp_path))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_indexer_stops_when_told_and_has_fetched_nothing(empty: Home, number: signal.Signals) -> None:
    process = subprocess.Popen(
        [*WARPMATE, "indexer"],
        env=empty.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        while not _catches_signals(process.pid):
            assert process.poll() is None, process.communicate()
        process.send_signal(number)
        said = f"the library in {empty.folder} is kept fresh; the first round is in 10 minutes\n"
        assert process.communicate(timeout=30) == (said, "")
    finally:
        process.kill()
    assert process.returncode == 0
    with sqlite3.connect(empty.folder / "warpmate.db") as database:
        assert database.execute("SELECT count(*) FROM fetches").fetchone() == (0,)
        assert database.execute("SELECT count(*) FROM snapshots").fetchone() == (0,)


def _catches_signals(pid: int) -> bool:
    """Whether the process has come so far that it catches SIGTERM itself, as the kernel tells it."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


def test_two_who_fill_the_library_do_not_meet(empty: Home, mirror: Path) -> None:
    with datadir.held(datadir.prepare(empty.folder), "indexer"):
        assert "is filling the library" in empty.refusal("index", "build", "--mirror", str(mirror))
