"""Terms as members meet them: the one that a question is about, the one that they name, those that they may mean."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any

from knowledge.content import Definition, Definitions, Words
from knowledge.content.topics import plain_name
from knowledge.errors import NotFound
from knowledge.text.fold import fold

LONGEST_ASKED = 160
"""Characters of a question that is about one term and nothing else."""
_ASKED = re.compile(
    r"""(?:(?:can|could|would)\s+(?:you|someone|anyone)\s+(?:please\s+)?|please\s+)?
    (?:
        what\s+do(?:es)?\s+(?:you\s+mean\s+by\s+(?P<by>.+)|(?P<does>.+?)\s+(?:mean|stand\s+for))
      | (?:tell\s+me\s+|explain\s+(?:to\s+me\s+)?)?
            (?:what|who)(?:\s+exactly|\s+actually)?(?:'s|\s+(?:is|are|was|were))\s+
            (?:exactly\s+|actually\s+)?(?:meant\s+by\s+|the\s+(?:meaning|definition)\s+of\s+)?(?P<is>.+)
      | (?:tell\s+me\s+|explain\s+(?:to\s+me\s+)?)?what\s+(?P<that>.+?)\s+(?:is|are|means?|stands?\s+for)
      | (?:explain|define)\s+(?P<explain>.+)
      | (?:the\s+)?(?:meaning|definition)\s+of\s+(?P<of>.+)
      | (?P<defined>.+?)\s+(?:definition|meaning)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_WHAT_ZH = "(?:啥|什么)"
_MEANING_ZH = "的(?:含义|定义|意思|全称)"
_ASKED_ZH = tuple(
    re.compile(rf"(?:请问|请)?\s*{shape}", re.VERBOSE)
    for shape in (
        rf"""(?P<before>.+?)\s*(?:
            (?:到底|究竟)?(?:是|指|指的是|代表|表示)\s*(?:个|一种)?\s*{_WHAT_ZH}(?:东西|意思|概念|的缩写)?
          | (?:是|有)?{_WHAT_ZH}意思
          | {_MEANING_ZH}(?:是{_WHAT_ZH})?)""",
        rf"""(?:(?:解释|说明|定义)(?:一下)?|(?:{_WHAT_ZH}|何)(?:是|叫做?)|何谓)\s*
            (?P<after>.+?)(?:{_MEANING_ZH})?""",
    )
)
_COMPARED = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        r"(?P<one>.+?)\s+(?:vs\.?|versus)\s+(?P<other>.+)",
        (
            r"(?:(?:tell|explain)\s+(?:me\s+)?|what(?:'s|\s+is|\s+are)\s+)?(?:the\s+)?differences?\s+between\s+"
            r"(?P<one>.+?)\s+and\s+(?P<other>.+)"
        ),
        r"how\s+(?:is|are|do|does)\s+(?P<one>.+?)\s+(?:differ|different)\s+from\s+(?P<other>.+)",
        (
            r"(?P<one>.+?)\s*(?:和|与|跟|同)\s*(?P<other>.+?)\s*(?:之间|到底|究竟|的|有|是|啥|什么|何)*(?:区别|不同|差别|差异)"
            r"(?:是什么|在哪里?|在哪儿|到底在哪|有哪些)?"
        ),
    )
)
_EDGE = r"\s\"'`“”‘’「」《》*,，。.:：!！?？~～"
_AROUND = re.compile(rf"^[{_EDGE}]+|(?:(?<=[\u4e00-\u9fff])[呢呀啊])?[{_EDGE}]*$")
_FIELD = r"(?:CUDA|GPUs?|GPU\s+programming|deep\s+learning|GPU\s*编程|CUDA\s*编程|深度学习)"
_IN_THE_FIELD = re.compile(
    rf"(?:^in\s+{_FIELD}\s*,\s*|^(?:在\s*)?{_FIELD}\s*(?:里面?|中|上)的?\s*|\s+(?:in|on)\s+(?:an?\s+|the\s+)?{_FIELD}$)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:an?|the|一个|一种)\s+", re.IGNORECASE)
_TWICE = re.compile(r"(?P<name>[^()]+?)\s*\((?P<again>[^()]+)\)")


def definition_of(text: str, definitions: Definitions) -> Definition | None:
    """The definition of the one term that the whole question is about: `what is a warp`, `线程束是什么`, `warp`.

    None for a question that says anything more, such as one for a difference, a reason or a way to do it.
    """
    asked = fold(text).strip()
    if len(asked) > LONGEST_ASKED:
        return None
    return next((found for name in names_asked(asked) if (found := _named(definitions, name))), None)


def terms_compared(text: str, definitions: Definitions) -> tuple[Definition, Definition] | None:
    """The two terms whose difference the whole question is about: `process vs thread`, `HBM 和 GDDR 有什么区别`."""
    asked = fold(text).strip().rstrip("?!.。").strip()
    for shape in _COMPARED if len(asked) <= LONGEST_ASKED else ():
        if found := shape.fullmatch(asked):
            one, other = (definition_of(found[name], definitions) for name in ("one", "other"))
            if one and other and one is not other:
                return one, other
    return None


def as_json(definition: Definition, lang: str) -> dict[str, Any]:
    return {
        "slug": definition.slug,
        "term": definition.title(lang),
        "names": {"en": list(definition.term.en), "zh": list(definition.term.zh)},
        "definition": definition.text.text(lang),
        "area": definition.term.area,
        "source": {"what": definition.source.what, "url": definition.source.url},
        "note": f"note:{definition.note}" if definition.note else None,
    }


def other_names(definition: Definition, lang: str) -> tuple[str, ...]:
    """Every name but the title, those in the reader's language first."""
    return (*definition.names(lang)[1:], *definition.names("en" if lang == "zh" else "zh"))


def term_named(definitions: Definitions, name: str) -> Definition:
    """The definition of what a member typed; NotFound offers the nearest terms."""
    if found := definition_of(name, definitions):
        return found
    near = tuple(Words(en=term.title("en"), zh=term.title("zh")) for term in nearest(definitions, name))
    raise NotFound("error.term.unknown" if near else "error.term.none_near", name=name, nearest=near)


def nearest(definitions: Definitions, name: str) -> tuple[Definition, ...]:
    """Up to four terms with a name like this one."""
    holding = terms_with(definitions, name)[:4]
    if holding:
        return holding
    plain = {known: term for term, names in definitions.plain_names for known in names}
    close = difflib.get_close_matches(plain_name(fold(name)), plain, n=4, cutoff=0.6)
    return tuple(dict.fromkeys(plain[known] for known in close))


def terms_with(definitions: Definitions, typed: str) -> tuple[Definition, ...]:
    """Terms of which a name begins with what was typed, then those that hold it somewhere; all where nothing was."""
    wanted = plain_name(fold(typed))
    begins, holds = [], []
    for term, known in definitions.plain_names:
        if any(name.startswith(wanted) for name in known):
            begins.append(term)
        elif any(wanted in name for name in known):
            holds.append(term)
    return (*begins, *holds)


def names_asked(question: str) -> Iterator[str]:
    """What the question may be about, the whole of it first: a term may itself look like a question."""
    asked = _trimmed(question)
    yield asked
    for shape in (_ASKED, *_ASKED_ZH):
        for said in (asked, _IN_THE_FIELD.sub("", asked)):
            if match := shape.fullmatch(said):
                name = _trimmed(next(part for part in match.groups() if part))
                yield name
                yield _IN_THE_FIELD.sub("", name)


def _named(definitions: Definitions, name: str) -> Definition | None:
    """Look up a name with or without its article; one that is said again in brackets has to mean the same twice."""
    bare = _trimmed(_ARTICLE.sub("", name))
    for one in (bare, name):
        if found := definitions.named(one):
            return found
    if twice := _TWICE.fullmatch(bare):
        first, second = definitions.named(twice["name"]), definitions.named(twice["again"])
        return first if first is second else None
    return None


def _trimmed(text: str) -> str:
    return _AROUND.sub("", text).strip()
