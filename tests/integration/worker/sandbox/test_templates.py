"""Children of one template: as far from each other, and from it, as if each had been started alone."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.integration.worker.sandbox.test_children import ENTRY, TREE, policy
from worker.compile.headers import include_folders
from worker.errors import ChildLost
from worker.sandbox import MIB, Kind, Policy, Pool, SandboxedChild, template
from worker.sandbox.policies import compiler_policy, emulator_policy, runner_policy, triton_policy
from worker.sandbox.template import Template, may_fork
from worker.triton.compiler import installed

INSIDE = list(range(1, 40))
"""Numbers of processes in a namespace of their own: the template, its children, what else there is."""


@pytest.fixture(params=[pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")), "landlock"])
def kind(request: pytest.FixtureRequest) -> Kind:
    chosen: Kind = request.param
    return chosen


def ask(box: SandboxedChild, attempt: str, **arguments: Any) -> Any:
    return box.ask({"attempt": attempt, "with": arguments}, dict)


@pytest.mark.parametrize("attack", ["touch", "own_signals"])
def test_a_child_reaches_neither_its_siblings_nor_its_template(kind: Kind, attack: str) -> None:
    with Pool(kind, ENTRY, policy(), warm=2) as pool, pool.take() as one, pool.take() as other:
        others = [pid for pid in (*INSIDE, other.pid, os.getpid(), *_family(other.pid)) if pid != one.pid]
        assert ask(one, attack, pids=[pid for pid in others if not _is_itself(one, pid)]) == {"got": []}
        assert ask(other, "environment") == {"got": {}}
        with pool.take() as next_one:
            assert ask(next_one, "environment") == {"got": {}}


def _family(pid: int) -> list[int]:
    """The processes above it, up to us."""
    above = []
    while (pid := int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])) not in (0, 1, os.getpid()):
        above.append(pid)
    return above


def _is_itself(box: SandboxedChild, pid: int) -> bool:
    status = Path(f"/proc/{box.pid}/status").read_text().splitlines()
    numbers = next(line for line in status if line.startswith("NSpid:")).split()[1:]
    return str(pid) in numbers


def test_a_child_remembers_nothing_of_the_one_before(kind: Kind) -> None:
    with Pool(kind, ENTRY, policy(), warm=1) as pool:
        for word in ("one", "two"):
            with pool.take() as box:
                assert ask(box, "remember", word=word) == {"got": []}


def test_a_child_that_is_killed_says_by_what_and_the_next_one_is_well(kind: Kind) -> None:
    with Pool(kind, ENTRY, policy(), warm=1) as pool:
        with pool.take() as box:
            box.wait_ready()
            os.kill(box.pid, signal.SIGSEGV)
            with pytest.raises(ChildLost) as lost:
                ask(box, "spin")
        assert lost.value.signal == signal.SIGSEGV
        with pool.take() as box:
            assert ask(box, "environment") == {"got": {}}


def test_children_die_with_their_template_and_the_pool_gets_another(kind: Kind) -> None:
    with Pool(kind, ENTRY, policy(), warm=0) as pool:
        with pool.take() as box:
            box.wait_ready()
            os.kill(_family(box.pid)[0], signal.SIGKILL)
            with pytest.raises(ChildLost):
                ask(box, "spin")
        with pool.take() as box:
            assert ask(box, "environment") == {"got": {}}


def test_a_child_dies_with_the_worker(kind: Kind) -> None:
    script = f"""
from pathlib import Path
from worker.sandbox import Policy, Pool
pool = Pool({kind!r}, {ENTRY!r}, Policy(startup=(Path({str(TREE / "tests")!r}),), seconds=60))
box = pool.take()
box.wait_ready()
print(box.pid, flush=True)
box.ask({{"attempt": "spin"}}, dict)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=TREE) as worker:
        assert worker.stdout is not None
        handle = os.pidfd_open(int(worker.stdout.readline()))
        worker.kill()
        worker.wait()
    assert _ends(handle)


def _ends(handle: int) -> bool:
    ended, _, _ = select.select([handle], [], [], 5.0)
    os.close(handle)
    return bool(ended)


def test_a_worn_template_is_followed_by_one_with_another_layout(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "LIFE", 2)
    layouts: list[int] = []
    until = time.monotonic() + 20
    with Pool(kind, ENTRY, policy(), warm=1) as pool:
        while len(set(layouts)) < 3 and time.monotonic() < until:
            with pool.take() as box:
                layouts.append(ask(box, "layout")["got"])
    assert layouts[0] == layouts[1], "two children of one template"
    assert len(set(layouts)) == 3
    assert layouts == sorted(layouts, key=layouts.index), "no template forks again once it was followed"


def test_a_pool_that_is_closed_does_not_wait_until_its_template_is_warm(kind: Kind) -> None:
    pool = Pool(kind, "tests.integration.worker.sandbox.never_warm", policy(warm_seconds=600), warm=1)
    pool.close()
    assert not pool.waiting


SCRATCH = {"scratch": Path("/scratch"), "scratch_bytes": MIB}


@pytest.mark.needs("bubblewrap")
def test_a_child_has_a_folder_of_its_own_that_no_other_can_look_into() -> None:
    with Pool("bubblewrap", ENTRY, policy(**SCRATCH), warm=2) as pool, pool.take() as one, pool.take() as other:
        folder = Path(ask(one, "own_folder")["got"])
        mine = str(folder / "file")
        assert ask(one, "write", path=mine) == {"got": "written"}
        assert ask(one, "read", path=mine) == {"got": "was here"}
        for path in (mine, str(folder / "another"), "/scratch/shown/file", "/scratch/file"):
            assert "refused" in ask(other, "write", path=path)
            assert "refused" in ask(other, "read", path=path)
        assert "refused" in ask(other, "listing", path=str(folder))


@pytest.mark.needs("bubblewrap")
def test_what_a_child_left_in_its_folder_is_gone_with_it() -> None:
    with Pool("bubblewrap", ENTRY, policy(**SCRATCH), warm=0) as pool:
        for _ in range(3):
            with pool.take() as box:
                assert ask(box, "fill", size=MIB * 2 // 3) == {"got": "filled"}


@pytest.mark.needs("bubblewrap")
def test_where_files_may_be_large_nothing_can_be_printed() -> None:
    with Pool("bubblewrap", ENTRY, policy(**SCRATCH), warm=0) as pool, pool.take() as box:
        assert "refused" in ask(box, "shout")
        assert box.output() == ("", "")


WARM = {
    "worker.compile.child": lambda: compiler_policy(include_folders()),
    "worker.emulator.child": emulator_policy,
    **({"worker.triton.child": triton_policy} if installed() else {}),
}


@pytest.mark.parametrize("entry", WARM)
def test_a_warm_template_has_one_thread_and_no_memory_that_its_children_could_both_write(entry: str) -> None:
    made = Template("landlock", entry, WARM[entry]())
    try:
        made._box.wait_ready()
        process = Path(f"/proc/{made._box.pid}")
        assert len(list((process / "task").iterdir())) == 1
        modes = [line.split()[1] for line in (process / "maps").read_text().splitlines()]
        assert modes
        assert not [mode for mode in modes if mode[1] == "w" and mode[3] == "s"]
    finally:
        made.kill()
        made.retire()


def test_what_may_write_or_drives_a_card_is_never_forked(tmp_path: Path) -> None:
    assert may_fork(Policy())
    assert not may_fork(Policy(writable=(tmp_path,)))
    assert not may_fork(runner_policy())
