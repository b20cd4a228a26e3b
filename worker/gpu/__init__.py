"""Kernels on a card: `backend.open_gpu` at a worker's start gives the judge's GpuBackend.

Member code runs in a `runner`, a process and CUDA context of its own for every call. Inputs, expected values and
the tally belong to the `referee`, a process in which no member's code ever runs. See docs/judge.md.
"""
