"""The JSON API: the same flows as the pages, as its description says, and never a 500."""

from __future__ import annotations

import pytest
from schemathesis import GenerationMode

from tests.integration.web.fuzz import statuses_of_requests
from tests.integration.web.stage import WRONG, Browser, Stage


async def test_ask_answers_with_citations(browser: Browser) -> None:
    async with browser.session.post("/api/v1/ask", json={"question": "How do I avoid bank conflicts?"}) as response:
        answer = await response.json()
    assert answer["status"] == "answered"
    assert answer["citations"][0]["resource_id"] == "shared-page"


async def test_a_submission_is_handed_in_and_followed_to_its_verdict(browser: Browser) -> None:
    async with browser.session.post(
        "/api/v1/submissions", json={"source": WRONG, "problem": "vector_add"}
    ) as response:
        assert response.status == 202
        made = await response.json()
    async with browser.session.get(f"/submissions/{made['submission']}/events") as stream:
        await stream.text()
    async with browser.session.get(made["url"]) as response:
        found = await response.json()
    assert found["verdict"]["verdict"] == "memory_error"
    assert found["verdict"]["findings"][0]["line"] == 3
    async with browser.session.get("/api/v1/submissions") as response:
        assert [one["submission"] for one in (await response.json())["submissions"]] == [made["submission"]]


async def test_recommend_path_and_problems_say_the_same_as_the_services(browser: Browser, stage: Stage) -> None:
    async with browser.session.get("/api/v1/recommend?level=beginner&topic=cuda") as response:
        assert (await response.json())["topic"] == "cuda-basics"
    async with browser.session.get("/api/v1/path?topic=bank-conflicts&lang=zh") as response:
        assert (await response.json())["topic"] == "bank-conflicts"
    async with browser.session.get("/api/v1/problems/vector_add") as response:
        assert "__global__" in (await response.json())["starter"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/search", 422),
        ("/api/v1/search?q=warp&k=1000", 422),
        ("/api/v1/search?q=warp&q=block", 422),
        ("/api/v1/recommend?level=wizard&topic=cuda", 404),
        ("/api/v1/path?topic=cooking-pasta", 404),
        ("/api/v1/problems/none", 404),
        ("/api/v1/submissions/1", 404),
        ("/api/v1/nothing", 404),
    ],
)
async def test_what_is_wrong_is_told_in_one_json_sentence(browser: Browser, path: str, status: int) -> None:
    async with browser.session.get(path) as response:
        assert response.status == status
        assert list(await response.json()) == ["error"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
async def test_nothing_that_the_description_allows_or_forbids_ends_in_a_500(
    stage: Stage, mode: GenerationMode
) -> None:
    statuses = await statuses_of_requests(stage.address, mode)
    assert len(statuses) > 40
    assert [status for status in statuses if status >= 500] == []
