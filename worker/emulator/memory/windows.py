"""The map of 64-bit addresses: a window for each buffer, one for shared and one for local memory."""

from __future__ import annotations

BUFFER_SHIFT = 40
"""Buffer number n starts at n << 40, so that an address tells its buffer and a stray one meets nobody else's."""

SHARED_WINDOW = 1 << 60
LOCAL_WINDOW = 1 << 61
SHARED_RESERVED = 1024
"""What the system keeps at the start of shared memory."""
