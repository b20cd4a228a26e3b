"""Groups of threads, their blocks, calls, barriers and warps."""
