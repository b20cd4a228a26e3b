"""How this process stands with Discord: the bot's keeper writes it, the site's pages and `/readyz` read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

DiscordState = Literal["off", "connecting", "connected", "away", "refused"]
"""off: no token is set. away: Discord cannot be reached and is tried again. refused: the token is not taken."""


@dataclass(slots=True)
class DiscordStatus:
    state: DiscordState = "off"
    since: datetime = field(default_factory=lambda: datetime.now(UTC))
    """When this state began."""

    def become(self, state: DiscordState) -> bool:
        """Note the state; tell whether it is another one than before."""
        if state == self.state:
            return False
        self.state, self.since = state, datetime.now(UTC)
        return True
