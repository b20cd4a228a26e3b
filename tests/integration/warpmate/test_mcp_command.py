"""`warpmate mcp` over both of its transports, spoken to by the client of the package that the protocol comes with."""

from __future__ import annotations

import httpx2
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.folders import CONTENT
from tests.integration.warpmate.cli import Home
from tests.mcp_clients import called, http_address, over_stdio, refused

REDUCE = CONTENT / "problems" / "reduce_sum" / "solutions"
TOOLS = ["ask", "search", "recommend", "define", "problem", "submit", "verdict"]


async def posted(address: str, headers: dict[str, str]) -> httpx2.Response:
    async with httpx2.AsyncClient() as client:
        return await client.post(address, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)


async def whole_session(client: Client) -> None:
    """Ask, look up, choose what to read, and hand in a wrong and a right kernel."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == TOOLS
    assert all(tool.description and tool.output_schema for tool in tools.values())
    assert [name for name, tool in tools.items() if not (tool.annotations and tool.annotations.read_only_hint)] == [
        "submit"
    ]

    answer = await called(client, "ask", question="what is warp divergence?")
    assert answer["status"] == "answered"
    assert answer["excerpts"][0]["answering"]
    assert answer["excerpts"][0]["source"] == answer["sources"][0]["n"]
    passages = (await called(client, "search", keywords="coalescing sectors", k=1, only_lang="en"))["passages"]
    assert [(one["title"], one["lang"]) for one in passages] == [("Coalesced access", "en")]
    term = await called(client, "define", term="warp", lang="zh")
    assert (term["term"], term["note"]) == ("线程束", "warpmate://notes/zh/thread-hierarchy")
    assert "the nearest are: warp divergence" in await refused(client, "define", term="wrap divergnce")

    readings = (await called(client, "recommend", wish="beginner shared memory"))["readings"]
    assert 1 < len(readings) <= 5
    note = next(one for one in readings if one["kind"] == "note")
    (text,) = (await client.read_resource(note["resource"])).contents
    assert getattr(text, "text", "").strip()

    listed = (await called(client, "problem"))["problems"]
    assert [one["slug"] for one in listed if one["mark"] != "new"] == []
    asked = await called(client, "problem", slug="reduce_sum", lang="zh")
    assert asked["statement"].startswith("# 数组求和")
    assert "__global__" in asked["starter"]

    stages: list[str | None] = []

    async def progress(_done: float, _total: float | None, said: str | None) -> None:
        stages.append(said)

    source = (REDUCE / "wrong" / "missing_sync.cu").read_text(encoding="utf-8")
    arguments = {"source": source, "problem": "reduce_sum"}
    reply = await client.call_tool("submit", arguments, progress_callback=progress)
    wrong = reply.structured_content
    assert wrong is not None
    assert (wrong["verdict"], wrong["findings"][0]["id"]) == ("race", "missing-barrier")
    assert wrong["findings"][0]["line"] == 15
    assert wrong["findings"][0]["readings"][0]["resource"] == "warpmate://notes/en/synchronization"
    assert "checking" in stages
    again = await called(client, "verdict", submission=wrong["submission"], lang="zh")
    assert "__syncthreads()" in again["findings"][0]["message"]
    assert again["findings"][0]["message"] != wrong["findings"][0]["message"]

    right = min((REDUCE / "right").glob("*.cu")).read_text(encoding="utf-8")
    accepted = await called(client, "submit", source=right, problem="reduce_sum", backend="emulator")
    assert accepted["verdict"] == "accepted"
    assert accepted["cases_right"] == accepted["cases"] > 0
    listed = (await called(client, "problem"))["problems"]
    assert [(one["slug"], one["mark"]) for one in listed if one["mark"] != "new"] == [("reduce_sum", "solved")]


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
async def test_an_assistant_asks_looks_up_and_hands_in_over_standard_input(home: Home) -> None:
    async with over_stdio(home) as client:
        assert client.server_info.name == "warpmate"
        await whole_session(client)
        listed = {str(one.uri) for one in (await client.list_resources()).resources}
        notes = [(path.parent.name, path.stem) for path in (CONTENT / "notes").glob("*/*.md")]
        assert listed == {f"warpmate://notes/{lang}/{slug}" for lang, slug in notes}
        for nothing in ("warpmate://notes/en/../../../etc/passwd", "warpmate://notes/en/none", "file:///etc/passwd"):
            with pytest.raises(MCPError):
                await client.read_resource(nothing)
        for arguments in ({"slug": "../../x"}, {"slug": "no_such_problem"}, {"slug": "x" * 500}):
            assert await refused(client, "problem", **arguments)
        assert await refused(client, "submit", source="x" * 300_000)
        assert await refused(client, "verdict", submission="0" * 26)


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
async def test_over_http_it_is_the_same_on_loopback(home: Home) -> None:
    async with http_address(home) as address:
        async with Client(address) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
            assert (await called(client, "define", term="warp"))["term"] == "warp"
            assert (await called(client, "ask", question="what is a warp?"))["status"] == "answered"
        for headers, status in (({"Host": "evil.example"}, 421), ({"Origin": "https://evil.example"}, 403)):
            assert (await posted(address, headers)).status_code == status, "a page that was pointed at 127.0.0.1"


def test_what_cannot_be_served_ends_in_one_line(empty: Home) -> None:
    assert "with --server" in empty.refusal("mcp", "--http", "--host", "0.0.0.0")
    assert "https://" in empty.refusal("mcp", "--server", "http://warpmate.example.org")
    assert "http://127.0.0.1:1 does not answer" in empty.refusal("mcp", "--http", "--server", "http://127.0.0.1:1")
