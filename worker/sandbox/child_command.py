"""How a fresh interpreter finds our code and its packages, and which folders that takes."""

from __future__ import annotations

import importlib.util
import json
import sys
import sysconfig
from dataclasses import asdict, dataclass
from pathlib import Path

from worker.sandbox.policy import Policy

SYSTEM_LIBRARIES = tuple(
    Path(name) for name in ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
)

_BOOT = "import sys; sys.path[1:1] = {paths!r}; from worker.sandbox.inside_child import main; main()"


@dataclass(frozen=True, slots=True)
class Order:
    """What the child is told on its command line, before anything hostile reaches it."""

    entry: str
    """Module with `warm()`, `REQUESTS` (a decoder) and `answer(request) -> reply`; for a card `warm` and `serve`."""
    descriptor: int
    parent: int | None
    """Its process id where the child has to watch it itself."""
    forks: bool = False
    """Whether it forks children instead of answering itself."""


def command(order: Order, policy: Policy) -> list[str]:
    """Isolated from the environment, the user's site folder and the working directory."""
    boot = _BOOT.format(paths=[str(_code())])
    return [sys.executable, "-I", "-B", "-c", boot, json.dumps(asdict(order)), policy_json(policy)]


def startup_paths() -> tuple[Path, ...]:
    """The interpreter, the standard library, installed packages and the folder of our own code."""
    interpreter = {Path(sys.prefix), Path(sys.base_prefix), Path(sysconfig.get_path("stdlib"))}
    ours = _code() / "worker"
    return tuple(sorted({*interpreter, *packages(), ours})) + SYSTEM_LIBRARIES


def packages() -> tuple[Path, ...]:
    """Folders where numpy, msgspec, the CUDA wheels and Triton, if it is there, are installed."""
    specs = [importlib.util.find_spec(name) for name in ("numpy", "msgspec", "cuda", "nvidia", "triton")]
    folders = [Path(place).parent for spec in specs if spec for place in spec.submodule_search_locations or []]
    return tuple(dict.fromkeys(folders))


def policy_json(policy: Policy) -> str:
    plain = {name: _plain(value) for name, value in asdict_shallow(policy).items()}
    return json.dumps(plain)


def policy_from_json(text: str) -> Policy:
    fields = json.loads(text)
    for name in ("readable", "startup", "devices", "writable"):
        fields[name] = tuple(Path(path) for path in fields[name])
    fields["scratch"] = Path(fields["scratch"]) if fields["scratch"] else None
    return Policy(**fields)


def asdict_shallow(policy: Policy) -> dict[str, object]:
    return {name: getattr(policy, name) for name in policy.__dataclass_fields__}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [str(item) for item in value]
    if isinstance(value, Path):
        return str(value)
    return dict(value) if hasattr(value, "keys") else value  # type: ignore[call-overload]  # a mapping of texts


def _code() -> Path:
    return Path(__file__).resolve().parents[2]
