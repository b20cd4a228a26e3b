"""Every error that the core raises on purpose.

    WarpmateError
    ├── SafeError               one line for whoever asked; may be shown as it stands
    │   ├── BadInput            what was handed in cannot be used; says what to change
    │   ├── NotFound            the named thing does not exist, or not for this member
    │   ├── NotAllowed          the member may not do this
    │   ├── TooMany             a limit was reached; says when to try again
    │   ├── BadContent          a file under content/ is wrong; names file and key
    │   └── SetupError          the installation cannot work like this; says what to do
    │       ├── BadSetting      a WARPMATE_… variable is unknown or malformed
    │       ├── DataDirError    the data directory cannot be used
    │       ├── StoreError      the database cannot be used
    │       │   └── StoreNewer  it was written by a newer version
    │       └── IndexUnusable   the index is missing, damaged or made for other settings
    └── (anything else is a defect: logged with an id, and only the id is shown)

A `SafeError` carries its sentence in both languages where a member may meet it in a conversation; what only
an operator meets on the command line is English.
"""

from __future__ import annotations

from datetime import timedelta


class WarpmateError(Exception):
    """Base of everything raised on purpose."""


class SafeError(WarpmateError):
    """Safe to show: one sentence that says what was wrong and what to do."""

    def __init__(self, en: str, zh: str | None = None) -> None:
        super().__init__(en)
        self.en = en
        self.zh = zh or en

    def text(self, lang: str) -> str:
        return self.zh if lang == "zh" else self.en


class BadInput(SafeError):
    """What was handed in cannot be used."""


class NotFound(SafeError):
    """The named thing does not exist, or not for this member."""


class NotAllowed(SafeError):
    """The member may not do this."""


class TooMany(SafeError):
    """A limit was reached."""

    def __init__(self, en: str, zh: str | None = None, *, retry_after: timedelta) -> None:
        super().__init__(en, zh)
        self.retry_after = retry_after


class BadContent(SafeError):
    """A file under content/ is wrong."""


class SetupError(SafeError):
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
