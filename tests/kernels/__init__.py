"""Small kernels with what they must do, in one form for the emulator and for a GPU (tests/kernels/corpus.py)."""
