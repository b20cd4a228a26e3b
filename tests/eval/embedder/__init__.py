"""How the packaged embedder is trained, measured and written: README.md has the commands and the figures."""
