"""Address spaces: who owns which bytes, and how threads reach them."""
