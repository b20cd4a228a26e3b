"""Whether a sentence says no more, and nothing else, than the passage that it cites."""
