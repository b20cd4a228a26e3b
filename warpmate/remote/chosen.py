"""Which server a command means, if any: with one, it is whoever is signed in there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge.errors import BadInput
from warpmate.remote.profiles import wanted_server
from warpmate.settings import Settings

if TYPE_CHECKING:
    from warpmate.remote.server import Server


def chosen_server(settings: Settings, named: str | None, lang: str, member: str | None = None) -> Server | None:
    """Return the server to ask, None for this machine; on a server nobody is somebody else."""
    address = wanted_server(settings, named)
    if address is not None and member is not None:
        raise BadInput("error.server.member")
    if address is None:
        return None
    from warpmate.remote.server import Server  # aiohttp's client: a tenth of a second that only a server needs

    return Server(address, lang)
