"""A native command in the sandbox: files in, one file and captured output back, nothing of it left afterwards."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from worker.errors import ChildLost, SandboxMissing
from worker.sandbox import bubblewrap, seccomp
from worker.sandbox.child_command import policy_json
from worker.sandbox.policy import Policy
from worker.sandbox.which_sandbox import Kind

SYSTEM = tuple(
    Path(path)
    for path in (
        "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/include", "/usr/local/lib",
        "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives",
    )
)  # fmt: skip
"""A compiler's files and the system's libraries; nothing that belongs to anybody."""

_NOBODY = 65534

NAMESPACE_SECONDS = 5.0
"""For a namespace to come up, and for the kernel to end everything in it."""


@dataclass(frozen=True, slots=True)
class Ran:
    exit_code: int
    """Negative: killed by that signal."""
    stdout: bytes
    stderr: str
    timed_out: bool
    seconds: float


def run(kind: Kind, script: str, policy: Policy, files: Mapping[str, bytes], *, ours: bool = False) -> Ran:
    """`sh -c script` in a private folder that holds the files.

    `ours`: the program is not hostile, only what it reads, so it may stay root where nobody cannot see its files.
    Everything that it started dies with it: in bubblewrap by the PID namespace, else by the process group. ChildLost
    when that was not its own doing.
    """
    with contextlib.ExitStack() as stack:
        out, err, facts = (stack.enter_context(_memory(name)) for name in ("stdout", "stderr", "facts"))
        make = _in_bubblewrap if kind == "bubblewrap" else _locked_down
        command, descriptors = make(stack, script, policy, files, facts)
        unprivileged = _unprivileged(kind, policy, ours)
        started = time.monotonic()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            pass_fds=(facts, *descriptors),
            env={},
            cwd="/",
            start_new_session=True,
            user=unprivileged,
            group=unprivileged,
            extra_groups=None if unprivileged is None else [],
        )
        timed_out = _wait(process, policy.seconds, facts if kind == "bubblewrap" else None)
        seconds = time.monotonic() - started
        if kind == "bubblewrap" and process.returncode == -signal.SIGKILL and not timed_out:
            raise ChildLost("a sandboxed command was killed by somebody outside")  # inside, nobody reaches bwrap
        said = [os.pread(handle, policy.output_bytes, 0) for handle in (out, err)]
        return Ran(process.returncode, said[0], said[1].decode("utf-8", "replace"), timed_out, seconds)


def _wait(process: subprocess.Popen[bytes], seconds: float, facts: int | None) -> bool:
    """Whether it had to be killed for time; in any case nothing of it runs afterwards."""
    timed_out = False
    first = None if facts is None else _first_of_namespace(process, facts)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        timed_out = True
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        if first is not None:
            select.select([first], [], [], NAMESPACE_SECONDS)
            os.close(first)
    return timed_out


def _first_of_namespace(process: subprocess.Popen[bytes], facts: int) -> int | None:
    """A handle on the namespace's first process, which ends only after all others in it have."""
    until = time.monotonic() + NAMESPACE_SECONDS
    while process.poll() is None and time.monotonic() < until:
        told = os.pread(facts, 4096, 0)
        if told.rstrip().endswith(b"}"):
            with contextlib.suppress(ProcessLookupError):
                return os.pidfd_open(json.loads(told)["child-pid"])
            return None
        time.sleep(0.001)
    return None


def _in_bubblewrap(
    stack: contextlib.ExitStack, script: str, policy: Policy, files: Mapping[str, bytes], facts: int
) -> tuple[list[str], list[int]]:
    descriptors = []
    extra = ["--dev", "/dev"] if not policy.devices else []
    for name, content in files.items():
        handle = stack.enter_context(_memory(name, content))
        extra += ["--perms", "0755", "--file", str(handle), f"/tmp/{name}"]  # noqa: S108  # private to the sandbox
        descriptors.append(handle)
    extra += ["--info-fd", str(facts)]
    rules = stack.enter_context(_memory("seccomp", seccomp.build(policy.syscalls)))
    extra += ["--seccomp", str(rules), "--setenv", "TMPDIR", "/tmp"]  # noqa: S108  # private to the sandbox
    limits = ["prlimit", *_limits(policy), "--", "/bin/sh", "-c", f"cd /tmp && {script}"]
    return bubblewrap.wrap(limits, policy, extra), [*descriptors, rules]


def _limits(policy: Policy) -> Iterator[str]:
    """Set inside the user namespace, where processes are counted for this sandbox alone."""
    if policy.memory_bytes is not None:
        yield f"--as={policy.memory_bytes}"
    yield f"--nproc={policy.processes}"
    yield f"--fsize={max(policy.output_bytes, policy.tmp_bytes)}"
    yield f"--nofile={policy.open_files}"
    yield f"--cpu={int(policy.seconds * 2) + 1}"
    yield "--core=0"


def _locked_down(
    stack: contextlib.ExitStack, script: str, policy: Policy, files: Mapping[str, bytes], facts: int
) -> tuple[list[str], list[int]]:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="warpmate-")))
    for name, content in files.items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o755)
    locked = dataclasses.replace(
        policy,
        writable=(*policy.writable, folder),
        devices=(*policy.devices, Path("/dev/null")),
        environment=MappingProxyType({**policy.environment, "TMPDIR": str(folder)}),
    )
    code = [str(Path(__file__).parents[2])]
    boot = f"import sys; sys.path[1:1] = {code!r}; from worker.sandbox.lock_then_run import main; main()"
    start = [sys.executable, "-I", "-B", "-c", boot, str(os.getpid()), policy_json(locked)]
    return [*start, "/bin/sh", "-c", f"cd {folder} && {script}"], []


@contextlib.contextmanager
def _memory(name: str, content: bytes = b"") -> Iterator[int]:
    """A file that exists in memory only."""
    handle = os.memfd_create(name)
    try:
        if content:
            os.write(handle, content)
            os.lseek(handle, 0, os.SEEK_SET)
        yield handle
    finally:
        os.close(handle)


def _unprivileged(kind: Kind, policy: Policy, ours: bool) -> int | None:
    """Root is exempt from the process limit, so root runs it as nobody."""
    if os.geteuid() != 0 or kind == "landlock":
        return None
    if not _nobody_sees((*policy.startup, *policy.readable)):
        if ours:
            return None
        raise SandboxMissing(
            "run the worker as an ordinary user: as root from a private folder programs have no limits"
        )
    return _NOBODY


@functools.cache
def _nobody_sees(paths: Sequence[Path]) -> bool:
    probe = [arg for path in paths if path.exists() for arg in ("--ro-bind", str(path), str(path))]
    command = ["bwrap", "--unshare-all", *probe, "--ro-bind", "/usr", "/usr", "--ro-bind", "/", "/", "true"]
    ran = subprocess.run(
        command, user=_NOBODY, group=_NOBODY, extra_groups=[], cwd="/", capture_output=True, check=False, timeout=10
    )
    return ran.returncode == 0
