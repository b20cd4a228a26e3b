"""A local Discord: REST and gateway over real HTTP and WebSocket, as strict as the documentation is.

`LocalDiscord` is the place, `Person` somebody who uses it. The real client library connects to it unchanged; what
Discord would refuse is refused here, with the name of the field. `python -m tests.discord` starts one by hand.
"""

from tests.discord.clock import Clock
from tests.discord.exchange import Exchange, Form, Shown
from tests.discord.faults import Fault
from tests.discord.person import Person, Upload
from tests.discord.server import LocalDiscord, local_discord
from tests.discord.world import Channel, Guild, User, World

__all__ = [
    "Channel",
    "Clock",
    "Exchange",
    "Fault",
    "Form",
    "Guild",
    "LocalDiscord",
    "Person",
    "Shown",
    "Upload",
    "User",
    "World",
    "local_discord",
]
