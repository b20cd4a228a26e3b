"""The JSON API: the same flows as the pages, as its description says, and never a 500."""

from __future__ import annotations

from typing import Any

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


async def test_hints_open_one_by_one_and_the_explanation_once_it_is_given_up(browser: Browser) -> None:
    async def said(method: str, path: str, **body: object) -> dict[str, Any]:
        more = {"json": body} if method == "POST" else {}
        async with browser.session.request(method, f"/api/v1/problems/softmax/{path}", **more) as response:
            found: dict[str, Any] = await response.json(content_type=None)
            return found | {"status": response.status}

    assert (await said("GET", "hints"))["opened"] == []
    assert (await said("POST", "hints", number=2))["status"] == 403
    first = await said("POST", "hints", number=1)
    again = await said("POST", "hints", number=1)
    assert (len(first["opened"]), len(again["opened"]), first["editorial_open"]) == (1, 1, False)
    assert len((await said("POST", "hints"))["opened"]) == 2
    closed = await said("GET", "editorial")
    assert (closed["open"], closed["steps"]) == (False, [])
    assert (await said("POST", "give-up"))["editorial_open"]
    told = await said("GET", "editorial?lang=zh")
    assert told["open"]
    assert told["steps"][-2]["times"][0]["time_us"] > 0
    assert told["measured_on"]["card"] == "NVIDIA H200"


async def test_a_try_is_followed_like_a_submission_and_stands_in_no_list(browser: Browser) -> None:
    asked = {
        "source": WRONG,
        "problem": "vector_add",
        "sizes": {"n": 3},
        "typed": {"a": [1, 2, 3]},
        "element": "c[1]",
    }
    async with browser.session.post("/api/v1/tries", json=asked) as response:
        assert response.status == 202
        handed = await response.json()
    async with browser.session.get(f"{handed['url']}/events") as response:
        assert "event: verdict" in await response.text()
    async with browser.session.get(handed["url"]) as response:
        seen = await response.json()
    assert (seen["form"], seen["verdict"]["problem"]) == ("try", None)
    assert seen["verdict"]["tried"], seen["verdict"]
    assert seen["verdict"]["tried"]["inputs"]["a"] == [1, 2, 3]
    assert seen["verdict"]["tried"]["writes"][0]["thread"] == [1, 0, 0]
    async with browser.session.get("/api/v1/submissions") as response:
        assert handed["submission"] not in [one["submission"] for one in (await response.json())["submissions"]]


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"sizes": {"n": 0}}, 422),
        ({"sizes": {}}, 422),
        ({"sizes": {"n": 3}, "case": 7}, 422),
        ({"sizes": {"n": 3}, "element": "c"}, 422),
        ({"sizes": {"n": 3}, "problem": "nothing"}, 404),
        ({"sizes": {"n": 3.5}}, 422),
        ({"sizes": {"n": 3}, "seed": -1}, 422),
        ({"sizes": {"n": 3}, "typed": {"a": ["NaN"]}}, 422),
    ],
)
async def test_a_try_that_cannot_be_run_is_refused_at_once(
    browser: Browser, more: dict[str, object], status: int
) -> None:
    async with browser.session.post(
        "/api/v1/tries", json={"source": WRONG, "problem": "vector_add", **more}
    ) as response:
        assert response.status == status, await response.text()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/problems/none/hints", 404),
        ("/api/v1/problems/none/editorial", 404),
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
        problem = await response.json(content_type="application/problem+json")
    assert list(problem) == ["type", "title", "status", "detail"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
async def test_nothing_that_the_description_allows_or_forbids_ends_in_a_500(
    stage: Stage, mode: GenerationMode
) -> None:
    statuses = await statuses_of_requests(stage.address, mode)
    assert len(statuses) > 40
    assert [status for status in statuses if status >= 500] == []
