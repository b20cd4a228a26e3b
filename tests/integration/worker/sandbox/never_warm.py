"""An entry that never gets warm."""

from __future__ import annotations

import threading


def warm() -> None:
    threading.Event().wait()
