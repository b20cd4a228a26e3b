"""What makes an answer doubtful."""

from __future__ import annotations

from knowledge.ask.doubt import Doubts
from tests.integration.knowledge.ask.pages import SmallLibrary


def doubts(library: SmallLibrary, question: str) -> Doubts:
    found = library.flow.asker.judge(question).doubts
    assert found is not None
    return found


def test_a_term_that_the_page_lacks_is_a_doubt_and_an_everyday_word_is_less_of_one(library: SmallLibrary) -> None:
    said = doubts(library, "What is a warp?")
    everyday = doubts(library, "What is a popular warp?")
    strange = doubts(library, "What is a bitcoin warp?")
    assert said.unsaid == 0 < everyday.unsaid < strange.unsaid


def test_a_name_that_the_page_lacks_counts_as_one(library: SmallLibrary) -> None:
    assert doubts(library, "What is a bitcoin warp?").missing_name == 0
    named = doubts(library, "What is a COBOL warp?")
    assert named.missing_name == named.unsaid > 0


def test_what_is_missing_counts_by_its_kind(library: SmallLibrary) -> None:
    term = doubts(library, "What is a warp with a semaphore?")
    word = doubts(library, "What is a color warp?")
    stranger = doubts(library, "What is a bitcoin warp?")
    assert term.missing_term == term.unsaid > term.missing_stranger == 0
    assert stranger.missing_stranger == stranger.unsaid > stranger.missing_term == stranger.missing_word == 0
    assert word.missing_word == word.unsaid > word.missing_stranger == word.missing_term == 0


def test_half_of_a_name_is_little_of_it(library: SmallLibrary) -> None:
    whole, half = doubts(library, "What is a shared memory?"), doubts(library, "What is a texture memory?")
    assert whole.unsaid == 0
    assert half.unsaid > half.told


def test_what_everything_is_a_little_like_stands_out_less(library: SmallLibrary) -> None:
    assert doubts(library, "How do I avoid bank conflicts?").lead > doubts(library, "How long do I boil an egg?").lead
