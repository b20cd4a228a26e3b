"""Answering questions: checked quotes with their sources, an honest refusal, follow-ups, feedback and gaps."""
