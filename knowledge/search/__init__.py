"""Finding passages: a keyword leg, a dense leg, a bridge between the languages, and one weighted score."""
