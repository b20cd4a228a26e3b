"""compute-sanitizer's reports as observations."""

from __future__ import annotations

from pathlib import Path

from worker.diagnosis import Catalogue
from worker.gpu.sanitizer import read

SAID = """========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at vector_add(const float *, const float *, float *, int)+0x160 in kernel.cu:7
=========     by thread (1,0,0) in block (3,2,0)
=========     Access at 0x7f0000000404 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f0000000000 of size 1,028 bytes
=========
========= Invalid __shared__ read of size 16 bytes
=========     at vector_add(const float *, const float *, float *, int)+0x90 in kernel.cu:9
=========     by thread (5,0,0) in block (0,0,0)
=========     Access at 0x4 is misaligned
=========
========= Error: Race reported between Write access at reduce(const float *)+0x1a0 in kernel.cu:12
=========     and Read access at reduce(const float *)+0x150 in kernel.cu:15 [8 hazards]
=========
========= Uninitialized __global__ memory read of size 4 bytes
=========     at reduce(const float *)+0xb0 in kernel.cu:20
=========     by thread (96,0,0) in block (0,0,0)
=========
========= Barrier error detected. Divergent thread(s) in block.
=========     at reduce(const float *)+0xf0 in kernel.cu:31
=========     by thread (32,0,0) in block (0,0,0)
=========
========= ERROR SUMMARY: 5 errors
"""


def test_every_kind_of_report_becomes_a_finding_at_its_line() -> None:
    seen = list(read(SAID))
    assert [(one.id, one.line) for one in seen] == [
        ("out-of-bounds", 7),
        ("misaligned", 9),
        ("race-shared", 12),
        ("uninitialized-global", 20),
        ("divergent-barrier", 31),
    ]
    assert (seen[0].thread, seen[0].block, seen[0].evidence) == ((1, 0, 0), (3, 2, 0), {"access": "write"})


def test_each_can_be_said_in_both_languages() -> None:
    catalogue = Catalogue.load(Path(__file__).parents[4] / "content" / "findings.toml")
    for one in read(SAID):
        assert set(catalogue.observed(one).message) == {"en", "zh"}


def test_a_clean_run_says_nothing() -> None:
    assert list(read("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n")) == []
