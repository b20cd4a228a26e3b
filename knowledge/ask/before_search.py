"""What is asked first: messages that need no search, definitions before excerpts, and what to do after an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from knowledge.ask.answer import Answer, NextSteps
from knowledge.ask.definition_answer import Beginning, comparing, of_note, of_term, opening
from knowledge.ask.in_parts import Part, told_apart
from knowledge.ask.intents import ELSEWHERE, SMALL_TALK, UNKNOWABLE, Asked, Intents, Wish
from knowledge.ask.learned_intents import LearnedIntents
from knowledge.ask.next_steps import HEARD, AfterAnAnswer
from knowledge.ask.spelling import Knows, Spelling
from knowledge.ask.topic_notes import TopicNotes
from knowledge.content import Content, Definition
from knowledge.content.topics import plain_name
from knowledge.definitions import terms_compared
from knowledge.figures import correct_figures, weights_worked
from knowledge.readings import Reading
from knowledge.recommend import Recommender
from knowledge.search.question import Question
from knowledge.search.searcher import Findings, Searcher
from knowledge.store.scope import Scope
from knowledge.words import Message, core_languages

_WITH_EXAMPLES = frozenset({"greeting", "abilities"})
_EXAMPLES = ("ask.example_1", "ask.example_2", "ask.example_3")
_CLAUSE = re.compile(
    r"[,，;；?？。]\s*|\s+(?:and|but|or)\s+(?=(?:how|why|what|when|which|where|who|do|does|is|are|can|should)\b)",
    re.IGNORECASE,
)
"""Where a second question may begin."""


class BeforeSearch:
    """The content and the recommender, as far as an answer needs them."""

    def __init__(self, content: Content, recommender: Recommender, learned: LearnedIntents | None = None) -> None:
        """Without `learned`, messages are told apart by the words of the word files alone."""
        self._content = content
        self._intents = Intents(content)
        self._learned = learned
        self._spelling = Spelling(content)
        self._notes = TopicNotes(content)
        self._after = AfterAnAnswer(content, recommender)

    def spelled(self, message: str, known: Knows) -> str:
        """The message without typos. What is understood as it stands is left alone, an error message most of all."""
        meant = self._spelling.mended(message, known)
        return meant if meant != message and self._intents.of(message).intent == "question" else message

    def asked(self, message: str, earlier: str | None = None) -> Asked:
        """What the message asks for; after a question of figures, the name of another card is one too."""
        asked = self._intents.of(message)
        if asked.intent == "question" and earlier:
            together = self._intents.of(f"{earlier} {message}")
            if together.intent == "figures":
                return together
        return self._learnt(asked, message, goes_on=earlier is not None)

    def _learnt(self, asked: Asked, message: str, *, goes_on: bool) -> Asked:
        """By likeness, where no list has the words; of what lists took for talk or about us, which of these it is."""
        if self._learned is None:
            return asked
        if asked.intent == "question":
            return Asked(self._learned.talk(message) if goes_on else self._learned.of(message))
        return Asked(self._learned.within(asked.intent, message)) if asked.intent in SMALL_TALK else asked

    def defined_first(self, message: str) -> Asked | None:
        """What the first clause asks to define, where another one follows: `what is a warp, and why 32 threads`."""
        clause = _CLAUSE.search(message)
        if clause is None or not message[clause.end() :].strip():
            return None
        first = message[: clause.start()].strip()
        asked = self._intents.of(first)
        names = (*asked.definition.term.en, *asked.definition.term.zh) if asked.definition else ()
        named_only = plain_name(first) in {plain_name(name) for name in names}
        return asked if names and not named_only else None

    def parts(self, message: str, read: Callable[[str], Question]) -> tuple[Part, ...]:
        """The two questions that a message asks; told by the lists alone, which take no part for talk."""

        def compared(text: str) -> tuple[Definition, ...]:
            return terms_compared(text, self._content.definitions) or ()

        return told_apart(message, self._intents.of, compared, read)

    def beginnings(self, part: Part, lang: str, findings: Findings) -> tuple[Beginning, ...]:
        """The definitions that a part asks for."""
        if part.compared:
            return tuple(of_term(term, lang) for term in part.compared)
        return (self.beginning(part.asked, lang, findings),) if part.asked.intent == "definition" else ()

    def at_once(self, asked: Asked, answer: Answer) -> Answer | None:
        """The answer where no page is needed for it; None where one is."""
        if asked.intent == "figures":
            return replace(answer, intent="figures", figures=asked.figures)
        if asked.intent in {*UNKNOWABLE, *ELSEWHERE}:
            return replace(answer, status="refused", said=Message(f"said.{asked.intent}"))
        if asked.intent in SMALL_TALK:
            language = core_languages()[answer.lang]
            examples = tuple(language(each) for each in _EXAMPLES) if asked.intent in _WITH_EXAMPLES else ()
            return replace(answer, said=Message(f"said.{asked.intent}"), next=NextSteps(questions=examples))
        return None

    def corrected(self, message: str, answer: Answer) -> Answer:
        """With figures first: of a card, where another number is taken for granted, or of a model's weights."""
        figures = correct_figures(message) or weights_worked(message)
        if figures is None:
            return answer
        kept = answer if answer.status == "answered" else replace(answer, excerpts=(), citations=())
        return replace(kept, status="answered", figures=figures)

    def compared(self, message: str, answer: Answer) -> Answer:
        """The answer with both definitions first, where the message asks for the difference of two terms."""
        terms = terms_compared(message, self._content.definitions)
        return comparing(terms, answer) if terms else answer

    def beginning(self, asked: Asked, lang: str, findings: Findings) -> Beginning:
        """The definition that the message asks for."""
        if asked.definition:
            return of_term(asked.definition, lang)
        note = self._notes.note(asked.note, lang)
        return of_note(note, [hit.passage for hit in (*findings.home, *findings.hits)])

    def said_again(self, asked: Asked, lang: str) -> str:
        """The first sentences of the note that explains the term: they define it once more."""
        slug = asked.definition.note if asked.definition else None
        return opening(self._notes.note(slug, lang)) if slug else ""

    async def to_read(
        self, asked: Asked, answer: Answer, scope: Scope, member: str | None, near: Sequence[Reading] = ()
    ) -> Answer:
        """Readings for a wish, in the order to read them; of the kind that was named also one of those `near` it."""
        if asked.wish is None:
            return answer
        topic = self._content.topics[asked.wish.topic].title.text(answer.lang)
        wished = await self._after.wished_in_words(answer.asked, answer.lang, scope, member)
        if wished is not None:
            heard = next(remark for remark in reversed(wished.remarks) if remark.id in HEARD)
            said = Message("said.readings_heard", heard=heard)
            return replace(answer, intent="material", said=said, readings=wished.items)
        readings = await self._after.readings_for(asked.wish, answer.lang, scope, member)
        said = Message("said.readings" if readings else "said.no_readings", topic=topic)
        if readings and asked.wish.kinds and not asked.wish.kinds & {reading.kind for reading in readings}:
            readings = (*_of_kind(near, asked.wish), *readings)
        if readings and asked.wish.kinds and not asked.wish.kinds & {reading.kind for reading in readings}:
            kinds = tuple(Message(f"kind.{kind}") for kind in sorted(asked.wish.kinds))
            said = Message("said.other_kinds", kinds=kinds, topic=topic)
        status = answer.status if readings else "refused"
        return replace(answer, intent="material", status=status, said=said, readings=readings)

    async def steps(
        self, answer: Answer, findings: Findings | None, searcher: Searcher, scope: Scope, member: str | None
    ) -> NextSteps:
        return answer.next or await self._after.steps(answer, findings, searcher, scope, member)


def _of_kind(readings: Sequence[Reading], wish: Wish) -> tuple[Reading, ...]:
    return tuple(one for one in readings if one.kind in wish.kinds and wish.level in {None, one.level})
