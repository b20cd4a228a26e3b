"""The command line against a server: who is signed in where, and the flows over its API."""
