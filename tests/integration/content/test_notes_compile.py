"""Every code block of every note: CUDA through NVRTC, host C++ through the system's compiler, Python by running."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cuda.bindings import nvrtc

from worker.compile.headers import STAND_INS, include_folders

NOTES = Path(__file__).parents[3] / "content" / "notes"
FENCE = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TAGS = {"cuda", "cpp", "python", "bash", "text"}


@dataclass(frozen=True, slots=True)
class Block:
    note: str
    tag: str
    text: str


def every_block() -> Iterator[Block]:
    for path in sorted(NOTES.glob("*/*.md")):
        for tag, text in FENCE.findall(path.read_text(encoding="utf-8")):
            yield Block(f"{path.parent.name}/{path.stem}", tag, text)


def blocks(tag: str) -> list[Block]:
    """The blocks with this tag, each text once: both languages often show the same code."""
    return list({block.text: block for block in every_block() if block.tag == tag}.values())


def compile_log(source: str) -> str:
    """What NVRTC says for sm_90, empty when it compiled."""
    names, texts = [name.encode() for name in STAND_INS], [text.encode() for text in STAND_INS.values()]
    _, program = nvrtc.nvrtcCreateProgram(source.encode(), b"note.cu", len(names), texts, names)
    options = [b"-arch=sm_90", b"-std=c++17", *(f"-I{folder}".encode() for folder in include_folders())]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    _, size = nvrtc.nvrtcGetProgramLogSize(program)
    log = b" " * (size + 1)  # never of one byte: those are shared by the interpreter
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(program)
    return "" if status == nvrtc.nvrtcResult.NVRTC_SUCCESS else log.decode()


def by_note(block: Block) -> str:
    return block.note


def test_every_block_says_its_language() -> None:
    assert {block.tag for block in every_block()} <= TAGS


def test_a_block_with_a_mistake_does_not_pass() -> None:
    assert "undefined" in compile_log("__global__ void k(float* x) { x[0] = missing; }")


@pytest.mark.parametrize("block", blocks("cuda"), ids=by_note)
def test_cuda_blocks_compile_alone(block: Block) -> None:
    assert compile_log(block.text) == ""


@pytest.mark.needs("c++")
@pytest.mark.parametrize("block", blocks("cpp"), ids=by_note)
def test_host_blocks_compile_alone(block: Block) -> None:
    folders = [f"-isystem{folder}" for folder in include_folders()]
    run("c++", "-std=c++17", "-fsyntax-only", "-Wall", "-Werror", *folders, "-x", "c++", "-", text=block.text)


@pytest.mark.parametrize("block", blocks("python"), ids=by_note)
def test_python_blocks_run_and_their_asserts_hold(block: Block) -> None:
    assert "assert " in block.text
    run(sys.executable, "-W", "error", "-", text=block.text)


def run(*command: str, text: str) -> None:
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
