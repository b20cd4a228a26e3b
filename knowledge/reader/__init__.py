"""The reader: a small language model of ours that says which sentences of a passage answer a question."""
