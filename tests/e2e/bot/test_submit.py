"""Handing in: file, form, message command; progress by editing; verdicts, their buttons, cancelling."""

from __future__ import annotations

from typing import Any

import pytest

from knowledge.store import Scope
from tests.discord import Exchange, LocalDiscord, Person, Shown, Upload
from tests.e2e.bot.stage import KERNEL, ONE_LIFE, Stage
from worker.protocol import (
    Backend,
    Card,
    CaseResult,
    CompileReport,
    Finding,
    KernelResources,
    Kind,
    Mismatch,
    Timing,
)

pytestmark = ONE_LIFE

FINDING = Finding(
    "missing-bounds-check", "error", {"en": "Index i is not checked.", "zh": "下标 i 没有检查。"}, line=3,
    readings=(),
)  # fmt: skip
WRONG = CaseResult({"n": 33}, "uniform", ok=False, mismatches=1, first=Mismatch("c", (32,), 3.25, None))
RIGHT = CaseResult({"n": 32}, "uniform", ok=True)


def is_final(text: str) -> bool:
    return "`01" in text and not any(word in text for word in ("handed in", "提交于"))


async def handed_in(stage: Stage, person: Person, where: str = "guild", **options: Any) -> Shown:
    given = {"problem": "vector_add", "file": Upload("a.cu", KERNEL.encode())} | options
    exchange = await person.run("submit", stage.place(where, person), **given)
    return await (await exchange.reply()).until(is_final)


async def test_progress_is_shown_by_editing_one_message(stage: Stage, person: Person) -> None:
    stage.executor.may_end.clear()
    async with stage.bot():
        channel = stage.place("guild", person)
        exchange = await person.run("submit", channel, problem="vector_add", file=Upload("a.cu", KERNEL.encode()))
        reply = await exchange.reply()
        await reply.until(lambda text: "handed in" in text or "提交于" in text)
        stage.executor.may_end.set()
        await reply.until(is_final)
        assert len(exchange.interaction.ephemeral_messages) == 1
        assert exchange.interaction.followups == []


async def test_the_place_in_the_queue_is_shown(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    stage.executor.may_end.clear()
    async with stage.bot():
        channel = stage.place("guild", ann)
        for name in ("b", "c", "d"):
            await (await place.person(name).run("submit", channel, file=Upload("a.cu", KERNEL.encode()))).reply()
        exchange = await ann.run("submit", channel, file=Upload("a.cu", KERNEL.encode()))
        await (await exchange.reply()).until(lambda text: "ahead of you" in text)
        stage.executor.may_end.set()
        await (await exchange.reply()).until(is_final)


@pytest.mark.parametrize("kind", list(Kind))
async def test_every_verdict_has_words_in_both_languages(stage: Stage, person: Person, kind: Kind) -> None:
    stage.executor.parts = {"verdict": kind, "score": None}
    async with stage.bot():
        reply = await handed_in(stage, person)
        words = stage.living[0].languages["zh" if person.user.locale == "zh-CN" else "en"]
        assert words(f"verdict.{kind.value}") in reply.text


async def test_a_finding_shows_its_line_and_what_to_read(stage: Stage, person: Person) -> None:
    stage.executor.parts = {"verdict": Kind.MEMORY_ERROR, "score": None, "findings": (FINDING,)}
    async with stage.bot():
        reply = await handed_in(stage, person)
        assert "Index i is not checked." in reply.text or "下标 i 没有检查。" in reply.text
        assert ">   3 |   c[i] = a[i] + b[i];" in reply.text
        label = "Read about this" if "Read about this" in reply.buttons else "相关读物"
        readings = await (await person.press(reply, label)).reply()
        assert readings.private
        assert "**1.**" in readings.text


async def test_cases_are_lines_and_wrong_ones_come_first(stage: Stage, ann: Person) -> None:
    stage.executor.parts = {"verdict": Kind.WRONG_ANSWER, "score": None, "cases": (RIGHT, WRONG)}
    async with stage.bot():
        text = (await handed_in(stage, ann)).text
        assert "1 of 2 cases right; largest size tried: n=33" in text
        assert text.index("✗ n=33, uniform: c[32]: your kernel gives NaN, right is 3.25") < text.index(
            "✓ n=32, uniform"
        )


async def test_a_compile_log_is_fenced(stage: Stage, ann: Person) -> None:
    log = 'kernel.cu(2): error: identifier "flaot" is undefined\n```\n@everyone'
    stage.executor.parts = {
        "verdict": Kind.COMPILE_ERROR,
        "score": None,
        "compile": CompileReport(False, log, False, 20.0),
    }
    async with stage.bot():
        reply = await handed_in(stage, ann)
        assert "flaot" in reply.text
        assert reply.text.count("```") == 2
        assert stage.discord.pings == []


async def test_a_measured_kernel_brings_a_picture(stage: Stage, person: Person) -> None:
    timing = Timing({"n": 1 << 24}, 71.2, 70.9, 72.0, 20, 3770.0, 942.0, 0.87, "memory")
    resources = KernelResources("vector_add", 16, 0, 1024, 1.0)
    stage.executor.parts = {
        "card": Card("NVIDIA H200", "sm_90a", "580"),
        "timing": (timing,),
        "compile": CompileReport(True, "", False, 20.0, (resources,)),
    }
    async with stage.bot():
        reply = await handed_in(stage, person)
        assert reply.files["roofline.png"].startswith(b"\x89PNG")
        assert "87%" in reply.text
        assert "16" in reply.text


async def test_the_roof_of_the_picture_is_the_one_that_a_worker_measured(stage: Stage, person: Person) -> None:
    h200 = Card("NVIDIA H200", "sm_90a", "580")
    stage.executor.found_out = {"card": h200, "peak_gb_per_s": 4321.0, "peak_gflop_per_s": 65_400.0}
    stage.executor.parts = {
        "card": h200,
        "timing": (Timing({"n": 1 << 24}, 71.2, 70.9, 72.0, 20, 3770.0, 942.0, 0.87, "memory"),),
    }

    async def peaks() -> set[float | None]:
        return {worker.peak_gb_per_s for worker in await stage.living[0].services.submissions.workers()}

    async with stage.bot():
        await stage.until(peaks, {4321.0})
        (picture,) = (await handed_in(stage, person)).pictures
        assert "4321 GB/s" in picture
        assert "measured on this card" in picture or "在该卡上实测" in picture


async def test_output_of_a_program_cannot_break_out(stage: Stage, ann: Person) -> None:
    stage.executor.parts = {"verdict": Kind.RAN, "score": None, "output": "```\n# hi <@1> @everyone"}
    async with stage.bot():
        reply = await handed_in(stage, ann, problem="vector_add")
        assert reply.text.count("```") == 2
        assert stage.discord.pings == []


async def test_a_verdict_is_private_unless_public(stage: Stage, person: Person) -> None:
    async with stage.bot():
        assert (await handed_in(stage, person)).private
        assert not (await handed_in(stage, person, public=True)).private


async def test_a_verdict_can_be_made_public(stage: Stage, person: Person) -> None:
    async with stage.bot():
        reply = await handed_in(stage, person)
        label = "Make public" if "Make public" in reply.buttons else "公开"
        shared = await (await person.press(reply, label)).reply()
        assert not shared.private
        assert f"<@{person.user.id}>" in shared.text
        assert stage.discord.pings == []
        assert label not in shared.buttons


async def test_one_gets_ones_code_back(stage: Stage, person: Person) -> None:
    async with stage.bot():
        reply = await handed_in(stage, person)
        label = "My code" if "My code" in reply.buttons else "我的代码"
        mine = await (await person.press(reply, label)).reply()
        assert next(iter(mine.files.values())).decode() == KERNEL


async def test_trying_again_begins_with_the_same_code(stage: Stage, person: Person) -> None:
    stage.executor.parts = {"verdict": Kind.WRONG_ANSWER, "score": None}
    async with stage.bot():
        reply = await handed_in(stage, person)
        label = "Try again" if "Try again" in reply.buttons else "再试一次"
        again = await person.press(reply, label)
        form = await again.form()
        code = next(field for field in form.fields.values() if field["custom_id"] == "code")
        assert code["value"] == KERNEL
        stage.executor.parts = {}
        second = await (await person.submit(again, form, {})).reply()
        await second.until(is_final)
        assert [job.problem for job in stage.executor.seen] == ["vector_add", "vector_add"]


async def test_the_menu_of_the_form_offers_what_is_not_solved_before_what_is(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        first = await _offered(stage, ann)
        reply = await (
            await ann.run("submit", stage.place("guild", ann), problem=first[1], file=Upload("a.cu", KERNEL.encode()))
        ).reply()
        await reply.until(is_final)
        then = await _offered(stage, ann)
    assert len(first) == len(then) == 25
    assert first[1] not in then


async def _offered(stage: Stage, ann: Person) -> list[str]:
    form = await (await ann.run("submit", stage.place("guild", ann))).form()
    menu = next(field for field in form.fields.values() if field["custom_id"] == "problem")
    return [option["value"] for option in menu["options"]]


@pytest.mark.parametrize("where", ["guild", "dm", "user"])
async def test_code_is_handed_in_by_form(stage: Stage, person: Person, where: str) -> None:
    async with stage.bot():
        exchange = await person.run("submit", stage.place(where, person))
        form = await exchange.form()
        labels = {field["custom_id"]: label for label, field in form.fields.items()}
        filled = {labels["code"]: KERNEL, labels["problem"]: ["vector_add"]}
        reply = await (await person.submit(exchange, form, filled)).reply()
        await reply.until(is_final)
        assert stage.executor.seen[0].source == KERNEL
        assert stage.executor.seen[0].problem == "vector_add"


async def test_a_file_is_handed_in_by_form(stage: Stage, person: Person) -> None:
    async with stage.bot():
        exchange = await person.run("submit", stage.place("guild", person), problem="vector_add")
        form = await exchange.form()
        labels = {field["custom_id"]: label for label, field in form.fields.items()}
        reply = await (await person.submit(exchange, form, {labels["file"]: Upload("k.cu", KERNEL.encode())})).reply()
        await reply.until(is_final)
        assert stage.executor.seen[0].source == KERNEL


@pytest.mark.parametrize("name", ["Check this kernel", "检查这段核函数"])
async def test_a_message_is_checked(stage: Stage, ann: Person, name: str) -> None:
    async with stage.bot():
        said = await ann.say(f"look:\n```cuda\n{KERNEL}\n```", stage.place("guild", ann), mention=False)
        reply = await (await ann.check(name, said)).reply()
        await reply.until(is_final)
        assert reply.private
        assert stage.executor.seen[0].source == KERNEL


async def test_a_message_without_code_is_told_so(stage: Stage, person: Person) -> None:
    async with stage.bot():
        said = await person.say("no code here", stage.place("dm", person), mention=False)
        reply = await (await person.check("Check this kernel", said)).reply()
        assert "```" in reply.text


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "empty"),
        (b"\x7fELF\x00\x00", "not a text file"),
        (b"\xff\xfe\x00\xd8", "not a text file"),
        (b"x" * (257 * 1024), "at most 256 KiB"),
        (b"   \n", "no code"),
    ],
)
async def test_an_upload_is_judged_by_its_bytes(stage: Stage, ann: Person, body: bytes, says: str) -> None:
    async with stage.bot():
        exchange = await ann.run("submit", stage.place("guild", ann), file=Upload("kernel.cu", body))
        assert says in (await exchange.reply()).text


async def test_an_unknown_problem_offers_the_nearest(stage: Stage, person: Person) -> None:
    async with stage.bot():
        exchange = await person.run(
            "submit", stage.place("guild", person), problem="vector_ad", file=Upload("a.cu", KERNEL.encode())
        )
        assert "vector_add" in (await exchange.reply()).text


async def test_a_waiting_submission_is_cancelled_by_its_button(stage: Stage, person: Person) -> None:
    stage.executor.may_end.clear()
    async with stage.bot():
        exchange = await person.run("submit", stage.place("guild", person), file=Upload("a.cu", KERNEL.encode()))
        reply = await exchange.reply()
        label = "Cancel" if "Cancel" in reply.buttons else "取消"
        await (await person.press(reply, label)).reply()
        await reply.until(lambda text: "cancelled" in text or "已取消" in text)


async def test_a_submission_is_cancelled_by_command(stage: Stage, person: Person) -> None:
    stage.executor.may_end.clear()
    async with stage.bot():
        channel = stage.place("guild", person)
        await (await person.run("submit", channel, file=Upload("a.cu", KERNEL.encode()))).reply()
        offered = await (await person.complete("cancel", channel, "submission", submission="")).choices()
        said = await (await person.run("cancel", channel, submission=offered[0][1])).reply()
        assert said.text in {"Cancelled.", "已取消。"}


async def test_what_is_done_cannot_be_cancelled(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        channel = stage.place("dm", ann)
        exchange = await ann.run("submit", channel, file=Upload("a.cu", KERNEL.encode()))
        await (await exchange.reply()).until(is_final)
        said = await (await ann.run("cancel", channel, submission=stage.executor.seen[0].submission)).reply()
        assert "Too late" in said.text


async def test_another_members_submission_cannot_be_touched(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    bob = place.person("bob")
    async with stage.bot():
        reply = await handed_in(stage, ann, public=True)
        for label in ("My code", "Make public"):
            refusal = await (await bob.press(reply, label)).reply()
            assert "no such submission of yours" in refusal.text
            assert refusal.private


async def test_submissions_are_listed_and_opened(stage: Stage, person: Person) -> None:
    async with stage.bot():
        channel = stage.place("dm", person)
        exchange = await person.run("submit", channel, problem="vector_add", file=Upload("a.cu", KERNEL.encode()))
        await (await exchange.reply()).until(is_final)
        listed = await (await person.run("submissions", channel, problem="vector_add")).reply()
        opened: Exchange = await person.choose(listed, stage.executor.seen[0].submission)
        assert is_final((await opened.reply()).text)


async def test_many_submissions_are_paged(stage: Stage, person: Person) -> None:
    from knowledge.submit import HandIn

    for _ in range(12):
        submission = await stage.services.submissions.hand_in(Scope(), HandIn(f"discord:{person.user.id}", KERNEL))
        async for _step in stage.services.submissions.watch(Scope(), submission):
            pass
    async with stage.bot():
        listed = await (await person.run("submissions", stage.place("dm", person))).reply()
        before = listed.text
        label = next(label for label in listed.buttons if label.endswith("›"))
        await (await person.press(listed, label)).acknowledged()
        assert listed.text != before


@pytest.mark.parametrize("backend", [Backend.GPU, Backend.EMULATOR, Backend.COMPILE])
async def test_a_member_chooses_where_it_runs(stage: Stage, ann: Person, backend: Backend) -> None:
    async with stage.bot():
        await handed_in(stage, ann, backend=backend.value)
        assert [job.backend for job in stage.executor.seen] == [backend]


@pytest.mark.parametrize("command", ["submissions", "leaderboard", "submit"])
async def test_problems_are_offered_while_typing(stage: Stage, person: Person, command: str) -> None:
    async with stage.bot():
        typing = await person.complete(command, stage.place("guild", person), "problem", problem="reduce")
        assert "reduce_sum" in [value for _, value in await typing.choices()]
