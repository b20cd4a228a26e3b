"""Files that an operator adds one by one: copies in a folder of ours, which is read as the group's notes are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from indexer.extract import Unreadable, extract
from indexer.fetch.kinds import kind_by_suffix
from indexer.group_notes import LARGEST_BYTES, READ_KINDS
from indexer.mirror import Failure
from knowledge.errors import OperatorError, SafeError

FOLDER = "added"


def keep_files(files: Sequence[Path], folder: Path) -> list[Failure]:
    """Copy what can be read into the folder, each in place of its own copy; return the others with reasons.

    Files of one name from two folders are two pages: a copy lies in a folder that stands for where it is from.
    """
    failures = []
    for file in files:
        try:
            content = _readable(file)
        except SafeError as error:
            failures.append(Failure(str(file), "", str(error)))
            continue
        (folder / file.name).unlink(missing_ok=True)  # as copies lay before they had folders
        place = folder / _where_from(file)
        place.mkdir(parents=True, exist_ok=True)
        (place / file.name).write_bytes(content)
    return failures


def _where_from(file: Path) -> str:
    return hashlib.blake2b(str(file.absolute().parent.resolve()).encode(), digest_size=4).hexdigest()


def _readable(file: Path) -> bytes:
    """Return the bytes of a file in which there is text; SafeError says in one clause why it is not taken."""
    kind = kind_by_suffix(file.name)
    if file.name.startswith("."):
        raise OperatorError("its name begins with a dot, and hidden files are not read")
    if file.is_dir():
        raise OperatorError("it is a folder; WARPMATE_NOTES names folders of notes")
    if kind not in READ_KINDS:
        raise OperatorError(f"files such as this are not read; {', '.join(sorted(READ_KINDS))} are")
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise OperatorError(f"it is larger than {LARGEST_BYTES >> 20} MB")
        content = file.read_bytes()
    except OSError as error:
        raise OperatorError(f"it cannot be read: {error.strerror}") from None
    if not extract(content, kind).text.strip():
        raise Unreadable("no text was found in it")
    return content
