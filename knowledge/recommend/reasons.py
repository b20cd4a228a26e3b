"""Why this one: a sentence made of facts, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.readings import Reading
from knowledge.recommend.choose import Candidate
from knowledge.recommend.history import History
from knowledge.recommend.shelf import Item, Shelf

_LANGUAGES = {"en": {"en": "in English", "zh": "英文"}, "zh": {"en": "in Chinese", "zh": "中文"}}


def reading_of(item: Item, lang: str, why: str) -> Reading:
    return Reading(
        resource_id=item.id,
        title=item.title(lang),
        url=item.url,
        lang=item.lang_for(lang),
        level=item.level,
        minutes=item.minutes,
        kind=item.kind,
        topics=item.topics,
        why=why,
        link_state=item.link_state,
        stretch=item.stretch,
    )


def why(shelf: Shelf, candidate: Candidate, later: Sequence[Item], history: History, lang: str) -> str:
    """What it does for the topic, what needs it, what the member brings, and what to know before opening it."""
    parts = [
        _opening(shelf, candidate, lang),
        _needed_by(shelf, candidate.item, later, lang),
        _brought_along(shelf, candidate.item, history, lang),
        _caution(candidate, lang),
    ]
    return _sentence([part for part in parts if part], lang)


def _opening(shelf: Shelf, candidate: Candidate, lang: str) -> str:
    item = candidate.item
    title = shelf.topics[item.subject].title
    topic = title.en if lang == "en" else f"“{title.zh}”"
    if candidate.because_of is not None:
        hard = candidate.because_of.title(lang)
        return (
            f"leads up to “{hard}”, which you found too hard" if lang == "en" else f"为你觉得太难的《{hard}》打基础"
        )
    if item.stretch:
        return f"a stretch task on {topic}" if lang == "en" else f"{topic}的拓展任务（有余力再做）"
    if item.kind == "problem":
        return f"practises {topic}" if lang == "en" else f"动手练习{topic}"
    verbs = {
        "beginner": (f"introduces {topic}", f"介绍{topic}"),
        "intermediate": (f"goes further into {topic}", f"进一步讲解{topic}"),
        "advanced": (f"goes deep into {topic}", f"深入讨论{topic}"),
    }
    en, zh = verbs[item.level]
    return en if lang == "en" else zh


def _needed_by(shelf: Shelf, item: Item, later: Sequence[Item], lang: str) -> str:
    """The first topic later in the same list that rests on this item's."""
    for other in later:
        if item.subject in shelf.ancestors.get(other.subject, frozenset()):
            topic = shelf.topics[other.subject].title.text(lang)
            return f"needed for {topic}" if lang == "en" else f"是学习“{topic}”的基础"
    return ""


def _brought_along(shelf: Shelf, item: Item, history: History, lang: str) -> str:
    """The last thing that the member finished and that this one rests on."""
    for done_id, _event in reversed(history.evidence):
        done = shelf.by_id.get(done_id)
        if done is not None and done_id in history.done and shelf.rests_on(item, done):
            verb_en, verb_zh = ("solved", "做过") if done.kind == "problem" else ("read", "读过")
            title = done.title(lang)
            return f"you have {verb_en} “{title}”" if lang == "en" else f"你已{verb_zh}《{title}》"
    return ""


def _caution(candidate: Candidate, lang: str) -> str:
    item = candidate.item
    notes = []
    if candidate.below and candidate.because_of is None:
        notes.append("one level below what you asked for" if lang == "en" else "比所选级别低一级")
    if lang not in item.langs:
        notes.append(_LANGUAGES[item.langs[0]][lang])
    if item.link_state == "unreachable":
        notes.append("the page did not answer lately" if lang == "en" else "该页面最近无法访问")
    return (", " if lang == "en" else "，").join(notes)


def _sentence(parts: list[str], lang: str) -> str:
    return ("；" if lang == "zh" else "; ").join(parts)
