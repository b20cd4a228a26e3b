"""How many slips of the keys lie between two words."""

from __future__ import annotations


def edits(typed: str, meant: str, most: int) -> int:
    """Restricted Damerau-Levenshtein: letters left out, added, exchanged, or two neighbours swapped.

    `most + 1` for anything further away. Ours, because the ratio of difflib counts a swap as two slips.
    """
    if abs(len(typed) - len(meant)) > most:
        return most + 1
    before: list[int] = []
    last = list(range(len(meant) + 1))
    for row, letter in enumerate(typed, start=1):
        here = [row]
        for column, other in enumerate(meant, start=1):
            cost = min(last[column] + 1, here[-1] + 1, last[column - 1] + (letter != other))
            swapped = row > 1 and column > 1 and letter == meant[column - 2] and typed[row - 2] == other
            here.append(min(cost, before[column - 2] + 1) if swapped else cost)
        if min(here) > most:
            return most + 1
        before, last = last, here
    return min(last[-1], most + 1)
