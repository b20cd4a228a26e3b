"""Canonical addresses."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.addresses import NotAnAddress, canonical, redirect_target


@pytest.mark.parametrize(
    ("raw", "url", "fragment"),
    [
        ("https://link.zhihu.com/?target=https%3A//a.example/b.html%23part", "https://a.example/b.html", "part"),
        ("https://www.google.com/url?q=https://example.org/x&sa=D", "https://example.org/x", ""),
        ("https://example.org/x?utm_source=a&id=7&utm_medium=b", "https://example.org/x?id=7", ""),
        ("HTTPS://Example.ORG:443/Path", "https://example.org/Path", ""),
        ("https://example.org", "https://example.org/", ""),
        ("https://example.org/?b=2&a=1", "https://example.org/?b=2&a=1", ""),
        ("https://medium.com/@author/post?source=feed", "https://medium.com/@author/post", ""),
        ("https://example.org/后端#节", "https://example.org/%E5%90%8E%E7%AB%AF", "节"),
        ("https://www.youtube.com/watch?v=abc&feature=share&si=xyz", "https://www.youtube.com/watch?v=abc", ""),
    ],
)
def test_an_address_is_brought_to_one_form(raw: str, url: str, fragment: str) -> None:
    address = canonical(raw)
    assert (address.url, address.fragment) == (url, fragment)


def test_redirectors_inside_redirectors_are_unwrapped() -> None:
    inner = "https://link.zhihu.com/?target=" + quote("https://example.org/x", safe="")
    assert canonical("https://link.juejin.cn/?target=" + quote(inner, safe="")).url == "https://example.org/x"


def test_a_redirector_to_something_else_than_the_web_is_left_alone() -> None:
    assert redirect_target("https://link.zhihu.com/?target=javascript%3Aalert(1)") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.org/a/", "https://www.example.org/a"),
        ("https://example.org/%e5%88%86", "https://example.org/%E5%88%86"),
        ("https://example.org/?a=1&b=2", "https://example.org/?b=2&a=1"),
        ("https://example.org/a#x", "https://example.org/a#y"),
    ],
)
def test_spellings_of_one_page_share_a_key(one: str, other: str) -> None:
    assert canonical(one).key == canonical(other).key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/a?id=1", "https://example.org/a?id=2"),
        ("https://example.org/A", "https://example.org/a"),
        ("https://one.example.org/", "https://two.example.org/"),
    ],
)
def test_different_pages_have_different_keys(one: str, other: str) -> None:
    assert canonical(one).key != canonical(other).key


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("mailto:a@b.c", "no web address"),
        ("file:///etc/passwd", "no web address"),
        ("javascript:alert(1)", "no web address"),
        ("https://", "malformed"),
        ("https://[::1", "malformed"),
        ("https://example.org:99999/", "malformed"),
        ("https://a b.example/", "malformed"),
        ("https://user:word@example.org/", "user name or password"),
        ("https://example.org/" + "a" * 3000, "longer than"),
    ],
)
def test_what_is_no_page_is_refused_with_a_reason(raw: str, reason: str) -> None:
    with pytest.raises(NotAnAddress, match=reason):
        canonical(raw)


@given(st.text(max_size=60))
def test_canonical_forms_stay_as_they_are(tail: str) -> None:
    try:
        first = canonical("https://example.org/" + tail)
    except NotAnAddress:
        return
    assert canonical(first.url) == type(first)(first.url, "")
    assert "#" not in first.url
