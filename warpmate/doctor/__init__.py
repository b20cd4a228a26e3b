"""Looks at everything that an installation needs, one part after another, and says what to do about what is amiss.

`here.py` looks at this installation, its data and its database, `library.py` at models and index, `judging.py` at
sandbox, compiler, card and broker, `elsewhere.py` at Discord and the language model.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from warpmate.doctor import elsewhere, here, judging, library
from warpmate.doctor.diagnosis import Diagnosis
from warpmate.settings import Settings

__all__ = ["LOOKS", "Diagnosis", "diagnoses"]

_LOOKS_FOR_S = 60

Look = Callable[[Settings], Awaitable[Sequence[Diagnosis]]]

LOOKS: dict[str, Look] = {
    "warpmate": here.edition_of,
    "settings": here.settings_of,
    "data": here.data,
    "content": here.content,
    "database": here.database,
    "models": library.models,
    "index": library.index,
    "sandbox": judging.sandbox,
    "compiler": judging.compiler,
    "card": judging.card,
    "broker": judging.broker,
    "discord": elsewhere.discord,
    "language model": elsewhere.language_model,
}
"""To add a look: one function that returns its lines, one line here."""


async def diagnoses(settings: Settings) -> AsyncIterator[Diagnosis]:
    for part, look in LOOKS.items():
        try:
            async with asyncio.timeout(_LOOKS_FOR_S):
                found = await look(settings)
        except TimeoutError:
            found = [Diagnosis(part, "bad", f"it does not answer within {_LOOKS_FOR_S} s")]
        except Exception as error:  # noqa: BLE001  whatever it is, the other parts are looked at too
            found = [Diagnosis(part, "bad", _one_line(error))]
        for one in found:
            yield one


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
