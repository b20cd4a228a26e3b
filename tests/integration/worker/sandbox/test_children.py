"""Hostile code inside both sandboxes, for real: what a child may do once it holds its request."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from worker.errors import ChildLost, ChildTimeout
from worker.sandbox import MIB, Courtesy, Kind, Policy, Pool, SandboxedChild, choose

ENTRY = "tests.integration.worker.sandbox.hostile"
TREE = Path(__file__).parents[4]


def policy(**changes: Any) -> Policy:
    """The tests' own folder is needed to start; afterwards only `readable` is."""
    chosen = {
        "startup": (TREE / "tests",),
        "seconds": 3.0,
        "environment": MappingProxyType({"OPENBLAS_NUM_THREADS": "1"}),
    }
    return Policy(**{**chosen, **changes})


@pytest.fixture(params=[pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")), "landlock"])
def kind(request: pytest.FixtureRequest) -> Kind:
    chosen: Kind = request.param
    return chosen


@dataclass(frozen=True)
class Sandbox:
    kind: Kind
    forked: bool
    """Whether its children come from a template."""

    @contextmanager
    def child(self, **changes: Any) -> Iterator[SandboxedChild]:
        if not self.forked:
            with SandboxedChild(self.kind, ENTRY, policy(**changes)) as box:
                yield box
            return
        with Pool(self.kind, ENTRY, policy(**changes)) as pool, pool.take() as box:
            assert "template" in type(box._process).__module__
            yield box

    def attempt(self, name: str, changes: dict[str, Any] | None = None, **arguments: Any) -> Any:
        with self.child(**(changes or {})) as box:
            return box.ask({"attempt": name, "with": arguments}, dict)


@pytest.fixture(params=[False, True], ids=["alone", "forked"])
def sandbox(kind: Kind, request: pytest.FixtureRequest) -> Sandbox:
    return Sandbox(kind, request.param)


def refused(answer: Any) -> bool:
    return isinstance(answer, dict) and "refused" in answer


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/etc/hostname", "/proc/self/environ", "/proc/1/cmdline", "/dev/zero"]
)
def test_a_file_of_the_host_cannot_be_read(sandbox: Sandbox, path: str) -> None:
    """Include of secrets and device files: kjudge#82, judge0#64."""
    assert refused(sandbox.attempt("read", path=path))


def test_a_file_that_the_policy_names_can_be_read_and_its_neighbour_cannot(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "a.txt").write_text("for you")
    (tmp_path / "secret.txt").write_text("not for you")
    changes = {"readable": (tmp_path / "open",)}
    assert sandbox.attempt("read", changes, path=str(tmp_path / "open" / "a.txt")) == {"got": "for you"}
    assert refused(sandbox.attempt("read", changes, path=str(tmp_path / "secret.txt")))


def test_a_symbolic_link_leads_nowhere(sandbox: Sandbox, tmp_path: Path) -> None:
    """Symlink escape from the box, CVE-2024-28185."""
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "link").symlink_to("/etc/passwd")
    changes = {"readable": (tmp_path / "open",)}
    assert refused(sandbox.attempt("read", changes, path=str(tmp_path / "open" / "link")))
    assert refused(
        sandbox.attempt("through_symlink", changes, target="/etc/passwd", link=str(tmp_path / "open" / "own"))
    )


@pytest.mark.parametrize("path", ["/tmp/warpmate-was-here", str(TREE / "worker" / "was_here.py")])
def test_nothing_can_be_written(sandbox: Sandbox, path: str) -> None:
    """Overwriting a harness file: pygpubench's replace_torch."""
    assert refused(sandbox.attempt("write", path=path))
    assert not Path(path).exists()


def test_the_interpreters_own_files_are_closed_after_the_start(sandbox: Sandbox) -> None:
    assert refused(sandbox.attempt("read", path=str(TREE / "tests" / "conftest.py")))


@pytest.mark.parametrize("attack", ["bind", "fork", "execute", "unlock"])
def test_sockets_processes_and_namespaces_are_refused(sandbox: Sandbox, attack: str) -> None:
    """Shells and tunnels out of a judge: tensara#240 to #244."""
    assert refused(sandbox.attempt(attack))


def test_a_listening_service_of_the_host_cannot_be_reached(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert refused(sandbox.attempt("connect", host="127.0.0.1", port=server.getsockname()[1]))


@pytest.mark.parametrize("attack", ["kill", "ptrace", "peek"])
def test_another_process_cannot_be_touched(sandbox: Sandbox, attack: str) -> None:
    """Binary patching by ptrace and reading /proc of the judge: pygpubench exploits ptrace and proc_mem_bypass."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as bystander:
        assert refused(sandbox.attempt(attack, pid=bystander.pid))
        assert refused(sandbox.attempt(attack, pid=os.getpid()))
        assert bystander.poll() is None
        bystander.communicate(b"\n")


def test_the_environment_is_empty(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Environment secrets, judge0#564."""
    monkeypatch.setenv("WARPMATE_DISCORD_TOKEN", "secret")
    assert sandbox.attempt("environment") == {"got": {}}


def test_only_the_answers_descriptor_is_inherited(sandbox: Sandbox, tmp_path: Path) -> None:
    with (tmp_path / "secret").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        assert len(sandbox.attempt("descriptors")["got"]) == 1


def test_memory_has_a_limit(sandbox: Sandbox) -> None:
    assert sandbox.attempt("allocate", {"memory_bytes": 512 * MIB}) == {"refused": "MemoryError"}


def test_a_child_that_never_answers_is_killed(sandbox: Sandbox) -> None:
    with sandbox.child(seconds=0.3) as box:
        pid = box.pid
        with pytest.raises(ChildTimeout):
            box.ask({"attempt": "spin"}, dict)
    assert not Path(f"/proc/{pid}").exists()


def test_what_a_child_prints_is_capped_and_no_answer(sandbox: Sandbox) -> None:
    """Printing fake benchmark lines: kernelguard's FAKE_BENCHMARK_EMIT."""
    with sandbox.child(output_bytes=4096) as box:
        assert refused(box.ask({"attempt": "shout"}, dict))
        assert len(box.output()[0]) == 4096


def test_exit_zero_without_an_answer_is_no_success(sandbox: Sandbox) -> None:
    """A successful exit before the check: kernelbench.com's trusted_entrypoint."""
    with sandbox.child() as box, pytest.raises(ChildLost):
        box.ask({"attempt": "leave"}, dict)


@pytest.mark.parametrize("frame", ["short", "huge", "nonsense", "pickle", "deep", "promise", "kind"])
def test_a_forged_frame_on_the_answers_channel_is_no_answer(sandbox: Sandbox, frame: str) -> None:
    """A fake report on the inherited descriptor: kernelbot's cheat-fd, pygpubench's fd_overwrite."""
    with sandbox.child() as box, pytest.raises(ChildLost):
        box.ask({"attempt": "babble", "with": {"kind": frame}}, dict)


def test_a_child_dies_with_the_worker_that_started_it(kind: Kind) -> None:
    script = f"""
import sys, time
from worker.sandbox import SandboxedChild, Policy
from pathlib import Path
box = SandboxedChild({kind!r}, {ENTRY!r}, Policy(startup=(Path({str(TREE / "tests")!r}),), seconds=60))
box.wait_ready()
print(box.pid, flush=True)
box.ask({{"attempt": "spin"}}, dict)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=TREE) as worker:
        assert worker.stdout is not None
        child = int(worker.stdout.readline())
        worker.kill()
        worker.wait()
    assert _gone(child)


def _gone(pid: int) -> bool:
    """Whether the process ends (a zombie that nobody has reaped yet has ended, too)."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        threading.Event().wait(0.02)
    return False


@pytest.fixture
def pool(kind: Kind) -> Iterator[Pool]:
    with Pool(kind, ENTRY, policy(), warm=1) as opened:
        yield opened


def test_each_request_gets_a_child_of_its_own(pool: Pool) -> None:
    pids = set()
    for _ in range(3):
        with pool.take() as box:
            assert box.ask({"attempt": "environment"}, dict) == {"got": {}}
            pids.add(box.pid)
    assert len(pids) == 3


def test_a_courteous_pool_starts_the_next_child_when_the_last_one_is_closed(kind: Kind) -> None:
    with Pool(kind, ENTRY, policy(), 1, Courtesy(jobs=1)) as pool:
        with pool.take() as first:
            assert not pool.waiting
        assert pool.waiting == 1
        with pool.take() as second:
            assert second.ask({"attempt": "environment"}, dict) == {"got": {}}
        assert first.pid != second.pid


def test_while_a_job_is_at_work_a_courteous_pool_starts_no_child_that_nobody_asked_for(kind: Kind) -> None:
    courtesy = Courtesy(jobs=1)
    with Pool(kind, ENTRY, policy(), 1, courtesy) as pool:
        with courtesy.at_work():
            pool.take().close()
            assert not pool.waiting
            with pool.take() as asked_for:
                assert asked_for.ask({"attempt": "environment"}, dict) == {"got": {}}
            assert not pool.waiting
        assert pool.waiting == 1


def test_with_cores_to_spare_a_job_at_work_keeps_no_child_from_starting(kind: Kind) -> None:
    courtesy = Courtesy(jobs=2)
    with Pool(kind, ENTRY, policy(), 1, courtesy) as pool, courtesy.at_work():
        pool.take().close()
        assert pool.waiting == 1


def test_one_child_answers_several_requests_of_its_submission(pool: Pool) -> None:
    with pool.take() as box:
        assert [box.ask({"attempt": "environment"}, dict) for _ in range(3)] == [{"got": {}}] * 3


@pytest.mark.needs("bubblewrap")
def test_bubblewrap_is_preferred_where_it_works() -> None:
    assert choose() == "bubblewrap"


def test_a_child_that_died_while_it_waited_is_passed_over(pool: Pool) -> None:
    """A member's program that takes all memory of the card can end the next job's children before they are asked."""
    waiting = pool._waiting[0].result()
    waiting.kill()
    with pool.take() as box:
        assert box.pid != waiting.pid
        assert box.ask({"attempt": "environment"}, dict) == {"got": {}}
