"""How long a kernel would take on a card that is not at hand, told from what the emulator counted of it.

`growth` brings the counts to the timed size, `model` makes a time of them, with a card's figures from worker/hardware
and a few constants that bench/cost_model.py fits to measured times; `predict` is both, and says what limits it.
"""

from knowledge.prediction.predict import Predicted, predict

__all__ = ["Predicted", "predict"]
