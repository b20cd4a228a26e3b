"""Where the token of a login lies: in a real keyring that is named, else in the file; and how it goes again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from pydantic import SecretStr

from warpmate.remote.profiles import Address, Login, drop_login, keep_login, wanted_server
from warpmate.settings import Settings

URL, TOKEN = "https://warpmate.example.org", "a-token-of-ann"
FILE_KEYRING, NO_KEYRING = "keyrings.alt.file.PlaintextKeyring", "keyring.backends.null.Keyring"
FAILS = "keyring.backends.fail.Keyring"


@pytest.fixture(autouse=True)
def _back_again() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


def use(monkeypatch: pytest.MonkeyPatch, name: str, folder: Path) -> None:
    """As a process begins that the environment names a keyring to."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", name)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    keyring.set_keyring(keyring.core.load_keyring(name))


def signed_in(data: Path) -> Address | None:
    return wanted_server(Settings(data_dir=data, token=SecretStr(""), server=""), None)


def everything_in(folder: Path) -> str:
    return "".join(file.read_text() for file in folder.rglob("*") if file.is_file())


def test_a_keyring_has_the_token_until_it_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use(monkeypatch, FILE_KEYRING, tmp_path / "keys")
    data = tmp_path / "data"
    keep_login(data, URL, Login(token=TOKEN, member="discord:1"))
    assert TOKEN not in everything_in(data)
    assert signed_in(data) == Address(URL, TOKEN)
    drop_login(data, URL)
    assert signed_in(data) is None
    assert keyring.get_password("warpmate", URL) is None


@pytest.mark.parametrize("name", [NO_KEYRING, FAILS])
def test_where_a_keyring_forgets_or_refuses_the_file_has_the_token(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    use(monkeypatch, name, tmp_path / "keys")
    keep_login(tmp_path, URL, Login(token=TOKEN, member="discord:1"))
    file = tmp_path / "servers.json"
    assert json.loads(file.read_text())["logins"][URL]["token"] == TOKEN
    assert file.stat().st_mode & 0o777 == 0o600
    assert signed_in(tmp_path) == Address(URL, TOKEN)
    drop_login(tmp_path, URL)
    assert signed_in(tmp_path) is None


def test_a_keyring_of_plain_text_that_nobody_named_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, FILE_KEYRING, tmp_path / "keys")
    monkeypatch.delenv("PYTHON_KEYRING_BACKEND")
    keep_login(tmp_path / "data", URL, Login(token=TOKEN, member="discord:1"))
    assert not (tmp_path / "keys").exists()
    assert TOKEN in everything_in(tmp_path / "data")
