"""Which addresses the crawler refuses, however they are written."""

from __future__ import annotations

import ipaddress
import socket

import aiohttp
import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from indexer.fetch.client import NotFetched, open_client
from indexer.fetch.politeness import Politeness
from indexer.fetch.sessions import GuardedResolver
from knowledge.catalogue import AddressPolicy, RefusedAddress

PRIVATE = [
    "127.0.0.1",
    "127.8.9.10",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "2002:7f00:1::",
    "64:ff9b::a00:1",
    "2001:0:0:0:0:0:80ff:fffe",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_not_everyone_reaches_is_refused(address: str) -> None:
    with pytest.raises(RefusedAddress):
        AddressPolicy().check(ipaddress.ip_address(address))


def test_a_host_that_the_operator_named_with_a_port_is_opened_at_that_port_alone() -> None:
    policy, inside = (
        AddressPolicy(inner_hosts=frozenset({"wiki.intra:8000", "docs.intra"})),
        ipaddress.ip_address("10.0.0.9"),
    )
    policy.check(inside, "wiki.intra", 8000)
    policy.check(inside, "docs.intra", 443)
    for host, port in (("wiki.intra", 80), ("wiki.intra", 8443), ("docs.intra", 8000), ("other.intra", 8000)):
        with pytest.raises(RefusedAddress):
            policy.check(inside, host, port)
    assert AddressPolicy(inner_hosts=frozenset({"wiki.intra:443"})).is_inner("https://wiki.intra/")


@pytest.mark.parametrize("location", ["http://a.example:99999/", "http://[::1", "http://a\u2100b.example/"])
async def test_a_redirect_to_what_is_no_address_is_refused_and_ends_no_crawl(location: str) -> None:
    async def answer(request: web.Request) -> web.Response:
        if request.path == "/robots.txt":
            raise web.HTTPNotFound
        return web.Response(status=302, headers={"Location": location})

    site = web.Application()
    site.router.add_get("/{name}", answer)
    runner = web.AppRunner(site)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        async with open_client(AddressPolicy(loopback=True), Politeness(pause_s=0.0)) as client:
            got = await client.fetch(f"http://127.0.0.1:{runner.addresses[0][1]}/page")
    finally:
        await runner.cleanup()
    assert isinstance(got, NotFetched)
    assert got.outcome == "refused"


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_a_public_address_is_allowed(address: str) -> None:
    AddressPolicy().check(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "http://user:secret@example.org/",
        "http://",
        "http://[::1]/",
        "http://127.0.0.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://example.org:22/",
        "http://example.org:99999/",
        "gopher://example.org/",
    ],
)
def test_an_address_that_is_no_web_page_is_refused_before_any_look_up(url: str) -> None:
    with pytest.raises(RefusedAddress):
        AddressPolicy().check_url(url)


def test_loopback_is_allowed_only_by_the_explicit_setting() -> None:
    AddressPolicy(loopback=True).check_url("http://127.0.0.1:8080/")
    with pytest.raises(RefusedAddress):
        AddressPolicy(loopback=True).check_url("http://10.0.0.1/")


class Answers(AbstractResolver):
    """A name server that answers otherwise each time, as one that rebinds does."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        hosts = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [
            ResolveResult(hostname=host, host=address, port=port, family=socket.AF_INET, proto=0, flags=0)
            for address in hosts
        ]

    async def close(self) -> None:
        pass


async def test_a_name_with_one_private_answer_is_refused_as_a_whole() -> None:
    resolver = GuardedResolver(AddressPolicy(), Answers(["93.184.216.34", "10.0.0.1"]))
    with pytest.raises(RefusedAddress):
        await resolver.resolve("example.org", 80)


async def test_the_connection_goes_to_the_very_answer_that_was_checked() -> None:
    """One look-up a connection: a second answer, private by then, is never asked for."""
    answers = Answers(["127.0.0.1"], ["10.0.0.1"])
    connector = aiohttp.TCPConnector(
        resolver=GuardedResolver(AddressPolicy(loopback=True), answers), use_dns_cache=False
    )
    async with aiohttp.ClientSession(connector=connector) as session:
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get("http://rebinding.example:9/")
    assert answers.asked == 1


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f000001", "127.1", "0177.0.0.1"])
async def test_a_name_or_number_that_means_this_host_is_refused(host: str) -> None:
    async with open_client() as client:
        got = await client.fetch(f"http://{host}/")
    assert isinstance(got, NotFetched)
    assert got.outcome == "refused"
    assert got.reason in {
        "it is a name of a private network",  # told without a look-up
        "it leads to an address that is not public",
        "the address is malformed",
    }


@pytest.mark.parametrize("host", ["localhost", "printer.local", "db.internal", "app.localhost.", "intranet"])
def test_a_private_name_is_refused_without_a_look_up(host: str) -> None:
    with pytest.raises(RefusedAddress, match="private network"):
        AddressPolicy().check_url(f"https://{host}/")
