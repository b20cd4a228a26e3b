"""Every error that the core raises on purpose.

    WarpmateError
    ├── SafeError               one line for whoever asked; may be shown as it stands
    │   ├── BadInput            what was handed in cannot be used; says what to change
    │   ├── NotFound            the named thing does not exist, or not for this member
    │   ├── NotAllowed          the member may not do this
    │   ├── TooMany             a limit was reached; says when to try again
    │   ├── NotReady            what it needs is being made; says when to come back
    │   └── OperatorError       for whoever runs the installation, in English
    │       ├── BadContent      a file under content/ is wrong; names file and key
    │       └── SetupError      the installation cannot work like this; says what to do
    │           ├── BadSetting      a WARPMATE_… variable is unknown or malformed
    │           ├── DataDirError    the data directory cannot be used
    │           ├── StoreError      the database cannot be used
    │           │   └── StoreNewer  it was written by a newer version
    │           └── IndexUnusable   the index is missing, damaged or made for other settings
    └── (anything else is a defect: logged with an id, and only the id is shown)

An error carries the id of its sentence and what fills the blanks; the words stand in `knowledge/words`. Only an
`OperatorError` carries its text, in English.
"""

from __future__ import annotations

import math
from datetime import timedelta

from knowledge.words import ENGLISH, Message, core_languages


class WarpmateError(Exception):
    """Base of everything raised on purpose."""

    def __init__(self, sentence: str, /, **fields: object) -> None:
        super().__init__(sentence)
        self.message = Message(sentence, **fields)

    def text(self, lang: str) -> str:
        # A sentence that was written where an id belongs is told all the same; the tests find it.
        return self.message.text(lang) if self.message.id in core_languages()[lang].sentences else self.message.id

    def __str__(self) -> str:
        return self.text(ENGLISH)


class SafeError(WarpmateError):
    """Safe to show: one sentence that says what was wrong and what to do."""


class OperatorError(SafeError):
    """An error told to whoever runs the installation: its sentence is given as it is, in English."""

    def text(self, lang: str) -> str:
        return self.message.id


class BadInput(SafeError):
    """What was handed in cannot be used."""


class NotFound(SafeError):
    """The named thing does not exist, or not for this member."""


class NotAllowed(SafeError):
    """The member may not do this."""


class TooMany(SafeError):
    """A limit was reached."""

    def __init__(self, sentence: str, /, *, retry_after: timedelta, **fields: object) -> None:
        super().__init__(sentence, **fields)
        self.retry_after = retry_after

    @classmethod
    def wait(cls, sentence: str, wait_s: float) -> TooMany:
        """Return the error that says in how many whole seconds the next one may pass."""
        seconds = max(1, math.ceil(wait_s))
        return cls(sentence, seconds=seconds, retry_after=timedelta(seconds=seconds))


class NotReady(SafeError):
    """What it needs is being made."""


class BadContent(OperatorError):
    """A file under content/ is wrong."""


class SetupError(OperatorError):
    """The installation cannot work like this."""


class BadSetting(SetupError):
    """A setting is unknown or malformed."""


class DataDirError(SetupError):
    """The data directory cannot be used."""


class StoreError(SetupError):
    """The database cannot be used."""


class StoreNewer(StoreError):
    """The database was written by a newer version."""


class IndexUnusable(SetupError):
    """The index is missing, damaged or made for other settings."""
