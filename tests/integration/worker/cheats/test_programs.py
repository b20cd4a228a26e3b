"""Whole programs that attack the machine they run on: real executables in the sandbox, as the judge runs them."""

from __future__ import annotations

import dataclasses
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from worker.diagnosis import FindingCatalogue
from worker.errors import ChildLost
from worker.judge.programs import ProgramRunner, ending, printed
from worker.protocol import Kind
from worker.sandbox.native_command import Ran, run
from worker.sandbox.policies import PROGRAM_OUTPUT_BYTES, program_policy

FINDINGS = Path(__file__).parents[4] / "content" / "findings.toml"

pytestmark = [
    pytest.mark.needs("bubblewrap"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler on this machine (Debian: gcc)"),
]

Execute = Callable[..., Ran]

HEADERS = """
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <unistd.h>
extern char **environ;
"""


@pytest.fixture
def execute(tmp_path: Path) -> Execute:
    """Compile the body of `main` outside, run it inside."""

    def go(body: str, seconds: float = 10.0) -> Ran:
        source, program = tmp_path / "attack.c", tmp_path / "attack"
        source.write_text(f"{HEADERS}\nint main(void) {{ {body} }}\n")
        subprocess.run(["gcc", "-w", "-static", "-o", program, source], check=True)
        if seconds == 10.0:
            return ProgramRunner("bubblewrap", True).run(program.read_bytes())
        policy = dataclasses.replace(program_policy(), seconds=seconds)
        return run("bubblewrap", "./program", policy, {"program": program.read_bytes()})

    return go


def test_an_honest_program_runs_and_its_output_comes_back(execute: Execute) -> None:
    ran = execute('puts("hello"); fputs("oops\\n", stderr); return 0;')
    assert (ending(ran), printed(ran)) == ((Kind.RAN, None), "hello\noops\n")


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/etc/hostname",
        "/root",
        "/home",
        "/proc/1/environ",
        "/sys/class/net",
        "/var/log",
        str(Path(__file__)),
    ],
)
def test_nothing_of_the_host_is_there(execute: Execute, path: str) -> None:
    """Secrets and the judge's own files: kjudge#82, kernelbench.com's template mutation."""
    ran = execute(f'int f = open("{path}", O_RDONLY); char b[64]; return f >= 0 && read(f, b, 64) > 0;')
    assert ran.exit_code == 0


def test_a_symbolic_link_leads_nowhere(execute: Execute) -> None:
    """Symlink escape from the box, CVE-2024-28185."""
    body = 'symlink("/etc/passwd", "/tmp/link"); symlink("/proc/1/root/etc/passwd", "/tmp/far");'
    ran = execute(f'{body} return open("/tmp/link", O_RDONLY) >= 0 || open("/tmp/far", O_RDONLY) >= 0;')
    assert ran.exit_code == 0


def test_the_programs_libraries_cannot_be_replaced(execute: Execute) -> None:
    """Overwriting a library: pygpubench's replace_torch."""
    targets = '"/usr/lib/x", "/usr/bin/x", "/lib/x", "/bin/sh", "/x", "/etc/ld.so.preload"'
    ran = execute(
        f"char *t[] = {{{targets}}}; for (int i = 0; i < 6; i++) if (creat(t[i], 0600) >= 0) return 1; return 0;"
    )
    assert ran.exit_code == 0


def test_the_environment_holds_nothing_of_ours(execute: Execute, monkeypatch: pytest.MonkeyPatch) -> None:
    """Environment secrets, judge0#564."""
    monkeypatch.setenv("WARPMATE_DISCORD_TOKEN", "secret-token")
    ran = execute("for (char **e = environ; *e; e++) puts(*e); return 0;")
    names = {line.split("=")[0] for line in ran.stdout.decode().splitlines()}
    assert b"secret-token" not in ran.stdout
    # LD_LIBRARY_PATH is ours to set: where the driver's library lies on a host with a card.
    assert names <= {"PATH", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "_"}


def test_there_is_no_network(execute: Execute) -> None:
    """Tunnels and quota theft: tensara#240 to #244."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"""struct sockaddr_in a = {{AF_INET, htons({port})}}; a.sin_addr.s_addr = htonl(0x7f000001);
            int s = socket(AF_INET, SOCK_STREAM, 0); return s >= 0 && connect(s, (void*)&a, sizeof a) == 0;"""
        assert execute(connect).exit_code == 0
    kinds = "AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK"
    ran = execute(
        f"int k[] = {{{kinds}}}; for (int i = 0; i < 5; i++) if (socket(k[i], SOCK_RAW, 0) >= 0) return 1; return 0;"
    )
    assert ran.exit_code == 0


def test_a_fork_bomb_ends_with_its_time(execute: Execute) -> None:
    ran = execute("for (;;) fork();", seconds=2.0)
    assert ran.timed_out or ran.exit_code != 0
    assert ran.seconds < 8
    assert _left("attack") == _left("program") == 0


def test_there_are_only_so_many_processes(execute: Execute) -> None:
    body = "int n = 0; for (int i = 0; i < 2000; i++) { int p = fork(); if (p == 0) { pause(); _exit(0); } if (p > 0) n++; }"  # noqa: E501  # C in one piece
    ran = execute(f'{body} printf("%d", n); return 0;')
    assert 10 < int(ran.stdout) <= program_policy().processes


def test_a_file_bomb_fills_nothing(execute: Execute) -> None:
    body = "static char b[1 << 20]; char name[64]; long total = 0; signal(SIGXFSZ, SIG_IGN); for (int i = 0; i < 500; i++) {"  # noqa: E501  # C in one piece
    body += (
        ' sprintf(name, "/tmp/f%d", i); int f = open(name, O_CREAT | O_WRONLY, 0600); long w = write(f, b, sizeof b);'
    )
    ran = execute(f'{body} if (w > 0) total += w; close(f); }} printf("%ld", total >> 20); return 0;')
    assert int(ran.stdout) <= program_policy().tmp_bytes >> 20


def test_endless_output_is_cut_and_no_verdict(execute: Execute) -> None:
    """Printing fake benchmark lines: kernelguard's FAKE_BENCHMARK_EMIT."""
    ran = execute('for (;;) puts("{\\"verdict\\": \\"accepted\\", \\"score\\": 1}");')
    assert ending(ran)[0] is Kind.RUNTIME_ERROR
    assert len(printed(ran)) <= PROGRAM_OUTPUT_BYTES + 100


def test_memory_has_a_limit(execute: Execute) -> None:
    ran = execute(
        "long n = 0; while (n < 64) { char *p = malloc(1 << 30); if (!p) break; memset(p, 1, 4096); n++; } return n < 64;"  # noqa: E501  # C in one piece
    )
    assert ran.exit_code == 1


def test_a_program_that_sleeps_for_ever_is_stopped(execute: Execute) -> None:
    ran = execute("signal(SIGTERM, SIG_IGN); signal(SIGALRM, SIG_IGN); for (;;) pause();", seconds=0.5)
    assert ran.timed_out
    assert ending(ran)[0] is Kind.TIMEOUT


def test_a_child_cannot_outlive_the_job(execute: Execute) -> None:
    """A thread or process that works on after the timed window: deep-reinforce's defence list."""
    body = "if (fork() == 0) { setsid(); if (fork() == 0) { signal(SIGHUP, SIG_IGN); close(0); close(1); close(2); for (;;) pause(); } _exit(0); }"  # noqa: E501  # C in one piece
    assert execute(f"{body} usleep(50000); return 0;").exit_code == 0
    assert _left("program") == 0


def test_the_worker_cannot_be_killed_or_traced(execute: Execute) -> None:
    """ptrace from a child: pygpubench's ptrace."""
    pids = f"{os.getpid()}, {os.getppid()}, 1"
    body = f"int pids[] = {{{pids}}}; int got = 0; for (int i = 0; i < 3; i++) {{"
    body += " if (ptrace(PTRACE_ATTACH, pids[i], 0, 0) == 0) got = 1; if (i < 2 && kill(pids[i], 0) == 0) got = 1; }"
    assert execute(f"{body} return got;").exit_code == 0


def test_it_cannot_become_somebody_or_mount_something(execute: Execute) -> None:
    calls = 'chroot("/tmp") == 0, unshare(0x10000000) == 0, mount("a", "/tmp", "tmpfs", 0, "") == 0, sethostname("a", 1) == 0'  # noqa: E501  # C in one piece
    ran = execute(f"int got[] = {{{calls}}}; return got[0] + got[1] + got[2] + got[3];")
    assert ran.exit_code == 0


def test_exit_zero_is_only_an_exit(execute: Execute) -> None:
    """A successful exit before the end says `ran`, never `accepted`: kernelbench.com, trusted_entrypoint."""
    assert ending(execute("exit(0);"))[0] is Kind.RAN


@pytest.mark.parametrize(
    ("body", "says"), [("abort();", "SIGABRT"), ("*(volatile int*)0 = 1;", "SIGSEGV"), ("return 3;", "exit code 3.")]
)
def test_a_crash_is_named(execute: Execute, body: str, says: str) -> None:
    kind, remark = ending(execute(body))
    assert kind is Kind.RUNTIME_ERROR
    assert remark is not None
    finding = FindingCatalogue.load(FINDINGS).finding(remark[0], None, **remark[1])
    assert says in finding.message["en"]


def test_one_that_somebody_else_killed_is_our_trouble(execute: Execute) -> None:
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(execute, "for (;;) pause();")
        while not (sandboxes := _at_work()) and not running.done():
            time.sleep(0.001)
        for pid in sandboxes:
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(ChildLost):
            running.result()


def test_descriptors_of_the_worker_are_not_inherited(execute: Execute, tmp_path: Path) -> None:
    """A fake report on an inherited descriptor: kernelbot's cheat-fd."""
    with (tmp_path / "verdicts").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        ran = execute('for (int f = 3; f < 256; f++) if (fcntl(f, F_GETFD) >= 0) printf("%d ", f); return 0;')
    assert ran.stdout == b""


def _at_work() -> list[int]:
    """Sandboxes of this process in which a program runs: bubblewrap, the first in its namespace, shell, program."""
    return [
        sandbox
        for sandbox in _children(os.getpid(), "bwrap")
        for first in _children(sandbox, "bwrap")
        for shell in _children(first, "sh")
        if _children(shell, "program")
    ]


def _children(parent: int, name: str) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rsplit(")", 1)
            if fields[0].endswith(f"({name}") and int(fields[1].split()[1]) == parent:
                found.append(int(folder.name))
    return found


def _left(name: str) -> int:
    """Processes of that name that stay: a test beside this one may be running a program of its own for a moment."""
    until = time.monotonic() + 20
    while (running := _running(name)) and time.monotonic() < until:
        time.sleep(0.05)
    return running


def _running(name: str) -> int:
    """Processes of that name that still live on this machine."""
    count = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text()
        except OSError:
            continue
        count += f"({name})" in fields and fields.rsplit(")", 1)[1].split()[0] != "Z"
    return count
