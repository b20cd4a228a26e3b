"""What speaks for and against an answer."""

from __future__ import annotations

from knowledge.ask.certainty import Features, Scale
from tests.integration.knowledge.ask.pages import SmallLibrary


def features(library: SmallLibrary, question: str) -> Features:
    found = library.flow.asker.weigh(question).features
    assert found is not None
    return found


def test_a_name_that_the_page_lacks_counts_and_one_that_it_says_does_not(library: SmallLibrary) -> None:
    assert features(library, "What is a warp?").missing_name == 0
    assert features(library, "What is a COBOL warp?").missing_name > 0


def test_a_term_of_the_field_that_the_page_lacks_counts_and_a_general_word_does_not(library: SmallLibrary) -> None:
    assert features(library, "What is a warp with a semaphore?").missing_term > 0
    assert features(library, "What is a color warp?").missing_term == 0


def test_half_of_a_name_is_little_of_it(library: SmallLibrary) -> None:
    whole, half = features(library, "What is a shared memory?"), features(library, "What is a texture memory?")
    assert whole.missing_term == 0 < half.missing_term


def test_a_passage_that_answers_is_read_as_stronger_than_one_that_does_not(library: SmallLibrary) -> None:
    answered = features(library, "How do I avoid bank conflicts?")
    assert answered.read > features(library, "Which bank lends money for shared memory mortgages?").read


def test_two_borders_cut_the_log_odds_into_three_degrees() -> None:
    scale = Scale((1.0, -1.0, -1.0), 0.5, perhaps_from=-1.0, answered_from=1.0)
    assert scale.log_odds(Features(2.0, 0.5, 0.25)) == 1.75


def test_a_section_that_is_known_to_answer_the_question_is_quoted_whatever_the_reader_says() -> None:
    scale = Scale((1.0, -1.0, -1.0), 0.0, perhaps_from=-1.0, answered_from=1.0)
    asked = [scale.status(scale.log_odds(Features(-9.0, 1.0, 1.0, asked=cosine))) for cosine in (0.6, 0.75, 0.85)]
    assert asked == ["refused", "perhaps", "answered"]
    assert [scale.status(odds) for odds in (-1.01, -1.0, 0.99, 1.0)] == ["refused", "perhaps", "perhaps", "answered"]
