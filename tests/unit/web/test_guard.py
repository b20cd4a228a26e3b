"""The small parts of the guard: where to go back to, how often, in which language."""

from __future__ import annotations

import pytest

from web.guard import safe_return_path
from web.visitor import SiteMode, is_loopback


@pytest.mark.parametrize(
    "path",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "",
        "readings",
        "/a\r\nSet-Cookie: x=1",
        "/" + "a" * 600,
        " //evil.example",
        "/\t/evil.example",
    ],
)
def test_nobody_is_sent_elsewhere(path: str) -> None:
    assert safe_return_path(path) == "/"


def test_a_path_of_ours_is_kept_with_its_query() -> None:
    assert (
        safe_return_path("/recommend?topic=cuda-basics&level=beginner")
        == "/recommend?topic=cuda-basics&level=beginner"
    )


@pytest.mark.parametrize(("host", "loopback"), [
    ("127.0.0.1", True), ("::1", True), ("[::1]", True), ("localhost", True), ("127.9.9.9", True),
    ("0.0.0.0", False), ("::", False), ("192.168.1.5", False), ("example.org", False), ("", False),
])  # fmt: skip
def test_only_loopback_serves_everything(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
    assert SiteMode(host).everything is loopback
