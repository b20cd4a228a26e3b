"""`warpmate plan` as somebody types it, in both languages, with the day of a reading moved back by hand."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.integration.warpmate.cli import WARPMATE, Home

ADA = ("--member", "local:ada")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "data")


def items(plan: dict) -> list[str]:  # type: ignore[type-arg]  a JSON document
    return [part["reading"]["resource_id"] for week in plan["weeks"] for part in week["parts"]]


def a_day_passes(home: Home) -> None:
    (database,) = home.folder.glob("*.db")
    yesterday = (datetime.now(UTC) - timedelta(days=1)).strftime("%Y-%m-%d %H:%M:%S.%f")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE reading_events SET at = ?", (yesterday,))
    connection.close()


def with_three_terms(home: Home) -> str:
    """The first item of the one plan that brings three terms."""
    (database,) = home.folder.glob("*.db")
    with sqlite3.connect(database) as connection:
        ((stored,),) = connection.execute("SELECT items FROM plans").fetchall()
    connection.close()
    return next(entry["item"] for entry in json.loads(stored) if len(entry["terms"]) == 3)


def test_a_plan_from_its_first_day_to_its_last(home: Home) -> None:
    made = home.json("plan", "start", "tiling", "--hours", "2", *ADA)
    assert all(week["minutes"] <= 120 for week in made["weeks"])
    assert home.json("plan", "show", *ADA) == made
    first = items(made)[0]
    home.say("remember", "read", first, *ADA)
    after = home.json("plan", "show", *ADA)
    assert sorted(items(after)) == sorted(set(items(made)) - {first})
    week = date.fromisoformat(made["weeks"][0]["starts_on"])
    skipped = home.json("plan", "skip", *ADA)
    assert skipped["pauses_until"] == (week + timedelta(days=7)).isoformat()
    assert home.json("plan", "resume", *ADA) == after
    assert len(home.json("plan", "hours", "20", *ADA)["weeks"]) == 1
    assert home.json("plan", "stop", *ADA) == {"member": "local:ada", "stopped": True}
    assert "no plan yet" in home.refusal("plan", "show", "--json", *ADA)


def test_a_plan_is_shown_in_the_members_language(home: Home) -> None:
    assert "warpmate plan start" in home.say("plan", "show", *ADA)
    told = home.say("plan", "start", "归约", "--hours", "1", "--lang", "zh", *ADA)
    assert "学习计划：通往“" in told
    assert "第 2 周 · " in told
    assert "复习题：" in told
    assert "Week 2 · " in home.say("plan", "show", *ADA)
    assert "计划已停止" in home.say("plan", "stop", "--lang", "zh", *ADA)


def test_a_part_of_something_long_is_noted(home: Home) -> None:
    plan = home.json("plan", "start", "matmul", "--hours", "1", *ADA)
    part = next(part for week in plan["weeks"] for part in week["parts"] if part["left"])
    item = part["reading"]["resource_id"]
    assert part["minutes"] + part["left"] == 60
    after = home.json("plan", "part", item, *ADA)
    left = [one for week in after["weeks"] for one in week["parts"] if one["reading"]["resource_id"] == item]
    assert sum(one["minutes"] for one in left) == part["left"]
    assert "note:none" in home.refusal("plan", "part", "note:none", *ADA)


def test_review_questions_are_listed_answered_one_by_one_and_asked_in_the_terminal(home: Home) -> None:
    home.json("plan", "start", "tiling", "--hours", "2", *ADA)
    home.say("remember", "read", with_three_terms(home), *ADA)
    assert "No review question is due" in home.say("plan", "review", *ADA)
    a_day_passes(home)
    questions = home.json("plan", "review", *ADA)["questions"]
    assert len(questions) == 3
    told = home.json("plan", "answer", questions[0]["question"], "--right", *ADA)
    assert date.fromisoformat(told["due"]) == datetime.now(UTC).date() + timedelta(days=3)
    assert "not due" in home.refusal("plan", "answer", questions[0]["question"], "--wrong", *ADA)
    done = subprocess.run(
        [*WARPMATE, "plan", "review", "--lang", "zh", *ADA], env=home.environment, input="\ny\n\nn\n", text=True,
        capture_output=True, check=True, cwd=home.folder.parent,
    )  # fmt: skip
    assert done.stdout.count("这是哪个术语") == 2
    assert "依次隔 3、7、16、35 天" in done.stdout
    assert home.json("plan", "review", *ADA)["questions"] == []


def test_hours_and_goals_that_make_no_plan_are_refused(home: Home) -> None:
    assert home.run("plan", "start", "tiling", "--hours", "0", *ADA).returncode == 2
    assert "qwertz" in home.refusal("plan", "start", "qwertz", *ADA)
    assert "没有计划" in home.refusal("plan", "skip", "--lang", "zh", *ADA)


def test_what_was_solved_is_marked_in_the_list_and_counted_in_progress(home: Home) -> None:
    home.say("remember", "solved", "problem:vector_add", *ADA)
    marks = {one["slug"]: one["mark"] for one in home.json("problems", "list", *ADA)["problems"]}
    assert (marks["vector_add"], marks["matmul"]) == ("solved", "new")
    assert "已解出" in home.say("problems", "list", "--lang", "zh", *ADA)
    assert home.json("progress", *ADA)["problems_solved"] == ["vector_add"]
    assert "Problems solved: 1 of " in home.say("progress", *ADA)
