"""An embedder of our own, measured and not in use yet: README.md says what it gains and what it costs."""
