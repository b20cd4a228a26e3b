"""Commands are sent to Discord only when they changed: creates are counted per day, and a sync is slow."""

from __future__ import annotations

import hashlib
import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discord import app_commands

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SyncState:
    """A small file that remembers, by application id, the digest of the commands that Discord has."""

    file: Path | None

    def known(self, application: str) -> str | None:
        try:
            found = json.loads(self.file.read_text(encoding="utf-8")) if self.file else {}
        except (OSError, ValueError):
            return None  # a lost or damaged file costs one sync
        return found.get(application) if isinstance(found, dict) else None

    def remember(self, application: str, payload_hash: str) -> None:
        if self.file is not None:
            self.file.write_text(json.dumps({application: payload_hash}), encoding="utf-8")


async def sync_if_changed(tree: app_commands.CommandTree[Any], state: SyncState) -> bool:
    """Send the commands to Discord if they changed; tell whether they were sent."""
    application = str(tree.client.application_id)
    payload_hash = hashlib.sha256(json.dumps(await payload_of(tree), sort_keys=True).encode()).hexdigest()
    if state.known(application) == payload_hash:
        return False
    await tree.sync()
    state.remember(application, payload_hash)
    log.info("sent %d commands to Discord", len(tree.get_commands()))
    return True


async def payload_of(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """Return what a sync would send, translations included."""
    kinds = ("chat_input", "message", "user")
    every = [command for kind in kinds for command in tree.get_commands(type=getattr(_types(), kind))]
    if tree.translator is None:
        return [command.to_dict(tree) for command in every]
    return [await command.get_translated_payload(tree, tree.translator) for command in every]


def _types() -> Any:
    from discord import AppCommandType

    return AppCommandType
