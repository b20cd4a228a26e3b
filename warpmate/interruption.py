"""The end that an operator asks for: Ctrl-C, or a signal to terminate."""

from __future__ import annotations

import asyncio
import signal


def interruption() -> asyncio.Event:
    """Return an event that is set at the first SIGINT or SIGTERM, so that every open resource is closed in order."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop
