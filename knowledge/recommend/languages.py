"""In which language readings are to be: one that the member does not read, and one that is welcome too."""

from __future__ import annotations

import re

_ENGLISH = r"(?:英文|英语)(?:的|文档|资料|视频|课|文章|水平)?"
_CANNOT = r"(?:不(?:太|怎么|大|是很)?(?:懂|行|好(?!找)|会|了|进)|吃力|头疼|很差|差|渣|烂|一般|太?累|费劲|苦手)"
_IN_WHICH_WAY = r"\s*(?:真的|实在|看着|听着|读着|比较|有点|也|都|我)*(?:看|听|读)?"
_GOOD_OR_NOT = r"(?:poor|weak|bad|terrible|good|great|rusty|shaky|limited|strong)"
_READS_NO_ENGLISH = re.compile(
    rf"""(?:看|听|读)?不(?:太|怎么|大)?(?:懂|会|看|想看){_ENGLISH}
      | (?:看|听|读)?{_ENGLISH}{_IN_WHICH_WAY}{_CANNOT}
      | \benglish\s+(?:is|isn'?t|is\s+not)\s+(?:[a-z]+\s+){{0,2}}?{_GOOD_OR_NOT}\b
      | \b(?:bad|poor|weak)\s+(?:at\s+)?english\b
      | \b(?:can'?t|cannot|doesn'?t|does\s+not|don'?t)\s+(?:really\s+)?(?:read|speak|understand)\s+english\b
      | \b(?:reads?|prefers?|understands?)\s+chinese(?:\s+(?:much\s+|far\s+)?better(?:\s+than\s+english)?|\s+only)?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_GOOD_ENGLISH = re.compile(r"\benglish\s+is\s+(?:[a-z]+\s+){0,2}?(?:good|great|strong)\b", re.IGNORECASE)
_EITHER = r"(?:english\s+or\s+chinese|chinese\s+or\s+english|either\s+language|any\s+language)"
_ANY_LANGUAGE = re.compile(
    rf"""(?:可以|也可以|能接受|不介意)(?:是|用|看)?{_ENGLISH}
      | {_ENGLISH}(?:也)?(?:没问题|没关系|可以|能看|行(?!业)|无所谓|ok|不限|都行|都可以)
      | 中英文?(?:都|均|皆|也|不限|混)(?:行|可以|可|没问题|要)?(?:的)? | (?:中文|英文)优先 | 优先(?:中文|英文)
      | \b{_EITHER}(?:\s+(?:is\s+|are\s+)?(?:both\s+)?(?:fine|ok|okay|good))?
      | \b(?:in\s+)?(?:english|chinese)\s+(?:is|works)\s+(?:also\s+)?(?:fine|ok|okay|too)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def language_in(text: str) -> tuple[str | None, str]:
    """The one language in which readings are to be, and the text without what says so."""
    without = _ANY_LANGUAGE.sub(" ", text)
    found = _READS_NO_ENGLISH.search(without)
    if found is None:
        return None, without
    rest = f"{without[: found.start()]} {without[found.end() :]}"
    return (None if _GOOD_ENGLISH.fullmatch(found[0].strip()) else "zh"), rest
