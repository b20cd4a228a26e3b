"""What the commands for readings say and do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.warpmate.cli import Home

pytestmark = pytest.mark.slow


def test_resources_go_from_suggestion_to_list_to_removal(empty: Home) -> None:
    url = "https://blog.example.org/warp-shuffles-explained"
    added = empty.json("resource", "add", url, "--topic", "warp", "--level", "beginner", "--member", "local:ada")
    assert (added["state"], added["added_by"], added["level"]) == ("pending", "local:ada", "beginner")
    assert [one["id"] for one in empty.json("resource", "list", "--state", "pending")["resources"]] == [added["id"]]
    assert "waits for a moderator" in empty.refusal("resource", "add", url + "/")
    assert empty.json("resource", "approve", url)["state"] == "approved"
    edited = empty.json("resource", "edit", added["id"], "--title", "Shuffles", "--minutes", "15")
    assert (edited["title"], edited["minutes"]) == ("Shuffles", 15)
    assert empty.json("resource", "info", "shuffles")["id"] == added["id"]
    assert empty.json("resource", "remove", "shuffles")["state"] == "removed"
    assert added["id"] not in [one["id"] for one in empty.json("resource", "list")["resources"]]


def test_the_exported_list_is_read_back_by_the_importer(empty: Home, tmp_path: Path) -> None:
    listed = empty.json("resource", "list")["resources"]
    empty.say("resource", "export", str(tmp_path / "list.md"))
    found = empty.json("index", "import", str(tmp_path / "list.md"))["resources"]
    assert {(one["url"], one["title"], one["level"]) for one in found} == {
        (one["url"], one["title"], one["level"]) for one in listed if one["url"]
    }


def test_a_guilds_resource_is_not_in_the_shared_list(empty: Home) -> None:
    added = empty.json("resource", "add", "https://blog.example.org/x", "--guild", "7", "--approved")
    assert added["id"] in [one["id"] for one in empty.json("resource", "list", "--guild", "7")["resources"]]
    assert "Nothing in the library" in empty.refusal("resource", "info", added["id"])


@pytest.mark.parametrize("url", ["ftp://a.example/x", "http://127.0.0.1/", "no address"])
def test_what_is_no_page_is_refused_in_one_line(empty: Home, url: str) -> None:
    assert empty.refusal("resource", "add", url)
