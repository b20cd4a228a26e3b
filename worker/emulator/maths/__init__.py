"""What single instructions compute, on numpy scalars and arrays alike, bit for bit where the hardware defines it."""
