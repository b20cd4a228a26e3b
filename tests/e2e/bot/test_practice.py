"""Help with a problem on Discord: hints, giving up, the explanation, and what comes after an accepted kernel."""

from __future__ import annotations

from tests.discord import Person, Shown, Upload
from tests.e2e.bot.stage import KERNEL, ONE_LIFE, Stage
from worker.protocol import Backend, Finding, Kind

pytestmark = ONE_LIFE
WORDS = {
    "en-US": {
        "hints": "Hints", "open": "Open hint {n} of 3", "all": "All hints are open",
        "editorial": "Worked explanation", "give_up": "Give up and show it", "code": "The code",
        "next": "Next problem", "title": "Softmax along the rows", "solved": "Solved: 1 of", "best": "Step 4 of 5",
        "left": "Line 2: 32.0 sectors for each access of a warp", "share": "of what the card can reach",
        "streak": "problem: 1 in this server, 1 of your own",
        "pattern": "c was never written.", "progress": "Problems solved: 1 of",
    },
    "zh-CN": {
        "hints": "提示", "open": "打开提示 {n} / 3", "all": "提示已全部打开",
        "editorial": "题解", "give_up": "放弃并查看题解", "code": "代码",
        "next": "下一题", "title": "按行 softmax", "solved": "已解出 1 / ", "best": "第 4 步 / 共 5 步",
        "left": "第 2 行：一个线程束每次访问要搬 32.0 个扇区", "share": "达到上限的",
        "streak": "本服务器 1 周，你自己 1 周", "pattern": "c 从未写入。", "progress": "解出的题目：1 /",
    },
}  # fmt: skip


def word(person: Person, name: str, **fields: object) -> str:
    return WORDS[person.user.locale][name].format(**fields)


async def handed_in(stage: Stage, person: Person, **parts: object) -> Shown:
    stage.executor.parts = parts
    place = stage.place("guild", person)
    file = Upload("a.cu", KERNEL.encode())
    return await (await person.run("submit", place, problem="vector_add", file=file)).reply()


async def test_hints_open_one_by_one_in_one_message(stage: Stage, person: Person) -> None:
    async with stage.bot():
        place = stage.place("guild", person)
        shown = await (await person.run("problems", place, name="softmax")).reply()
        hints = await (await person.press(shown, word(person, "hints"))).reply()
        assert hints.private
        for n in (1, 2, 3):
            await (await person.press(hints, word(person, "open", n=n))).acknowledged()
        assert word(person, "all") in hints.text
        assert not [one for one in hints.buttons if one == word(person, "open", n=3)]
        again = await (await person.run("hint", place, problem="softmax")).reply()
        assert again.text == hints.text


async def test_the_explanation_asks_first_and_then_goes_step_by_step(stage: Stage, person: Person) -> None:
    async with stage.bot():
        place = stage.place("guild", person)
        shown = await (await person.run("editorial", place, problem="softmax")).reply()
        assert word(person, "title") in shown.text
        assert word(person, "share") not in shown.text
        await (await person.press(shown, word(person, "give_up"))).acknowledged()
        assert word(person, "code") not in shown.buttons
        for _ in range(3):
            await (await person.press(shown, "›")).acknowledged()
        assert word(person, "best") in shown.text
        assert word(person, "share") in shown.text
        code = await (await person.press(shown, word(person, "code"))).reply()
        assert "row_in_registers.cu" in code.text
        opened = await (await person.choose(shown, shown.selects[0]["options"][0]["value"])).reply()
        assert shown.selects[0]["options"][0]["label"] in opened.text


async def test_a_wrong_kernel_leads_to_hints_and_an_accepted_one_onward(stage: Stage, person: Person) -> None:
    async with stage.bot():
        found = Finding("outputs-unwritten", "error", {"en": "c was never written.", "zh": "c 从未写入。"}, 2)
        failed = await handed_in(stage, person, verdict=Kind.WRONG_ANSWER, score=None, findings=(found,))
        await failed.until(lambda _: word(person, "hints") in failed.buttons)
        assert word(person, "pattern") in failed.text
        hints = await (await person.press(failed, word(person, "hints"))).reply()
        before = hints.text
        await (await person.press(hints, word(person, "open", n=1))).acknowledged()
        assert hints.text != before
        assert word(person, "open", n=2) in hints.buttons

        advice = Finding(
            "uncoalesced",
            "warning",
            {"en": "Far apart.", "zh": "相隔很远。"},
            2,
            evidence={"sectors": 32.0, "ideal": 4.0},
        )
        right = await handed_in(stage, person, findings=(advice,), backend=Backend.EMULATOR, card=None, score=None)
        await right.until(lambda text: word(person, "solved") in text)
        assert word(person, "left") in right.text
        following = await (await person.press(right, word(person, "next"))).reply()
        assert "vector_add" not in following.text.splitlines()[0]
        progress = await (await person.run("progress", right.channel)).reply()
        assert word(person, "progress") in progress.text
        assert word(person, "streak") in right.text
        assert word(person, "streak") in progress.text
        told = await (await person.press(right, word(person, "editorial"))).reply()
        assert "1.61 GB" in told.text
