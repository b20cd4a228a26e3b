"""The filters, run by a small interpreter of classic BPF: which calls pass, which fail, which kill."""

from __future__ import annotations

import errno
import fcntl
import platform
import struct

import pytest

from worker.sandbox import seccomp
from worker.sandbox.seccomp import COMPUTE, NEVER, NUMBERS, PROCESSES

COLUMN = {"x86_64": 0, "aarch64": 1}[platform.machine()]
MACHINE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[platform.machine()]
OWN = 4242


def outcome(rule: seccomp.Syscalls, number: int, first: int = 0, machine: int = MACHINE, *, second: int = 0) -> str:
    """ "allow", "kill" or the name of the error."""
    data = struct.pack("<IIQ6Q", number, machine, 0, first, second, 0, 0, 0, 0)
    steps = list(struct.iter_unpack("<HBBI", seccomp.build(rule, OWN)))
    at, loaded = 0, 0
    while True:
        code, if_true, if_false, k = steps[at]
        if code == 0x06:
            return {0x7FFF0000: "allow", 0x80000000: "kill"}.get(k) or errno.errorcode[k & 0xFFFF]
        if code == 0x20:
            loaded = struct.unpack_from("<I", data, k)[0]
            at += 1
        else:
            holds = {0x15: loaded == k, 0x35: loaded >= k, 0x45: bool(loaded & k)}[code]
            at += 1 + (if_true if holds else if_false)


def number_of(name: str) -> int:
    number = NUMBERS[name][COLUMN]
    return -1 if number is None else number


def here(names: frozenset[str]) -> list[str]:
    return sorted(name for name in names if number_of(name) >= 0)


@pytest.mark.parametrize("name", here(COMPUTE))
def test_calculating_is_allowed(name: str) -> None:
    assert outcome("compute", number_of(name)) == "allow"


@pytest.mark.parametrize("name", here(NEVER))
@pytest.mark.parametrize("rule", ["compute", "gpu"])
def test_reaching_out_is_refused(rule: seccomp.Syscalls, name: str) -> None:
    assert outcome(rule, number_of(name)) == "EPERM"


@pytest.mark.parametrize("name", here(NEVER - PROCESSES))
def test_a_program_may_start_processes_and_nothing_more(name: str) -> None:
    assert outcome("program", number_of(name)) == "EPERM"
    assert all(outcome("program", number_of(allowed)) == "allow" for allowed in here(PROCESSES))


def test_what_nobody_listed_is_refused_to_a_compute_child() -> None:
    assert all(outcome("compute", number) == "EPERM" for number in (499, 500, 1000))


def test_threads_may_start_and_processes_may_not() -> None:
    thread, process = 0x3D0F00, 0x01200011
    for rule in ("compute", "gpu"):
        assert outcome(rule, number_of("clone"), thread) == "allow"
        assert outcome(rule, number_of("clone"), process) == "EPERM"
        assert outcome(rule, number_of("clone3")) == "ENOSYS"


def test_a_child_signals_nobody_but_itself() -> None:
    assert outcome("compute", number_of("tgkill"), OWN) == "allow"
    assert outcome("compute", number_of("tgkill"), OWN + 1) == "EPERM"


def test_a_descriptor_is_copied_and_nobody_named_who_gets_its_signals() -> None:
    number, channel = number_of("fcntl"), 3
    for command in (fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL):
        assert outcome("compute", number, channel, second=command) == "allow"
    for command in (fcntl.F_SETOWN, fcntl.F_SETSIG, fcntl.F_SETLEASE, fcntl.F_SETLKW, fcntl.F_NOTIFY):
        assert outcome("compute", number, channel, second=command) == "EPERM"


def test_only_local_sockets_exist() -> None:
    local, internet = 1, 2
    for rule in ("gpu", "program"):
        assert outcome(rule, number_of("socket"), local) == "allow"
        assert outcome(rule, number_of("socket"), internet) == "EAFNOSUPPORT"
    assert outcome("compute", number_of("socket"), local) == "EPERM"


def test_another_calling_convention_is_killed() -> None:
    thirty_two_bits = 0x40000003
    assert outcome("program", number_of("read"), machine=thirty_two_bits) == "kill"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="x32 is a convention of x86_64")
def test_x32_calls_do_not_exist() -> None:
    assert outcome("program", 0x40000000 + number_of("ptrace")) == "ENOSYS"
