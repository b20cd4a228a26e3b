"""Foreign text in a message: it cannot ping, close its fence, begin a heading, or be too long."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.markup import cut, fence, link, one_line, plain, quoted
from bot.rate_limit import Allowance, RateLimit
from bot.render.card import TEXT_BUDGET, card, with_note
from bot.uploads import decoded
from knowledge.errors import BadInput, TooMany


@given(st.text())
def test_running_text_holds_no_unescaped_markup(text: str) -> None:
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_~|<>\[\]()#]", plain(text))
    assert "@everyone" not in plain(text)


@given(st.text(), st.integers(40, 2000))
def test_a_fence_is_closed_exactly_once(code: str, most: int) -> None:
    made = fence(code, "cuda", most)
    assert made.count("```") == 2
    assert made.startswith("```cuda\n")
    assert made.endswith("\n```")
    assert len(made) <= 5 * len(code) + 40


@given(st.text(), st.text())
def test_a_link_is_one_link_or_none(title: str, url: str) -> None:
    made = link(title, f"https://example.org/{url}")
    assert made.count("](<") <= 1
    assert "\n" not in made


@given(st.text())
def test_a_quote_stays_in_its_quote(text: str) -> None:
    assert all(line.startswith("> ") for line in quoted(text).splitlines())


@given(st.text(), st.integers(10, 100))
def test_a_cut_is_never_longer_than_asked(text: str, most: int) -> None:
    assert len(cut(text, most)) <= most


def test_a_cut_closes_an_open_fence() -> None:
    assert cut("```cuda\n" + "x" * 100, 50).count("```") == 2


def test_marks_that_turn_the_direction_are_removed() -> None:
    assert one_line("a\u202eb\u2066c\x00d") == "abcd"


def test_a_script_address_is_no_link() -> None:
    assert link("x", "javascript:alert(1)") == "**x**"


@given(st.lists(st.text(min_size=1, max_size=3000), min_size=1, max_size=6))
def test_a_card_never_holds_more_text_than_discord_takes(texts: list[str]) -> None:
    made = card(*texts)
    assert made.view.content_length() <= TEXT_BUDGET + 100
    longest = "Only you see this: replies here are private. Public ones go to <#1234567890123456789> " * 2
    assert with_note(made, longest).view.content_length() <= 4000


@pytest.mark.parametrize("body", [b"\xef\xbb\xbfint i;", "int i;".encode("utf-16"), b"int i;\r\n"])
def test_sources_of_every_usual_encoding_are_read(body: bytes) -> None:
    assert decoded(body).strip() == "int i;"


@pytest.mark.parametrize("body", [b"", b"\x00\x01", b"\xff\xfe\x00\xd8", b"\x80abc", b"x" * 262145])
def test_what_is_no_source_is_refused(body: bytes) -> None:
    with pytest.raises(BadInput):
        decoded(body)


class Hand:
    """A clock that a test turns."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_a_member_is_told_when_the_next_is_free_and_a_refund_gives_back() -> None:
    hand = Hand()
    pace = RateLimit({"ask": Allowance(2, 3, 60)}, hand)
    pace.take("ask", "a", "g")
    pace.take("ask", "a", "g")
    with pytest.raises(TooMany) as refused:
        pace.take("ask", "a", "g")
    assert refused.value.retry_after.total_seconds() == 30
    pace.refund("ask", "a", "g")
    pace.take("ask", "a", "g")
    hand.now_s = 30
    pace.take("ask", "a", "g")


def test_a_server_is_limited_over_all_its_members() -> None:
    pace = RateLimit({"ask": Allowance(2, 3, 60)}, Hand())
    for member in "aab":
        pace.take("ask", member, "g")
    with pytest.raises(TooMany) as refused:
        pace.take("ask", "c", "g")
    assert "server" in str(refused.value)
    pace.take("ask", "c", "another")


def test_what_is_refused_does_not_count() -> None:
    pace = RateLimit({"ask": Allowance(1, 100, 60)}, Hand())
    pace.take("ask", "a", None)
    for _ in range(5):
        with pytest.raises(TooMany):
            pace.take("ask", "a", None)
    pace.refund("ask", "a", None)
    pace.take("ask", "a", None)
