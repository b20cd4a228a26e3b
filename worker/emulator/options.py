"""How a submission is compiled for the emulator: like `nvcc -G -lineinfo`, nothing optimised away."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SOURCE_NAME = "kernel.cu"
"""The name to give to NVRTC: lines of any other file belong to a header."""

ARCHITECTURE = "compute_80"

MACROS = ("INFINITY=__int_as_float(0x7f800000)", "NAN=__int_as_float(0x7fffffff)")
"""What <math.h> defines for nvcc and NVRTC leaves out."""


UNOPTIMISED = ("--device-debug", "--undefine-macro=__CUDACC_DEBUG__", "--fmad=false")
"""A dead load stays a load, so that reading out of bounds is seen even if nobody uses it; no source can tell this
build from another; `a*b+c` rounds twice."""


def nvrtc_options(architecture: str = ARCHITECTURE) -> tuple[str, ...]:
    return (
        f"--gpu-architecture={architecture}",
        *UNOPTIMISED,
        "--std=c++17",
        "--device-as-default-execution-space",
        *(f"--define-macro={macro}" for macro in MACROS),
        *(f"--include-path={folder}" for folder in header_folders()),
    )


def header_folders() -> tuple[Path, ...]:
    """The CUDA headers that come with the nvidia-cuda-* wheels."""
    spec = importlib.util.find_spec("nvidia")
    if spec is None or not spec.submodule_search_locations:
        return ()
    root = Path(next(iter(spec.submodule_search_locations))) / "cu13" / "include"
    return tuple(folder for folder in (root, root / "cccl") if folder.is_dir())
