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
_TEXT, _LIST, _MAPPING = (f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))


class Strict(BaseModel):
    """A record of a content file: no unknown keys, not changed after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Record = TypeVar("Record", bound=BaseModel)


def parsed_yaml(text: str, file: str) -> Any:
    """The document in `text`; a key written twice in one mapping is a mistake, not a silent replacement."""
    try:
        loader = yaml.CSafeLoader(text)
        node = loader.get_single_node()
        return None if node is None else _built(loader, node, {})
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


def _built(loader: yaml.CSafeLoader, node: yaml.Node, made: dict[int, Any]) -> Any:
    """What a node stands for. PyYAML's own way, which allows for objects of any class, takes three times as long.

    `made` holds what an alias names again, so that it is not built twice.
    """
    if isinstance(node, yaml.ScalarNode):
        return node.value if node.tag == _TEXT else loader.construct_object(node)
    if id(node) in made:
        return made[id(node)]
    if isinstance(node, yaml.SequenceNode) and node.tag == _LIST:
        items = made[id(node)] = []
        items.extend(_built(loader, item, made) for item in node.value)
        return items
    if not isinstance(node, yaml.MappingNode) or node.tag != _MAPPING:
        raise yaml.constructor.ConstructorError(None, None, f"{node.tag} has no place here", node.start_mark)
    fields: dict[Hashable, Any] = {}
    made[id(node)] = fields
    for key_node, value in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise yaml.constructor.ConstructorError(None, None, "a key must be one word", key_node.start_mark)
        key = _built(loader, key_node, made)
        if key in fields:
            raise yaml.constructor.ConstructorError(None, None, f"key {key_node.value!r} twice", key_node.start_mark)
        fields[key] = _built(loader, value, made)
    return fields


def _one_line(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f"line {mark.line + 1}: " if mark else ""
    return where + str(getattr(error, "problem", None) or error).replace("\n", " ")


def _path(at: str, loc: tuple[int | str, ...]) -> str:
    path = at
    for step in loc:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
    return path.lstrip(".") or "document"
