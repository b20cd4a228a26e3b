"""The core: ask, recommend, submit, search and the store, free of Discord, HTTP pages and CUDA."""
