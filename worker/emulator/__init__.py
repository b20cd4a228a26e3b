"""A GPU in numpy: executes the PTX that NVRTC made, over all threads, with exact checks."""
