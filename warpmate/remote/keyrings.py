"""The keyring of the system, where there is one: tokens lie better there than in a file.

The extra `warpmate[keyring]` brings the way to it. Without a session (a server, a container, a pipeline) the package
finds no keyring, or one that keeps plain text, which a file that its owner alone may read does as well: such a one is
taken only where `PYTHON_KEYRING_BACKEND` names it.
"""

from __future__ import annotations

import logging
import os
from typing import Any

log = logging.getLogger(__name__)

_SERVICE = "warpmate"
_KEEPS_SECRETS = 1
"""What a keyring that the system protects ranks at least, as the package ranks them."""


def keep(url: str, token: str) -> bool:
    """Put a token into the keyring; tell whether it is there, so that a keyring that is locked or forgets is not
    relied upon.
    """
    keyring = _usable()
    if keyring is None:
        return False
    try:
        keyring.set_password(_SERVICE, url, token)
        return bool(keyring.get_password(_SERVICE, url) == token)
    except Exception as error:  # noqa: BLE001  backends raise what they like, and the file is there instead
        log.info("the keyring does not take the token: %s", error)
        return False


def find(url: str) -> str:
    """Return the token; empty where the keyring is away or does not have it."""
    keyring = _usable()
    try:
        return (keyring.get_password(_SERVICE, url) if keyring else None) or ""
    except Exception as error:  # noqa: BLE001  likewise: the server says that nobody is logged in
        log.warning("the keyring does not give the token: %s", error)
        return ""


def forget(url: str) -> None:
    keyring = _usable()
    try:
        if keyring is not None and keyring.get_password(_SERVICE, url) is not None:
            keyring.delete_password(_SERVICE, url)
    except Exception as error:  # noqa: BLE001  the server has revoked it, so that it opens nothing
        log.warning("the keyring keeps the token of %s: %s", url, error)


def _usable() -> Any:
    """Return the keyring in use; None where the package or a keyring is missing."""
    try:
        import keyring
    except ImportError:
        return None
    backend = keyring.get_keyring()
    return backend if backend.priority >= _KEEPS_SECRETS or os.environ.get("PYTHON_KEYRING_BACKEND") else None
