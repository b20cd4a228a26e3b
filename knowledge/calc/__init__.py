"""Calculators that the group's study tasks ask for, each with its working shown.

`convolution` and `product` place work on a card's roofline, `receptive_field` follows a network layer by layer,
`occupancy` counts resident warps. All return a `Working`: plain data that every face renders.
"""

from knowledge.calc.intensity import convolution, product
from knowledge.calc.occupancy import kernel_occupancy
from knowledge.calc.receptive_field import NETWORKS, receptive_field
from knowledge.calc.working import Step, Working

__all__ = ["NETWORKS", "Step", "Working", "convolution", "kernel_occupancy", "product", "receptive_field"]
