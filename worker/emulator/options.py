"""What the emulator needs of the compiler: one name for the source, every access kept, the macros of <math.h>."""

from __future__ import annotations

SOURCE_NAME = "kernel.cu"
"""The name to give to NVRTC: lines of any other file belong to a header."""

TRITON_SOURCE_NAME = "kernel.py"
"""What Triton writes in its PTX for a member's file: lines of any other are of Triton's own library."""

MACROS = ("INFINITY=__int_as_float(0x7f800000)", "NAN=__int_as_float(0x7fffffff)")
"""What <math.h> defines for nvcc and NVRTC leaves out."""

UNOPTIMISED = ("--device-debug", "--undefine-macro=__CUDACC_DEBUG__", "--fmad=false")
"""A dead load stays a load, so that reading out of bounds is seen even if nobody uses it; no source can tell this
build from another; `a*b+c` rounds twice."""
