"""Reading one content file: a mistake becomes a line that names the file and the key."""

from __future__ import annotations

import tomllib
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from knowledge.errors import BadContent

LONGEST_FILE_BYTES = 4 * 1024 * 1024


class Strict(BaseModel):
    """A record of a content file: no unknown keys, not changed after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Record = TypeVar("Record", bound=BaseModel)


def parsed_yaml(text: str, file: str) -> Any:
    """The document in `text`; a key written twice in one mapping is a mistake, not a silent replacement."""
    try:
        return yaml.load(text, Loader=_NoDoubleKeys)  # noqa: S506 - a SafeLoader that also refuses double keys
    except yaml.YAMLError as error:
        raise BadContent(f"{file}: {_one_line(error)}") from error


def parsed_toml(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadContent(f"{file}: {error}") from error


def file_text(path: Path, root: Path) -> tuple[str, str]:
    """The file's text and its name as a member knows it."""
    name = path.relative_to(root).as_posix()
    try:
        if path.stat().st_size > LONGEST_FILE_BYTES:
            raise BadContent(f"{name}: larger than {LONGEST_FILE_BYTES >> 20} MiB; split it")
        return path.read_text(encoding="utf-8"), name
    except OSError as error:
        raise BadContent(f"{name}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadContent(f"{name}: not UTF-8 at byte {error.start}") from error


def record(model: type[Record], data: Any, file: str, at: str = "") -> Record:
    """Return `data` as a checked record; every mistake in it is named, one per line."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        lines = [f"{file}: {_path(at, problem['loc'])}: {problem['msg']}" for problem in error.errors()]
        raise BadContent("\n".join(lines)) from error


def listed(data: Any, key: str, file: str) -> list[Any]:
    """The list that the file holds under its one key."""
    if not isinstance(data, Mapping) or list(data) != [key] or not isinstance(data[key], list):
        raise BadContent(f"{file}: must hold one list named {key!r}")
    return list(data[key])


def refuse(file: str, mistakes: Iterable[str]) -> None:
    """Raise one error that holds every mistake, or none."""
    if lines := [f"{file}: {mistake}" for mistake in mistakes]:
        raise BadContent("\n".join(lines))


class _NoDoubleKeys(yaml.CSafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"key {key.value!r} twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def _one_line(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f"line {mark.line + 1}: " if mark else ""
    return where + str(getattr(error, "problem", None) or error).replace("\n", " ")


def _path(at: str, loc: tuple[int | str, ...]) -> str:
    path = at
    for step in loc:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
    return path.lstrip(".") or "document"
