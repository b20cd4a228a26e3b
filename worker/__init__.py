"""Checks kernels. Installs and runs alone: standard library, numpy, redis and the CUDA bindings."""
