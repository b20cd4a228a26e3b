"""What a GPU child sees of its host: the driver's library, its device files, and nothing that belongs to anybody."""

from __future__ import annotations

import os
from pathlib import Path
from types import MappingProxyType

from worker.hardware.driver_files import devices, driver_folders
from worker.sandbox import KIB, MIB, Policy

RUNNER_SECONDS = 120.0
"""Processor time and wall clock of one runner, whatever its requests."""

_REFEREE_SECONDS = 3e6


def runner_policy() -> Policy:
    return _policy(RUNNER_SECONDS)


def referee_policy() -> Policy:
    return _policy(_REFEREE_SECONDS)


def _policy(seconds: float) -> Policy:
    folders = driver_folders()
    environment = {
        "CUDA_CACHE_DISABLE": "1",
        "CUDA_MODULE_LOADING": "EAGER",
        "LD_LIBRARY_PATH": ":".join(map(str, folders)),
        "OPENBLAS_NUM_THREADS": "1",
    }
    if chosen := os.environ.get("CUDA_VISIBLE_DEVICES"):
        environment["CUDA_VISIBLE_DEVICES"] = chosen
    return Policy(
        readable=(*folders, Path("/sys/bus"), Path("/sys/devices"), Path("/sys/module")),
        devices=devices(),
        memory_bytes=None,
        seconds=seconds,
        output_bytes=64 * KIB,
        answer_bytes=256 * MIB,
        open_files=1024,
        proc=True,
        syscalls="gpu",
        environment=MappingProxyType(environment),
    )
