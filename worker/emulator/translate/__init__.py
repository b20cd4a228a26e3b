"""Frozen PTX to Python functions over numpy: one a basic block, of names and integers that are minted here."""
