"""The emulator as a process: empty environment, its own limits, JSON and raw bytes in and out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.kernels.emulated import to_ptx
from tests.unit.worker.emulator.oracles import Empty, request
from worker.emulator.refusal import Malformed
from worker.emulator.request import Emulation, Limits, Request
from worker.emulator.run import emulate
from worker.emulator.wire import decode_emulation, decode_request, encode_emulation, encode_request

ROOT = Path(__file__).resolve().parents[4]
HEAD = 'extern "C" __global__ void k(const float* x, float* o, int n)'
DOUBLE = HEAD + "{ int i = threadIdx.x; if (i <= n) o[i] = 2 * x[i]; }"


def ask(message: bytes) -> bytes:
    read_end, write_end = os.pipe()
    child = subprocess.Popen(
        [sys.executable, "-m", "worker.emulator.child", str(write_end)],
        stdin=subprocess.PIPE, pass_fds=[write_end], env={}, cwd=ROOT,
    )  # fmt: skip
    os.close(write_end)
    assert child.stdin is not None
    child.stdin.write(message)
    child.stdin.close()
    with os.fdopen(read_end, "rb") as answers:
        answer = answers.read()
    assert child.wait() == 0
    return answer


def doubling(n: int) -> Request:
    return request(to_ptx(DOUBLE), [np.arange(100, dtype=np.float32), Empty(100), n], block=128)


def test_the_child_answers_what_the_same_call_in_this_process_answers() -> None:
    wanted = emulate(doubling(100))
    answered = decode_emulation(ask(encode_request(doubling(100))))

    assert answered.observations == wanted.observations
    assert [item.id for item in answered.observations] == ["out-of-bounds"]
    assert answered.counts == wanted.counts
    np.testing.assert_array_equal(answered.outputs["p1"], 2 * np.arange(100, dtype=np.float32))


@pytest.mark.parametrize("message", [b"", b"nonsense", b"\xff" * 64, (2).to_bytes(8, "little") + b"[]"])
def test_a_message_that_is_no_request_is_answered_politely(message: bytes) -> None:
    assert decode_emulation(ask(message)).ending == "malformed"


def test_a_request_comes_out_of_the_wire_as_it_went_in() -> None:
    wanted = doubling(7)

    assert decode_request(encode_request(wanted)) == wanted


@pytest.mark.parametrize("cut", [4, 30, 200, -3])
def test_a_message_that_was_cut_off_is_malformed(cut: int) -> None:
    with pytest.raises(Malformed):
        decode_request(encode_request(doubling(7))[:cut])


def test_an_answer_that_promises_more_bytes_than_it_has_is_not_believed() -> None:
    emulation = Emulation("finished", "", {"o": np.zeros(64, np.float32)}, (), (), "")

    with pytest.raises(Malformed):
        decode_emulation(encode_emulation(emulation)[:-8])


@pytest.mark.slow
def test_memory_stays_under_one_gigabyte_for_a_large_launch() -> None:
    source = HEAD + "{ int i = blockIdx.x * 256 + threadIdx.x; o[i] = x[i]; }"
    count = 1 << 22
    wanted = request(
        to_ptx(source),
        [np.ones(count, np.float32), Empty(count), count],
        grid=count // 256,
        limits=Limits(seconds=60),
    )
    read_end, write_end = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "worker.emulator.child", str(write_end), "1024"],
        stdin=subprocess.PIPE, pass_fds=[write_end], env={"OPENBLAS_NUM_THREADS": "1"}, cwd=ROOT,
    ) as child:  # fmt: skip
        os.close(write_end)
        assert child.stdin is not None
        child.stdin.write(encode_request(wanted))
        child.stdin.close()
        with os.fdopen(read_end, "rb") as answers:
            answered = decode_emulation(answers.read())

    assert (answered.ending, answered.reason) == ("finished", "")
