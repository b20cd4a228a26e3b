"""What is typed for a try becomes what a worker is told; nonsense is refused before it waits in line."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from knowledge.errors import BadInput
from knowledge.store import Scope
from knowledge.submit import TryRequest, asked_try, element_of, inputs_of, sizes_of
from tests.integration.knowledge.submit.setup import HERE, House
from worker.canned import accepted
from worker.protocol import Backend, CaseResult, Form, Job, Kind, Try, Verdict


def with_cases(job: Job) -> Verdict:
    cases = (
        CaseResult({"n": 5}, "uniform", True),
        CaseResult({"n": 33}, "zeros", False),
        CaseResult({"n": 0}, "ones", False),
        CaseResult({"n": 100_000}, "ones", False),
    )
    return replace(accepted(job), backend=Backend.GPU, verdict=Kind.WRONG_ANSWER, cases=cases, score=None)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("n=33", {"n": 33}),
        (" rows = 4 , cols=40,", {"rows": 4, "cols": 40}),
        ("rows=4 cols=40", {"rows": 4, "cols": 40}),
        ("rows=4;\r\ncols=40\r\n", {"rows": 4, "cols": 40}),
    ],
)
def test_sizes_are_read_however_they_are_set_apart(text: str, sizes: dict[str, int]) -> None:
    assert sizes_of(text) == sizes


@pytest.mark.parametrize("text", ["", "n", "n=", "33", "n=-1", "n=3.5", "n=3 4", "=3", "n=1e3", "n=99999999999"])
def test_sizes_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        sizes_of(text)
    assert refused.value.message.id == "error.try.sizes"


def test_inputs_are_a_kind_for_all_or_numbers_for_one() -> None:
    assert inputs_of(["zeros", "x=1, -2,3e2"]) == ("zeros", {"x": (1.0, -2.0, 300.0)})
    assert inputs_of(["random"]) == ("uniform", {})
    assert inputs_of([]) == ("", {})
    for wrong in ("x=1e999", "x=", "x=1-2", "two words", "x=nan", "x=-"):
        with pytest.raises(BadInput):
            inputs_of([wrong])


def test_an_element_is_an_output_and_an_index() -> None:
    assert (element_of("out[5]"), element_of(" out [ 5 ] "), element_of("")) == (("out", 5), ("out", 5), ("", 0))
    with pytest.raises(BadInput):
        element_of("out")


async def asked(house: House, **more: Any) -> Try:
    return await asked_try(house.submissions, HERE, "ann", TryRequest("saxpy", **more))


async def test_a_case_that_went_wrong_is_tried_again_and_what_is_named_beside_it_holds(house: House) -> None:
    async with house.serving(answer=with_cases):
        await house.outcome(await house.hand_in(problem="saxpy"))
    assert await asked(house, case=1) == Try("saxpy", {"n": 33}, "zeros")
    assert (await asked(house, case=1, values="ones")).values == "ones"
    assert (await asked(house, case=1, typed={"x": (1.0,)})).typed == {"x": (1.0,)}
    assert (await asked(house, case=2, sizes={"n": 4})).sizes == {"n": 4}
    for case, key in ((2, "case_size"), (3, "case_size"), (4, "case"), (0, "case")):
        with pytest.raises(BadInput) as refused:
            await asked(house, case=case)
        assert refused.value.message.id == f"error.try.{key}"


async def test_nobody_tries_the_case_of_somebody_else(house: House) -> None:
    async with house.serving(answer=with_cases):
        await house.outcome(await house.hand_in(problem="saxpy", member="bob"))
    with pytest.raises(BadInput):
        await asked(house, case=1)


@pytest.mark.parametrize(
    ("trying", "key"),
    [
        (Try("saxpy", {}), "sizes"),
        (Try("saxpy", {"n": 0}), "size"),
        (Try("saxpy", {"n": 65537}), "size"),
        (Try("saxpy", {"n": 1}, typed={"x": (float("inf"),)}), "infinite"),
        (Try("saxpy", {"n": 1}, typed={"x": (float("nan"),)}), "infinite"),
    ],
)
async def test_a_try_that_no_worker_could_run_is_refused_before_it_is_a_row(
    house: House, trying: Try, key: str
) -> None:
    with pytest.raises(BadInput) as refused:
        await house.hand_in(trying=trying)
    assert refused.value.message.id == f"error.try.{key}"
    assert await house.queue.waiting() == 0


async def test_a_try_counts_for_nothing(house: House) -> None:
    def solved(job: Job) -> Verdict:
        return accepted(replace(job, problem="saxpy"))

    async with house.serving(answer=solved):
        verdict = await house.outcome(await house.hand_in(trying=Try("saxpy", {"n": 3})))
        scored = await house.outcome(await house.hand_in(problem="saxpy", member="bob"))
    assert (verdict.form, verdict.problem, verdict.score, verdict.rank) == (Form.TRY, None, None, None)
    assert (scored.score, scored.rank) == (0.5, 1)
    assert await house.submissions.mine(Scope(), "ann") == ()
