"""The command line against a server, from a data directory of its own: login, every flow, submissions, logout."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import stat
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
import yaml

from knowledge.content import Content
from knowledge.store import Scope
from tests.discord import local_discord
from tests.e2e.home.stage import Browser, Home, at_home, key_of, with_bot
from tests.integration.warpmate.cli import Home as Folder
from tests.integration.web.stage import RIGHT, WRONG
from tests.mcp_clients import called, http_address, over_http, over_stdio, refused
from tests.stores import copied_store
from warpmate.remote.profiles import Login, keep_login

ROOT = Path(__file__).parents[3]
INTERRUPTIBLE = ("env", "--default-signal=INT")
"""As a terminal starts a command: a suite in the background of a script ignores SIGINT, and so would its children."""
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]


@dataclass
class Terminal:
    """Somebody at a shell, far from the server."""

    folder: Folder
    server: Home

    async def run(self, *arguments: str, code: int = 0, **more: str) -> tuple[str, str]:
        """What was said on standard output and standard error."""
        done = await asyncio.to_thread(self.folder.run, *arguments, **more)
        assert done.returncode == code, (arguments, done.returncode, done.stdout[-500:], done.stderr[-1500:])
        return done.stdout, done.stderr

    async def json(self, *arguments: str) -> dict:  # type: ignore[type-arg]  a JSON document
        found: dict = json.loads((await self.run(*arguments, "--json"))[0])  # type: ignore[type-arg]
        return found

    async def refusal(self, *arguments: str, **more: str) -> str:
        said, line = await self.run(*arguments, code=1, **more)
        assert said == ""
        assert line.count("\n") == 1, line
        return line.removeprefix("warpmate: ").strip()

    async def log_in(self, browser: Browser, decision: str = "allow") -> tuple[int, str]:
        """`warpmate login`, confirmed in a browser: exit code and all that was said."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "warpmate", "login", self.server.public.url, "--no-browser",
            env=self.folder.environment, cwd=self.folder.folder.parent,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        assert process.stdout is not None
        said = (await process.stdout.readuntil(b"\n\n    ")).decode()
        code = (await process.stdout.readline()).decode().strip()
        assert f"/login?code={code}" in said
        assert (await browser.send("/login", code=code, decision=decision)).status == 200
        rest = (await process.stdout.read()).decode()
        return await process.wait(), said + rest


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(
    content: Content, sqlite_template: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Home]:
    folder = tmp_path_factory.mktemp("server")
    async with (
        local_discord() as discord,
        copied_store(sqlite_template, folder) as store,
        at_home(discord, store, content, f"http://127.0.0.1:{free_port()}") as opened,
        with_bot(opened, folder),
    ):
        yield opened


@pytest.fixture
def terminal(server: Home, tmp_path: Path) -> Terminal:
    (tmp_path / "wrong.cu").write_text(WRONG)
    (tmp_path / "right.cu").write_text(RIGHT)
    return Terminal(Folder(tmp_path / "data"), server)


async def test_a_member_logs_in_works_on_the_server_and_logs_out(terminal: Terminal, server: Home) -> None:
    ann = await server.sign_in(server.people.ann)
    code, said = await terminal.log_in(ann)
    assert (code, f"Signed in as {key_of(server.people.ann)}" in said) == (0, True)
    kept = terminal.folder.folder / "servers.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600

    answer = await terminal.json("ask", "How do I avoid bank conflicts?")
    assert answer["citations"][0]["resource_id"] == "shared-page"
    assert "Padding each row" in (await terminal.run("ask", "How do I avoid bank conflicts?"))[0]
    assert (await terminal.json("search", "warp"))["results"] == []
    assert (await terminal.json("define", "warp"))["slug"] == "warp"
    assert "线程束" in (await terminal.run("define", "warp", "--lang", "zh"))[0]
    assert (await terminal.json("recommend", "beginner", "cuda"))["topic"] == "cuda-basics"
    assert (await terminal.json("path", "gemm"))["topic"] == "gemm"
    assert "warp" in (await terminal.run("path", "warp-divergence"))[0].lower()

    server.stage.executor.may_end.clear()
    submitting = asyncio.create_task(terminal.run("submit", "wrong.cu", "--problem", "vector_add"))
    await server.followed()
    server.stage.executor.may_end.set()
    said, stages = await submitting
    assert "memory error" in said
    assert "…" in stages, "the stages are shown as they come"
    assert "warpmate problems show" in (await terminal.run("submit", "right.cu", "--problem", "vector_add"))[0]
    assert (await terminal.json("submit", "right.cu", "--problem", "vector_add"))["verdict"] == "accepted"
    scope = Scope(str(server.people.a.id))
    assert len(await server.services.submissions.mine(scope, key_of(server.people.ann))) == 3
    marks = {one["slug"]: one["mark"] for one in (await terminal.json("problems", "list"))["problems"]}
    assert marks["vector_add"] == "solved"
    assert marks["matmul"] == "new"
    assert "__global__" in (await terminal.run("problems", "show", "vector_add"))[0]
    assert "提示 1 / 3" in (await terminal.run("hint", "softmax", "--lang", "zh"))[0]
    assert len((await terminal.json("hint", "softmax"))["opened"]) == 2
    assert "--give-up" in await terminal.refusal("editorial", "softmax")
    assert "__global__" in (await terminal.run("editorial", "softmax", "--give-up", "--code"))[0]
    assert "grid_stride" in str((await terminal.json("editorial", "vector_add"))["steps"])
    progress = await terminal.json("progress")
    assert (progress["member"], progress["problems_solved"]) == (key_of(server.people.ann), ["vector_add"])

    assert "no plan" in (await terminal.run("plan", "show"))[0].lower()
    assert (await terminal.json("plan", "start", "gemm", "--hours", "4"))["hours"] == 4
    assert (await terminal.json("plan", "hours", "2"))["hours"] == 2
    assert "2" in (await terminal.run("plan", "show"))[0]
    assert (await terminal.json("plan", "skip"))["pauses_until"]
    assert (await terminal.json("plan", "resume"))["pauses_until"] is None
    assert (await terminal.json("plan", "review"))["questions"] is not None
    assert (await terminal.json("plan", "stop"))["member"] == key_of(server.people.ann)
    assert not (terminal.folder.folder / "warpmate.db").exists(), "nothing of this was done on this machine"

    here = await terminal.json("problems", "list", "--server", "local")
    assert {one["mark"] for one in here["problems"]} == {"new"}

    token = json.loads(kept.read_text())["logins"][server.public.url]["token"]
    assert "the token is revoked" in (await terminal.run("logout"))[0]
    assert not kept.exists()
    assert await server.services.tokens.find(token) is None
    assert "not signed in" in await terminal.refusal("ask", "why?", "--server", server.public.url)


async def test_a_login_that_its_member_refuses_leaves_nothing_behind(terminal: Terminal, server: Home) -> None:
    code, said = await terminal.log_in(await server.sign_in(server.people.bob), "refuse")
    assert code == 1
    assert "It was not let in." in said
    assert not (terminal.folder.folder / "servers.json").exists()


async def test_a_pipeline_has_its_token_from_the_environment(terminal: Terminal, server: Home) -> None:
    token = await server.services.tokens.make(key_of(server.people.ann), None, "ci", ("submit",))
    here = {"WARPMATE_SERVER": server.public.url, "WARPMATE_TOKEN": token}
    said, _ = await terminal.run("submit", "wrong.cu", "--problem", "vector_add", "--lang", "zh", **here)
    assert "内存" in said
    assert "This token is not for that; it takes one for ask." in await terminal.refusal("ask", "why?", **here)
    assert "这个令牌没有相应的权限" in await terminal.refusal("ask", "why?", "--lang", "zh", **here)


async def test_a_try_is_run_on_the_server_and_is_no_submission_there(terminal: Terminal, server: Home) -> None:
    token = await server.services.tokens.make(key_of(server.people.bob), None, "ci", ("submit",))
    here = {"WARPMATE_SERVER": server.public.url, "WARPMATE_TOKEN": token}
    on = ("try", "wrong.cu", "--problem", "vector_add")
    said, _ = await terminal.run(*on, "--sizes", "n=3", "--input", "a=1,2,3", "--element", "c[1]", "--ptx", **here)
    assert "a: 1 2 3" in said
    assert "add.f32" in said
    assert "no wrong case number 1" in await terminal.refusal(*on, "--case", "1", **here)
    await terminal.run("submit", "wrong.cu", "--problem", "vector_add", **here)
    assert "n=33" in (await terminal.run(*on, "--case", "1", **here))[0]
    assert len(await server.services.submissions.mine(Scope(), key_of(server.people.bob))) == 1
    reading = await server.services.tokens.make(key_of(server.people.bob), None, "ci", ("read",))
    refused = await terminal.refusal(*on, "--sizes", "n=3", **{**here, "WARPMATE_TOKEN": reading})
    assert "it takes one for submit" in refused


async def test_a_workflow_of_the_documentation_passes_a_right_kernel_and_fails_a_wrong_one(
    terminal: Terminal, server: Home, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    workflow = yaml.safe_load(page.split("```yaml\n")[1].split("```")[0])
    *_, judge = workflow["jobs"]["judge"]["steps"]
    token = await server.services.tokens.make(key_of(server.people.ann), None, "ci", ("submit",))
    around = terminal.folder.environment | {
        "WARPMATE_SERVER": server.public.url,
        "WARPMATE_TOKEN": token,
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
    }
    wrong = b"::error file=reduce.cu,line=3,title=missing-bounds-check::"
    for source, code, said in ((WRONG, 1, wrong), (RIGHT, 0, b"accepted")):
        (tmp_path / "reduce.cu").write_text(source)
        process = await asyncio.create_subprocess_shell(
            judge["run"], env=around, cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        output, _ = await process.communicate()
        assert (process.returncode, said in output) == (code, True), output.decode()


async def test_somebody_logs_in_submits_has_every_save_judged_until_they_interrupt_it_and_logs_out(
    terminal: Terminal, server: Home, tmp_path: Path
) -> None:
    assert (await terminal.log_in(await server.sign_in(server.people.ann)))[0] == 0
    around = terminal.folder.environment
    assert (await terminal.json("submit", "right.cu", "--problem", "vector_add"))["verdict"] == "accepted"
    (tmp_path / "k.cu").write_text(WRONG)
    process = await asyncio.create_subprocess_exec(
        *INTERRUPTIBLE, sys.executable, "-m", "warpmate", "submit", "k.cu", "--watch", "--problem=vector_add",
        "--format=github", env=around, cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        async with asyncio.timeout(120):
            assert (await process.stdout.readline()).startswith(b"::error file=k.cu,line=3")
            assert b"memory error" in await process.stdout.readline()
            (tmp_path / "k.cu").write_bytes(b"\xff\xfe")
            assert b"not UTF-8" in await process.stderr.readline()
            (tmp_path / "k.cu").write_text(RIGHT)
            assert b"accepted" in await process.stdout.readline()
            process.send_signal(signal.SIGINT)
            assert await process.wait() == 130
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert "the token is revoked" in (await terminal.run("logout"))[0]
    assert "not signed in" in await terminal.refusal("ask", "why?", "--server", server.public.url)


async def test_whatever_is_wrong_with_a_server_is_said_in_one_line(terminal: Terminal, server: Home) -> None:
    for address, said in (
        ("http://warpmate.example.org", "would send your token for everybody to read"),
        ("https://x.example/path", "is not the address of a server"),
        ("ftp://x.example", "is not the address of a server"),
        ("http://127.0.0.1:1", "cannot be reached"),
        (server.discord.http, "does not answer as a warpmate does"),
        (server.public.url, "you are not signed in on"),
    ):
        assert said in await terminal.refusal("ask", "why?", "--server", address), address
    assert "--member is for this machine" in await terminal.refusal(
        "ask", "why?", "--server", server.public.url, "--member", "local:ada"
    )
    assert "signed in on no such server" in await terminal.refusal("logout")
    (terminal.folder.folder).mkdir(exist_ok=True)
    (terminal.folder.folder / "servers.json").write_text("{")
    assert re.search("servers.json cannot be read .* log in again", await terminal.refusal("ask", "why?"))


async def test_an_assistant_in_an_editor_works_on_the_server_as_who_logged_in(
    terminal: Terminal, server: Home
) -> None:
    amy, url, folder = server.people.amy, server.public.url, terminal.folder
    assert "not signed in" in await terminal.refusal("mcp", "--server", url)
    token = await server.services.tokens.make(key_of(amy), str(server.people.a.id), "editor", ("ask", "submit"))
    keep_login(folder.folder, url, Login(token=token, member=key_of(amy)))
    async with over_stdio(folder) as client:
        judged = await called(client, "submit", source=WRONG, problem="vector_add")
        assert judged["findings"][0]["id"] == "missing-bounds-check"
        assert "recommend" in await refused(client, "recommend", wish="beginner cuda"), "the token is not for that"
    async with http_address(folder) as address, over_http(address, token) as client:
        assert (await called(client, "verdict", submission=judged["submission"]))["verdict"] == judged["verdict"]
        accepted = await called(client, "submit", source=RIGHT, problem="vector_add")
        assert accepted["verdict"] == "accepted"
    own = await server.services.submissions.mine(Scope(str(server.people.a.id)), key_of(amy))
    assert {judged["submission"], accepted["submission"]} <= {one.submission for one in own}
