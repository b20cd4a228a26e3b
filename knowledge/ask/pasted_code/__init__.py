"""Mistakes that pasted code shows at sight, without running it.

`mistakes_in` reads the lines of a message that are code and returns what is wrong there for certain, or nearly so: a
size in elements where bytes are wanted, a missing guard, a barrier in a condition. It is no judge: `submit` runs a
kernel.
"""

from knowledge.ask.pasted_code.mistakes import Mistake, mistakes_in, said_of

__all__ = ["Mistake", "mistakes_in", "said_of"]
