"""The tables of compute capabilities and of CUDA toolkits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from worker.hardware.cards import Source, read_table, sources

KIB = 1024


@dataclass(frozen=True, slots=True)
class Architecture:
    """What one multiprocessor of a compute capability offers, and which toolkits compile for it."""

    name: str
    """`sm_90`."""
    capability: str
    generation: str
    """`Hopper`."""
    cores: int
    """fp32 lanes."""
    warps: int
    blocks: int
    block_threads: int
    registers: int
    thread_registers: int
    shared_bytes: int
    block_shared_bytes: int
    """The most that one block may ask for."""
    reserved_shared_bytes: int
    """Kept by the system for each block."""
    shared_unit_bytes: int
    warp_unit: int
    l1_kib: int | None
    """L1 and shared memory together; None where they are apart."""
    cluster_blocks: int | None
    """The most blocks of a cluster that every device of the capability can hold."""
    tensor_formats: tuple[str, ...]
    flops_per_clock: Mapping[str, int]
    features: tuple[str, ...]
    first_cuda: str
    last_cuda: str | None
    source: Source

    @property
    def threads(self) -> int:
        return self.warps * 32


@dataclass(frozen=True, slots=True)
class CudaVersion:
    version: str
    ptx: str
    highest: str
    """The highest architecture that it compiles for."""
    driver: str
    """The Linux driver that came with it."""
    oldest_driver: str | None
    """The oldest on which it runs with minor version compatibility."""
    source: str
    sources: Mapping[str, str]

    def source_of(self, figure: str) -> Source:
        return sources()[self.sources.get(figure, self.source)]


@cache
def architectures() -> Mapping[str, Architecture]:
    """By name, oldest first."""
    rows = read_table("architectures")["architecture"]
    return MappingProxyType({row["name"]: _architecture(row) for row in rows})


def architecture(name: str) -> Architecture | None:
    """Of `sm_90` as of `sm_90a` and `sm_100f`."""
    return architectures().get(name.rstrip("af"))


@cache
def cuda_versions() -> Mapping[str, CudaVersion]:
    """By version, oldest first."""
    rows = read_table("cuda")["cuda"]
    return MappingProxyType({
        row["version"]: CudaVersion(
            row["version"], row["ptx"], row["highest"], row["driver"], row.get("oldest_driver"), row["source"],
            MappingProxyType(row.get("sources", {})),
        )
        for row in rows
    })  # fmt: skip


def _architecture(row: Mapping[str, Any]) -> Architecture:
    same = (
        "name", "capability", "generation", "cores", "warps", "blocks", "block_threads", "registers",
        "thread_registers", "reserved_shared_bytes", "shared_unit_bytes", "warp_unit", "first_cuda",
    )  # fmt: skip
    return Architecture(
        **{field: row[field] for field in same},
        shared_bytes=row["shared_kib"] * KIB,
        block_shared_bytes=row["block_shared_kib"] * KIB,
        l1_kib=row.get("l1_kib"),
        cluster_blocks=row.get("cluster_blocks"),
        tensor_formats=tuple(row["tensor_formats"]),
        flops_per_clock=MappingProxyType(row.get("flops_per_clock", {})),
        features=tuple(row["features"]),
        last_cuda=row.get("last_cuda"),
        source=sources()[row["source"]],
    )
