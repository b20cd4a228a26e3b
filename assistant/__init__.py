"""The side for assistants in editors: the flows as tools and the notes as resources, over the Model Context Protocol.

`server.py` says what a model is told, `tools.py` what it can call. Everything goes through the JSON API of the
site (`api.py`), with the token of the member who asks: scopes, limits and who may see what are decided there alone.
"""
