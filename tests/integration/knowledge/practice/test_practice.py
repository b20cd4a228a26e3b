"""Hints, giving up and what comes after an accepted kernel, over both databases and the real content."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from knowledge.content import Content
from knowledge.errors import BadInput, NotAllowed, NotFound
from knowledge.practice import Practice
from knowledge.privacy import export, forget
from knowledge.recommend import Recommender
from knowledge.store import Scope, Store
from knowledge.store.tables import Member, ProblemHelpRow, Submission
from knowledge.submit.problem_progress import problem_progress
from knowledge.submit.verdicts import commit
from tests.shipped_content import shipped_content, shipped_recommender
from worker.canned import accepted
from worker.protocol import Backend, Form, Job, Kind, Verdict

ADA, BOB = "local:ada", "discord:42"
HERE = Scope()


@pytest.fixture(scope="module")
def content() -> Content:
    return shipped_content()


@pytest.fixture
def recommender(store: Store, content: Content) -> Recommender:
    return shipped_recommender(store)


@pytest.fixture
def practice(store: Store, content: Content, recommender: Recommender) -> Practice:
    return Practice(store, content, recommender)


async def solve(store: Store, problem: str, member: str = ADA, kind: Kind = Kind.ACCEPTED) -> Verdict:
    """Hand in as the collector commits it."""
    async with store.session(Scope.guild("7")) as session:
        if await session.get(Member, member) is None:
            session.add(Member(id=member))
            await session.flush()
        row = Submission(member_id=member, form="kernel", problem=problem, source="…", backend="auto", guild_id="7")
        session.add(row)
        await session.flush()
        verdict = accepted(Job(row.id, Form.KERNEL, "…", problem))
        if kind is not Kind.ACCEPTED:
            verdict = Verdict(row.id, Form.KERNEL, problem, Backend.EMULATOR, kind)
        await commit(session, row, 1, verdict, lambda _id, _lang: ())
    return verdict


async def test_hints_open_one_by_one_and_stay_open(practice: Practice) -> None:
    assert (await practice.hints(ADA, "softmax", "en")).opened == ()
    with pytest.raises(NotAllowed) as caught:
        await practice.open_hint(ADA, "softmax", 2, "en")
    assert "number 1" in caught.value.text("en")
    first = await practice.open_hint(ADA, "softmax", 1, "en")
    assert (len(first.opened), first.next_number) == (1, 2)
    again = await practice.open_hint(ADA, "softmax", 1, "en")
    assert again.opened == first.opened
    await practice.open_hint(ADA, "softmax", None, "en")
    all_three = await practice.open_hint(ADA, "softmax", None, "zh")
    assert (len(all_three.opened), all_three.next_number) == (3, None)
    assert (await practice.open_hint(ADA, "softmax", None, "zh")).opened == all_three.opened
    assert (await practice.hints(BOB, "softmax", "en")).opened == ()
    assert (await practice.hints(ADA, "matmul", "en")).opened == ()


@pytest.mark.parametrize("number", [0, -1, 4, 10**9])
async def test_a_hint_that_is_not_there_is_refused(practice: Practice, number: int) -> None:
    with pytest.raises(BadInput):
        await practice.open_hint(ADA, "softmax", number, "en")


@pytest.mark.parametrize("problem", ["none", "../softmax", ""])
async def test_an_unknown_problem_has_no_help(practice: Practice, problem: str) -> None:
    for asked in (practice.open_hint(ADA, problem, None, "en"), practice.give_up(ADA, problem)):
        with pytest.raises(NotFound):
            await asked
    with pytest.raises(NotFound):
        await practice.editorial(HERE, ADA, problem, "en")


async def test_a_button_pressed_twice_at_once_opens_one_hint(practice: Practice, store: Store) -> None:
    await asyncio.gather(*(practice.open_hint(ADA, "softmax", 1, "en") for _ in range(4)))
    async with store.reading(Scope.all()) as session:
        assert (await session.scalars(select(ProblemHelpRow.hints))).all() == [1]


async def test_the_explanation_opens_for_whoever_gave_up_and_nobody_else(practice: Practice) -> None:
    with pytest.raises(NotAllowed):
        await practice.editorial(HERE, ADA, "softmax", "en")
    await practice.give_up(ADA, "softmax")
    await practice.give_up(ADA, "softmax")
    assert (await practice.editorial(HERE, ADA, "softmax", "en")).steps
    with pytest.raises(NotAllowed):
        await practice.editorial(HERE, BOB, "softmax", "en")
    with pytest.raises(NotAllowed):
        await practice.editorial(HERE, ADA, "matmul", "en")


async def test_to_give_up_is_not_to_solve(practice: Practice, store: Store) -> None:
    await practice.give_up(ADA, "softmax")
    assert (await problem_progress(store, ADA, ["softmax"]))["softmax"] == "new"


async def test_an_accepted_kernel_opens_the_explanation(practice: Practice, store: Store) -> None:
    await solve(store, "softmax", kind=Kind.WRONG_ANSWER)
    with pytest.raises(NotAllowed):
        await practice.editorial(HERE, ADA, "softmax", "en")
    await solve(store, "softmax")
    assert (await practice.editorial(HERE, ADA, "softmax", "zh")).steps


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_each_step_shows_what_was_measured_of_its_solution(
    practice: Practice, content: Content, lang: str
) -> None:
    await practice.give_up(ADA, "matmul")
    floor, naive, *between, best, triton = (await practice.editorial(HERE, ADA, "matmul", lang)).steps
    recorded = {one.solution: one for one in content.solution_times.of_problem("matmul")}
    assert (naive.step.solution, best.step.solution) == ("naive", "register_tiles")
    assert naive.figures[0].time_us == recorded["naive"].median_us
    assert floor.figures[0].time_us < best.figures[0].time_us < naive.figures[0].time_us
    assert floor.compared is None is naive.compared
    assert (triton.step.measured, triton.figures) == ("triton", ())
    faster = recorded["shared_tiles"].median_us / recorded["register_tiles"].median_us
    assert best.times_faster == pytest.approx(faster)
    assert f"{faster:.1f}" in best.compared.text(lang)  # type: ignore[union-attr]
    assert "__global__" in best.source
    assert best.launched is not None
    assert "1,024" in best.launched.text(lang)
    assert all(step.readings for step in (floor, naive, *between, best, triton))


async def test_steps_that_no_card_has_timed_say_so_and_show_what_they_launch(practice: Practice) -> None:
    await practice.give_up(ADA, "rms_norm")
    found = await practice.editorial(HERE, ADA, "rms_norm", "en")
    floor, *solutions = found.steps
    assert found.measured_on.text("en").startswith("No card has timed")
    assert found.as_json()["measured_on"] is None
    assert not any(step.figures or step.compared for step in found.steps)
    assert floor.launched is None
    assert all(step.launched for step in solutions)


async def test_a_slower_step_says_that_it_is_slower(practice: Practice) -> None:
    await practice.give_up(ADA, "conv3x3")
    said = [step.compared.text("en") for step in (await practice.editorial(HERE, ADA, "conv3x3", "en")).steps
            if step.compared]  # fmt: skip
    assert "slow" in said[0]
    assert "fast" in said[1]


async def test_after_an_accepted_kernel_there_is_a_next_problem(practice: Practice, store: Store) -> None:
    verdict = await solve(store, "vector_add")
    after = await practice.after(HERE, ADA, verdict)
    assert after is not None
    assert after.next is not None
    assert (after.solved, after.next.card.needs) == (1, ("vector_add",))


async def test_after_the_last_problem_there_is_none(practice: Practice, store: Store, content: Content) -> None:
    for card in content.problems:
        verdict = await solve(store, card.slug)
    after = await practice.after(HERE, ADA, verdict)
    assert after is not None
    assert (after.next, after.solved) == (None, len(content.problems))


@pytest.mark.parametrize("kind", [Kind.WRONG_ANSWER, Kind.CANCELLED, Kind.HELD])
async def test_nothing_comes_after_what_was_not_accepted(practice: Practice, store: Store, kind: Kind) -> None:
    assert await practice.after(HERE, ADA, await solve(store, "vector_add", kind=kind)) is None


async def test_what_was_solved_stays_solved_and_reading_a_problem_solves_nothing(
    store: Store, recommender: Recommender
) -> None:
    await solve(store, "vector_add")
    for event in ("too_hard", "skipped", "unread"):
        await recommender.remember(HERE, ADA, "problem:vector_add", event)
        assert (await problem_progress(store, ADA, ["vector_add"]))["vector_add"] == "solved"
    await recommender.remember(HERE, ADA, "problem:matmul", "read")
    assert (await problem_progress(store, ADA, ["matmul"]))["matmul"] == "new"


async def test_what_was_opened_is_exported_and_forgotten_with_the_member(practice: Practice, store: Store) -> None:
    await practice.open_hint(ADA, "softmax", 1, "en")
    await practice.give_up(ADA, "matmul")
    told = await export(store, ADA)
    assert {row["problem"] for row in told["problem_help"]} == {"softmax", "matmul"}
    await forget(store, ADA)
    assert (await practice.hints(ADA, "softmax", "en")).opened == ()
