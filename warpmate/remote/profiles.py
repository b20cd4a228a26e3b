"""Where this command line is signed in: one file in the data directory that its owner alone may read.

The tokens lie in the system's keyring instead, where there is one (`keyrings.py`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from knowledge.errors import BadInput, DataDirError
from warpmate import datadir
from warpmate.remote import keyrings
from warpmate.settings import Settings

LOCAL = "local"
"""What `--server` is given to mean this machine."""
_FILE = "servers.json"
_WITHOUT_TLS = frozenset({"localhost", "127.0.0.1", "::1"})


class Login(BaseModel):
    """One server, and what it gave to this command line."""

    model_config = ConfigDict(frozen=True)

    token: str = Field(default="", repr=False)
    """Empty where the keyring has it."""
    member: str


class Profiles(BaseModel):
    model_config = ConfigDict(frozen=True)

    current: str = ""
    """The server that is meant where none is named; empty means this machine."""
    logins: Mapping[str, Login] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Address:
    """Where the flows are, and what opens them."""

    url: str
    token: str


def wanted_server(settings: Settings, named: str | None) -> Address | None:
    """Return the server that is meant, None for this machine: named, else of the setting, else signed in to last."""
    profiles = read_profiles(settings.data_dir)
    chosen = named or settings.server or profiles.current
    if not chosen or chosen == LOCAL:
        return None
    url = origin_of(chosen)
    token = settings.token.get_secret_value()
    login = profiles.logins.get(url)
    return Address(url, token or (token_of(url, login) if login else ""))


def token_of(url: str, login: Login) -> str:
    return login.token or keyrings.find(url)


def origin_of(address: str) -> str:
    """Return scheme and host; a token goes there and nowhere else, and over TLS unless that is this very machine."""
    parts = urlsplit(address if "://" in address else f"https://{address}")
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        raise BadInput("error.server.address", address=address) from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/") or "@" in parts.netloc:
        raise BadInput("error.server.address", address=address)
    if parts.scheme == "http" and parts.hostname not in _WITHOUT_TLS:
        raise BadInput("error.server.no_tls", address=address)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}"


def read_profiles(folder: Path) -> Profiles:
    try:
        return Profiles.model_validate_json((folder / _FILE).read_bytes())
    except FileNotFoundError:
        return Profiles()
    except (OSError, ValidationError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not what `warpmate login` wrote"
        raise DataDirError(f"{folder / _FILE} cannot be read ({reason}); delete it and log in again") from None


def keep_login(folder: Path, url: str, login: Login) -> None:
    """Remember a login; from now on that server is meant where none is named."""
    before = read_profiles(folder)
    if keyrings.keep(url, login.token):
        login = Login(member=login.member)
    _write(folder, Profiles(current=url, logins={**before.logins, url: login}))


def drop_login(folder: Path, url: str) -> None:
    before = read_profiles(folder)
    keyrings.forget(url)
    left = {known: login for known, login in before.logins.items() if known != url}
    _write(folder, Profiles(current="" if before.current == url else before.current, logins=left))


def _write(folder: Path, profiles: Profiles) -> None:
    """Write the file anew, readable for its owner alone from its first byte on."""
    datadir.prepare(folder)
    if not profiles.logins:
        (folder / _FILE).unlink(missing_ok=True)
        return
    with NamedTemporaryFile("w", dir=folder, prefix=".servers-", delete=False, encoding="utf-8") as file:
        os.chmod(file.fileno(), 0o600)  # noqa: PTH101  an open file has no path that cannot be exchanged
        file.write(profiles.model_dump_json(indent=2))
    Path(file.name).replace(folder / _FILE)
