"""Pages of the web, where a proxy stands between this host and all others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from indexer.fetch.client import Fetched, Limits, NotFetched, WebClient, open_client
from indexer.fetch.crawl import Target
from indexer.fetch.politeness import Politeness
from indexer.fetch.sessions import GuardedResolver
from indexer.schedule import online
from knowledge.catalogue import AddressPolicy, RefusedAddress
from tests.integration.indexer.site import Site, misbehaving_site
from tests.proxies import Proxy, proxy

PAGE = "http://pages.example/page/1"


@asynccontextmanager
async def behind(
    kind: str, patch: pytest.MonkeyPatch, policy: AddressPolicy | None = None
) -> AsyncIterator[tuple[WebClient, Proxy, Site]]:
    """A crawler that cannot look up a name of the web, and a proxy that can."""
    async with misbehaving_site() as site, proxy(kind, patch) as between:
        between.known["pages.example"] = site.address.removeprefix("http://")
        async with open_client(policy, Politeness(pause_s=0.0), Limits(attempts=1)) as client:
            yield client, between, site


@pytest.mark.parametrize("kind", ["http", "socks5"])
async def test_pages_are_read_through_the_proxy_which_looks_their_names_up(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with behind(kind, monkeypatch) as (client, between, site):
        got = await client.fetch(PAGE)
        assert isinstance(got, Fetched)
        assert b"Page /page/1" in got.body
        assert site.hits["/page/1"] == 1
        assert len(between.paths) == (2 if kind == "http" else len(set(between.paths))), "robots.txt and the page"
        assert await online([Target("r", PAGE)]), "the proxy's name is the one to look up"


@pytest.mark.parametrize("kind", ["http", "socks5"])
async def test_through_a_proxy_as_well_nobody_is_led_to_what_only_this_host_reaches(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with behind(kind, monkeypatch) as (client, between, _site):
        for inner in ("http://127.0.0.1/", "http://10.0.0.1/", "http://router.local/", "http://[::1]/"):
            got = await client.fetch(inner)
            assert isinstance(got, NotFetched)
            assert got.outcome == "refused", inner
        assert between.paths == []
        led = await client.fetch("http://pages.example/to-private")
        assert isinstance(led, NotFetched)
        assert led.outcome == "refused"


@pytest.mark.parametrize("kind", ["http", "socks5"])
async def test_no_link_dies_of_a_proxy(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with behind(kind, monkeypatch) as (client, between, _site):
        between.shut = True
        shut = await client.fetch("http://other.example/page/1" if kind == "http" else PAGE)
        assert isinstance(shut, NotFetched)
        if kind == "socks5":
            assert shut.reason == "the proxy does not lead to it"
        assert not shut.dead_link
        monkeypatch.setenv("http_proxy", f"{kind}://127.0.0.1:1")
        gone = await client.fetch("http://third.example/page/1")
        assert gone == NotFetched("failed", "the proxy does not lead to it")


async def test_a_host_of_the_operators_own_network_is_read_and_nobody_elses_page_leads_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    policy = AddressPolicy(inner_hosts=frozenset({"10.0.0.1", "wiki.intra:8000"}))
    async with behind("http", monkeypatch, policy) as (client, between, _site):
        between.known |= dict.fromkeys(("10.0.0.1", "wiki.intra"), between.known["pages.example"])
        assert isinstance(await client.fetch("http://10.0.0.1/page/1"), Fetched)
        assert isinstance(await client.fetch("http://wiki.intra:8000/page/1"), Fetched)
        for other in ("http://wiki/page/1", "http://10.0.0.1:22/", "http://10.0.0.2/", "http://router.local/"):
            got = await client.fetch(other)
            assert isinstance(got, NotFetched)
            assert got.outcome == "refused", other
        led = await client.fetch("http://pages.example/to-private")
        assert led == NotFetched("refused", "it leads to a host of the inner network")


async def test_a_name_of_the_inner_network_is_looked_up_for_the_operators_hosts_alone() -> None:
    resolver = GuardedResolver(AddressPolicy(inner_hosts=frozenset({"localhost"})))
    assert await resolver.resolve("localhost")
    with pytest.raises(RefusedAddress):
        await GuardedResolver(AddressPolicy()).resolve("localhost")
    with pytest.raises(RefusedAddress):
        await GuardedResolver(AddressPolicy(inner_hosts=frozenset({"wiki.intra"}))).resolve("localhost")


async def test_no_proxy_names_hosts_that_are_reached_straight(monkeypatch: pytest.MonkeyPatch) -> None:
    async with behind("http", monkeypatch) as (client, between, _site):
        monkeypatch.setenv("no_proxy", "pages.example")
        straight = await client.fetch(PAGE)
        assert isinstance(straight, NotFetched)
        assert between.paths == []
