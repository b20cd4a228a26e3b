"""Every message of Triton's that has an explanation, provoked by a kernel: finding, line, words in both languages."""

from __future__ import annotations

import dataclasses
import re

import pytest

from tests.integration.worker.conftest import Judging
from worker.protocol import Kind
from worker.triton.explain import _RULES

pytestmark = [pytest.mark.needs("triton"), pytest.mark.slow]


@dataclasses.dataclass(frozen=True, slots=True)
class Broken:
    """A body of a kernel over x, y and n with blocks of B, whose last line but `after` is wrong."""

    finding: str
    body: str
    before: str = ""
    block: str = "128"


STORE = "tl.store(y + o, tl.load(x + o))"
EYE = "tl.store(y + o, tl.sum(tl.sum(d, 0), 0))"

BROKEN = [
    Broken("triton-import", STORE, "import torch"),
    Broken("triton-refused", STORE, "H = triton.heuristics({'B': lambda a: 128})"),
    Broken("triton-power-of-two", STORE, block="100"),
    Broken("triton-not-constexpr", "tl.store(y + tl.arange(0, n), 1.0)"),
    Broken("triton-not-constexpr", "tl.store(y + o, tl.zeros((n,), tl.float32))"),
    Broken("triton-global", "tl.store(y + o, tl.load(x + o) * G)", "G = 3.0"),
    Broken("triton-not-jit", "tl.store(y + o, twice(tl.load(x + o)))", "def twice(a):\n    return 2 * a"),
    Broken("triton-no-attribute", "tl.store(y + o, tl.tangent(tl.load(x + o)))"),
    Broken("triton-undefined", "tl.store(y + o, tl.load(x + p))"),
    Broken("triton-cuda-name", "tl.store(y + threadIdx, tl.load(x + o))"),
    Broken("triton-shapes", "tl.store(y + o, tl.load(x + o) + tl.load(x + tl.arange(0, 64)))"),
    Broken("triton-loop-type", "s = 0\nfor i in range(n):\n    s += tl.load(x + o)"),
    Broken("triton-branch-type", "if n > 3:\n    a = 1.0\nelse:\n    a = tl.load(x + o)"),
    Broken("triton-if-on-tensor", "if tl.load(x + o) > 0:\n    tl.store(y + o, 1.0)"),
    Broken("triton-chained-comparison", "tl.store(y + o, tl.load(x + o), mask=0 < o < n)"),
    Broken("triton-python", "try:\n    a = 1\nexcept ValueError:\n    a = 2"),
    Broken("triton-python", "a = [i for i in range(4)]"),
    Broken("triton-other-without-mask", "tl.store(y + o, tl.load(x + o, other=0.0))"),
    Broken("triton-no-pointer", "tl.store(y + o, tl.load(o))"),
    Broken("triton-dot-small", "a = tl.zeros((8, 8), tl.float16)\nd = tl.dot(a, a)\n" + EYE),
    Broken("triton-dot-types", "a = tl.zeros((16, 16), tl.float16)\nd = tl.dot(a, a.to(tl.float32))\n" + EYE),
    Broken("triton-dot-shapes", "a = tl.zeros((16, 32), tl.float16)\nd = tl.dot(a, a)\n" + EYE),
    Broken("triton-too-large", "tl.store(y + o, tl.sum(tl.zeros((2048, 2048), tl.float32)))"),
    Broken("triton-index", "tl.store(y, tl.load(x + o)[0])"),
    Broken("triton-axis", "tl.store(y + o, tl.sum(tl.load(x + o), axis=1))"),
    Broken("triton-static-assert", 'tl.static_assert(B == 64, "B is 64")'),
    Broken("triton-call", "tl.store(y + o)"),
    Broken("triton-math", "tl.store(y + o, math.exp(tl.load(x + o)))", "import math"),
    Broken("triton-dtype", "tl.store(y + o, tl.exp(o))"),
    Broken("triton-operands", "tl.store(y + o * 1.0, tl.load(x + o))"),
    Broken("triton-syntax", "a = = 1"),
    Broken("triton-other-error", "tl.store(y + o, tl.trans(tl.load(x + o), 1, 0))"),
    Broken("markdown-fence", STORE + "\n```"),
    Broken("full-width-punctuation", "tl.store(y + o，tl.load(x + o))"),
]  # fmt: skip


def source_of(broken: Broken) -> str:
    before = f"{broken.before}\n" if broken.before else ""
    body = "".join(f"    {line}\n" if not line.startswith("```") else f"{line}\n" for line in broken.body.split("\n"))
    decorated = "@H\n@triton.jit\n" if broken.before.startswith("H =") else "@triton.jit\n"
    return (
        f"import triton\nimport triton.language as tl\n{before}"
        f"#! launch k[(cdiv(n, B),)](x, y, n, B={broken.block})\n{decorated}"
        f"def k(x, y, n, B: tl.constexpr):\n    o = tl.program_id(0) * B + tl.arange(0, B)\n{body}"
    )


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: f"{broken.finding}: {broken.body[:40]}")
def test_a_message_is_explained_at_its_line_in_both_languages(verdict_on_ours: Judging, broken: Broken) -> None:
    source = source_of(broken)
    verdict = verdict_on_ours(source, "sigmoid")
    assert verdict.verdict is Kind.COMPILE_ERROR
    (finding,) = verdict.findings
    assert finding.id == broken.finding
    assert finding.line is None or 1 <= finding.line <= source.count("\n")
    assert finding.line is not None or broken.finding == "triton-refused"
    assert re.search(r"[\u4e00-\u9fff]", finding.message["zh"])


def test_the_table_leaves_no_finding_unprovoked() -> None:
    provoked = {broken.finding for broken in BROKEN}
    explained = {make(match, "")[0] for _, _, make in _RULES if (match := _Anything())}  # type: ignore[arg-type]  # stands for a match
    assert explained - provoked <= {"triton-ranks"}


class _Anything:
    """A match whose every group is a name."""

    def __getitem__(self, group: int) -> str:
        return "name"
