"""Trying a kernel: by file and by form, what comes back in text, and that it stays private and counts for nothing."""

from __future__ import annotations

from typing import Any

import pytest

from bot.caller import member_id
from bot.verdict_delivery import FACE
from knowledge.outbox import Owed
from knowledge.store import Scope
from tests.discord import Channel, LocalDiscord, Person, Shown, Upload
from tests.e2e.bot.scenarios import seen_in_a_try
from tests.e2e.bot.stage import KERNEL, ONE_LIFE, Stage
from tests.integration.web.stage import tried
from worker.protocol import Access, CaseResult, CompileReport, Form, Job, Kind, Tried, Try

pytestmark = ONE_LIFE
FILE = Upload("a.cu", KERNEL.encode())


def is_over(text: str) -> bool:
    return "`01" in text and not any(word in text for word in ("handed in", "提交于"))


def seen(stage: Stage, **more: Any) -> None:
    """What the worker will have seen."""
    stage.executor.parts = seen_in_a_try() | more


async def try_it(stage: Stage, person: Person, at: Channel | None = None, **options: Any) -> Shown:
    given = {"problem": "vector_add", "file": FILE, **({} if "case" in options else {"sizes": "n=3"})} | options
    exchange = await person.run("try", at or stage.place("guild", person), **given)
    return await (await exchange.reply()).until(is_over)


async def test_what_was_seen_comes_back_in_text_for_the_caller_alone(stage: Stage, person: Person) -> None:
    seen(stage)
    async with stage.bot():
        reply = await try_it(stage, person, inputs="zeros; a=1,2,3", seed=7, element="c[1]")
        assert reply.private
        assert ("n=3 · uniform" in reply.text, "b is 0.5" in reply.text) == (True, True)
        (row,) = [line for line in reply.text.splitlines() if line.startswith("c[1]")]
        assert row.split() == ["c[1]", "NaN", "2.5", "≠"]
        assert "thread (1, 0, 0)" in reply.text or "线程（1, 0, 0）" in reply.text
        assert "bank 0  x32" in reply.text
        assert "parts a warp 2 times" in reply.text or "分支发散 2 次" in reply.text
        code = reply.files["compiled.txt"].decode()
        assert "add.f32 %f3, %f1, %f2;" in code
        assert "FADD R9, R4, R3" in code
        asked = stage.executor.seen[-1].trying
        assert asked == Try("vector_add", {"n": 3}, "zeros", 7, {"a": (1.0, 2.0, 3.0)}, "c", 1)
        assert await stage.services.submissions.mine(Scope.all(), member_id(person.user.id)) == ()


async def test_what_is_owed_of_a_try_is_owed_in_private(stage: Stage, ann: Person) -> None:
    stage.executor.may_end.clear()
    async with stage.bot():
        given = {"problem": "vector_add", "file": FILE, "sizes": "n=3"}
        exchange = await ann.run("try", stage.place("guild", ann), **given)
        reply = await (await exchange.reply()).until(lambda text: "handed in" in text)
        (owed,) = await stage.services.outbox.open(FACE, Owed.VERDICT)
        assert owed.address["private"] is True
        stage.executor.may_end.set()
        await reply.until(is_over)


async def test_without_a_file_a_form_opens_and_comes_back_filled(stage: Stage, ann: Person) -> None:
    seen(stage)
    async with stage.bot():
        asked = await ann.run("try", stage.place("guild", ann), problem="vector_add", sizes="n=5")
        assert (await asked.form()).fields["Sizes"]["value"] == "n=5"
        filled = await ann.fill(asked, CUDA_code=KERNEL, Sizes="", Inputs="ones")
        reply = await (await filled.reply()).until(is_over)
        assert reply.private
        job = stage.executor.seen[-1].trying
        assert job == Try("vector_add", {"n": 1000}, "ones")
        again = await (await ann.press(reply, "Change it and try again")).form()
        assert again.fields["CUDA code"]["value"] == KERNEL
        assert (again.fields["Sizes"]["value"], again.fields["Inputs"]["value"]) == ("n=1000", "ones")


async def test_a_case_that_went_wrong_is_tried_again(stage: Stage, ann: Person) -> None:
    wrong = CaseResult({"n": 33}, "ascending", False, 1)
    stage.executor.parts = {"verdict": Kind.WRONG_ANSWER, "score": None, "cases": (wrong,)}
    async with stage.bot():
        here = stage.place("guild", ann)
        exchange = await ann.run("submit", here, problem="vector_add", file=FILE)
        await (await exchange.reply()).until(is_over)
        seen(stage)
        await try_it(stage, ann, here, case=1)
        assert stage.executor.seen[-1].trying == Try("vector_add", {"n": 33}, "ascending")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sizes": "n=0"}, "n = 0 cannot be tried"),
        ({"sizes": "33"}, "n=33 or rows=4"),
        ({"inputs": "a=1e999"}, "finite"),
        ({"element": "c"}, "written out[5]"),
        ({"case": 4}, "no wrong case number 4"),
        ({"problem": "nothing"}, "nothing"),
    ],
)
async def test_what_is_typed_wrong_is_told_and_nothing_is_run(
    stage: Stage, ann: Person, options: dict[str, Any], said: str
) -> None:
    before = len(stage.executor.seen)
    async with stage.bot():
        given = {"problem": "vector_add", "file": FILE, "sizes": "n=3"} | options
        reply = await (await ann.run("try", stage.place("guild", ann), **given)).reply()
        assert said in (await reply.until(lambda text: said in text)).text.replace("\\", "")
    assert len(stage.executor.seen) == before


async def test_the_largest_try_fits_into_a_message_and_breaks_out_of_nothing(stage: Stage, ann: Person) -> None:
    lanes = tuple(range(32))
    access = Access(
        1, "load", "global", "```@everyone", 4, (0, 0, 0), lanes, tuple(lane << 35 for lane in lanes), 32, 4
    )
    whole = tried(Job("x", Form.TRY, "", trying=Try("vector_add", {"n": 3}))).tried
    assert whole is not None
    huge = Tried(
        {"a": (1.0,) * 16},
        tuple(one for one in whole.outputs for _ in range(8)),
        whole.writes * 16,
        whole.counts,
        {
            line: {"load_sectors": 10**15, "shared_requests": 10**15, "divergent_branches": 10**15}
            for line in range(200)
        },
        access,
        tuple((line, "x" * 160) for line in range(600)),
        tuple((line, "y" * 160) for line in range(600)),
    )
    log = CompileReport(True, "", False, 1.0)
    seen(stage, tried=huge, output="```\n@everyone " + "o" * 5000, compile=log)
    async with stage.bot():
        reply = await try_it(stage, ann)
        assert len(reply.text) <= 4000
        assert reply.text.count("```") % 2 == 0
        assert stage.discord.pings == []
        assert len(reply.files["compiled.txt"]) > 100_000


async def test_nobody_opens_the_try_of_somebody_else(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    seen(stage)
    async with stage.bot():
        reply = await try_it(stage, ann)
        other = place.person("eve")
        own = await try_it(stage, other)
        label = "Change it and try again"
        own.buttons[label]["custom_id"] = reply.buttons[label]["custom_id"]
        refused = await (await other.press(own, label)).reply()
        assert KERNEL not in refused.text
