"""PostgreSQL over TLS, with a certificate of an authority of one's own: asked for in the address, checked, told."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from knowledge.errors import StoreError
from knowledge.store import Scope, Store, open_store
from knowledge.store.faults import explain
from tests.certificates import Certificate, throw_away
from tests.faults.servers import Postgres, unprivileged

pytestmark = [pytest.mark.needs("initdb"), pytest.mark.slow]


@pytest.fixture
async def server() -> AsyncIterator[tuple[Postgres, Certificate]]:
    """It takes nobody without TLS."""
    with tempfile.TemporaryDirectory(prefix="warpmate-tls-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)  # noqa: ASYNC240  nothing else goes on yet
        made = throw_away(folder)
        server = Postgres(folder / "data")
        await server.make()
        if user := unprivileged():
            shutil.chown(made.key, user, user)
        server.settings = {"ssl": "on", "ssl_cert_file": str(made.cert), "ssl_key_file": str(made.key),
                           "listen_addresses": "127.0.0.1,127.0.0.2"}  # fmt: skip
        (server.folder / "pg_hba.conf").write_text("hostssl all all 127.0.0.0/8 trust\n")
        await server.start()
        yield server, made
        await server.stop()


async def over_tls(store: Store) -> bool:
    async with store.reading(Scope.all()) as session:
        asked = text("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        return bool((await session.scalars(asked)).one())


async def refusal(url: str) -> str:
    async with open_store(url) as store:
        with pytest.raises(Exception) as told:  # noqa: PT011  the driver has many kinds, all of which are explained
            await over_tls(store)
    return str(explain(told.value))


async def test_a_database_is_reached_over_tls_and_only_where_its_authority_is_trusted(
    server: tuple[Postgres, Certificate], tmp_path: Path
) -> None:
    postgres, made = server
    for options in (f"sslmode=verify-full&sslrootcert={made.ca}", f"sslrootcert={made.ca}", "sslmode=require"):
        async with open_store(f"{postgres.url}?{options}") as store:
            assert await over_tls(store), options
    (tmp_path / "other").mkdir()
    stranger = throw_away(tmp_path / "other").ca
    assert "is not trusted" in await refusal(f"{postgres.url}?sslmode=verify-full&sslrootcert={stranger}")
    assert "is not trusted" in await refusal(f"{postgres.url}?sslmode=verify-full")
    elsewhere = postgres.url.replace("127.0.0.1", "127.0.0.2")
    assert "is not trusted" in await refusal(f"{elsewhere}?sslrootcert={made.ca}")
    assert "wants TLS" in await refusal(f"{postgres.url}?sslmode=disable")
    await postgres.stop()
    postgres.settings.clear()
    await postgres.start()
    assert "speaks no TLS" in await refusal(f"{postgres.url}?sslmode=require")


async def test_what_is_no_mode_and_no_file_is_told(tmp_path: Path) -> None:
    for options, told in (("sslmode=maybe", "is none of"), (f"sslrootcert={tmp_path}/none.pem", "cannot be read")):
        with pytest.raises(StoreError, match=told):
            async with open_store(f"postgresql://nobody@127.0.0.1:1/none?{options}"):
                pass
