"""Canonical addresses: redirectors unwrapped, tracking dropped, the fragment kept apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import parse_qsl, quote, unquote, urldefrag, urlsplit, urlunsplit

from knowledge.errors import WarpmateError

REDIRECTORS: Mapping[str, str] = MappingProxyType(
    {
        "link.zhihu.com/": "target",
        "link.juejin.cn/": "target",
        "link.csdn.net/": "target",
        "link.jianshu.com/": "t",
        "www.oschina.net/action/GoToLink": "url",
        "gitee.com/link": "target",
        "www.google.com/url": "q",
        "www.youtube.com/redirect": "q",
        "l.facebook.com/l.php": "u",
        "www.linkedin.com/redir/redirect": "url",
        "steamcommunity.com/linkfilter/": "url",
    }
)
"""Host and path of pages that only forward, and the parameter that holds the real address."""

TRACKING = frozenset(
    {"spm", "si", "feature", "share_source", "share_medium", "vd_source", "isappinstalled", "from_source"}
)
"""Parameters that name the reader's way here and that courlan leaves in place."""

LONGEST_URL = 2000
_NESTED_REDIRECTORS = 4


@dataclass(frozen=True, slots=True)
class Address:
    """The place of a page, and which part of it was meant."""

    url: str
    fragment: str

    @property
    def key(self) -> str:
        """Equal for two spellings of one page: scheme, a closing slash and percent-encoding do not count."""
        parts = urlsplit(self.url)
        path = unquote(parts.path).rstrip("/")
        query = "&".join(sorted(unquote(pair) for pair in parts.query.split("&")))
        return f"{parts.netloc.removeprefix('www.')}{path}?{query}"


class NotAnAddress(WarpmateError):
    """Says in one clause why this cannot be a page on the web."""


def canonical(raw: str) -> Address:
    """The page that `raw` leads to; raises NotAnAddress."""
    url = raw.strip()
    for _ in range(_NESTED_REDIRECTORS):
        _check(url)
        target = redirect_target(url)
        if target is None:
            break
        url = target
    _check(url)
    plain, fragment = urldefrag(url)
    return Address(_tidy(plain), unquote(fragment))


def key_of(url: str) -> str:
    """Equal for two spellings of one page; a page of a mirror may have a name of its own instead of an address."""
    try:
        return canonical(url).key
    except NotAnAddress:
        return url


def redirect_target(url: str) -> str | None:
    """The address that a known redirector carries in its query."""
    parts = urlsplit(url)
    parameter = REDIRECTORS.get(f"{(parts.hostname or '').lower()}{parts.path or '/'}")
    target = dict(parse_qsl(parts.query)).get(parameter) if parameter else None
    return target if target and target.startswith(("http://", "https://")) else None


def host(url: str) -> str:
    """The host without www; empty for an address that has none or is malformed."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _check(url: str) -> None:
    if len(url) > LONGEST_URL:
        raise NotAnAddress("error.address.too_long", most=LONGEST_URL)
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise NotAnAddress("error.address.malformed") from error
    if parts.scheme.lower() not in {"http", "https"}:
        raise NotAnAddress("error.address.not_web")
    if not parts.hostname or re.search(r"[\s\x00-\x1f<>\"\\]", url):
        raise NotAnAddress("error.address.malformed")
    if parts.username or parts.password:
        raise NotAnAddress("error.address.credentials")


def _tidy(url: str) -> str:
    """Host in small letters, no default port, no trackers; what is left stands as it was written."""
    from courlan import normalize_url  # takes a while to load, and most commands meet no new address

    parts = urlsplit(url)
    normal = urlsplit(str(normalize_url(url)))
    kept = {name for name, _ in parse_qsl(normal.query, keep_blank_values=True)} - TRACKING
    query = "&".join(pair for pair in parts.query.split("&") if unquote(pair.partition("=")[0]) in kept)
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
    return urlunsplit((normal.scheme, normal.netloc, path, quote(query, safe="/%:@!$&'()*+,;=~?[]"), ""))
