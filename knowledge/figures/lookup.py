"""One figure of a card, a capability or a toolkit, with its unit and its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowledge.words import Message
from worker.hardware.architectures import KIB, Architecture, CudaVersion, architecture
from worker.hardware.cards import CardFacts, Source

UNITS = {
    "memory_gb": "GB", "bus_bits": "bit", "gbit_per_s_per_pin": "Gbit/s", "bandwidth_gb_per_s": "GB/s",
    "boost_mhz": "MHz", "tensor_boost_mhz": "MHz", "l2_mib": "MiB", "tdp_w": "W", "shared_kib": "KiB",
    "block_shared_kib": "KiB", "l1_kib": "KiB",
}  # fmt: skip
FORMATS = ("fp64", "fp64_tensor", "fp32", "tf32", "fp16", "bf16", "fp8", "fp4", "int8")
LIMITS = (
    "block_threads", "threads", "warps", "blocks", "registers", "thread_registers", "shared_kib",
    "block_shared_kib", "l1_kib", "cluster_blocks", "sm_cores",
)  # fmt: skip
FEATURES = ("tma", "clusters", "wgmma", "tcgen05", "async_copy")
CARD_SHEET = (
    "year", "generation", "capability", "multiprocessors", "cores", "tensor_cores", "boost_mhz", "memory_gb",
    "memory_kind", "bus_bits", "gbit_per_s_per_pin", "bandwidth_gb_per_s", "l2_mib", "tdp_w",
    *(f"tflops.{form}" for form in FORMATS), *LIMITS,
)  # fmt: skip
"""The rows of a card's page, in their order."""

Value = int | float | str | bool
Subject = CardFacts | Architecture | CudaVersion


@dataclass(frozen=True, slots=True)
class Figure:
    """What the table says of one quantity of one subject."""

    subject: str
    quantity: str
    """`bandwidth_gb_per_s`, `tflops.fp16`: its name is `quantity.` + this, or of the format in the rate's."""
    value: Value
    unit: str
    source: Source

    @property
    def shown(self) -> str:
        """`3350 GB/s`: a number with its unit, words as they are."""
        if isinstance(self.value, str):
            return self.value
        return f"{self.value:.6g} {self.unit}".rstrip()

    def as_json(self) -> dict[str, Any]:
        return {
            "subject": self.subject,
            "quantity": self.quantity,
            "value": self.value,
            "unit": self.unit,
            "source": {"title": self.source.title, "url": self.source.url},
        }


def quantity_name(quantity: str) -> Message:
    """What members call it."""
    group, _, form = quantity.partition(".")
    if not form:
        return Message(f"quantity.{group}")
    shown = form.removesuffix("_tensor").upper()
    return Message(
        f"quantity.{group}", form=Message("quantity.matrix", form=shown) if form.endswith("_tensor") else shown
    )


def subject_name(subject: Subject) -> str:
    if isinstance(subject, CardFacts):
        return subject.name
    if isinstance(subject, CudaVersion):
        return f"CUDA {subject.version}"
    return f"{subject.name} ({subject.generation})"


def figure(subject: Subject, quantity: str) -> Figure | None:
    """None where the table does not have it."""
    if isinstance(subject, CardFacts):
        found = _of_card(subject, quantity)
    elif isinstance(subject, CudaVersion):
        found = _of_toolkit(subject, quantity)
    else:
        found = _of_architecture(subject, quantity)
    if found is None or found[0] is None:
        return None
    unit = (
        "TOP/s"
        if quantity == "tflops.int8"
        else "TFLOP/s"
        if quantity.startswith("tflops")
        else UNITS.get(quantity, "")
    )
    return Figure(subject_name(subject), quantity, found[0], unit, found[1])


def sheet(card: CardFacts) -> tuple[Figure, ...]:
    """Every figure of the card that the tables have."""
    return tuple(found for quantity in CARD_SHEET if (found := figure(card, quantity)))


def _of_card(card: CardFacts, quantity: str) -> tuple[Value | None, Source] | None:
    machine = architecture(card.arch)
    if quantity == "generation" and machine is None:
        return card.arch, card.source_of("arch")
    if quantity.startswith("format.") and machine is None:
        rate = quantity.replace("format", "tflops")
        return card.figure(rate) is not None or None, card.source_of(rate)
    if (stated := card.figure(quantity)) is not None:
        return stated, card.source_of(quantity)
    return _of_architecture(machine, quantity) if machine and quantity not in {"cores", "tensor_cores"} else None


def _of_architecture(machine: Architecture, quantity: str) -> tuple[Value | None, Source] | None:
    group, _, form = quantity.partition(".")
    if group == "format":
        ordinary = form in {"fp64", "fp32", "fp16"} or (form == "int8" and machine.name != "sm_60")
        return ordinary or form in machine.tensor_formats, machine.source
    if quantity == "tensor_cores":
        return "tensor_cores" in machine.features, machine.source
    if quantity in FEATURES:
        return quantity in machine.features, machine.source
    others: dict[str, Value | None] = {
        "shared_kib": machine.shared_bytes // KIB,
        "block_shared_kib": machine.block_shared_bytes // KIB,
        "sm_cores": machine.cores,
        "cuda": machine.first_cuda,
    }
    named = {"capability", "generation", "l1_kib", "cluster_blocks", "threads", *LIMITS} - others.keys()
    value = others.get(quantity) if quantity in others else getattr(machine, quantity) if quantity in named else None
    return value, machine.source


def _of_toolkit(toolkit: CudaVersion, quantity: str) -> tuple[Value | None, Source] | None:
    if quantity in {"ptx", "driver", "highest", "oldest_driver"}:
        return getattr(toolkit, quantity), toolkit.source_of(quantity)
    return None


def supports(toolkit: CudaVersion, machine: Architecture) -> bool:
    """Whether the toolkit compiles for the architecture."""
    version = _ordered(toolkit.version)
    ended = machine.last_cuda is not None and version > _ordered(machine.last_cuda)
    return _ordered(machine.first_cuda) <= version and not ended


def _ordered(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
