"""What an operator can set for a worker, read once from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from worker.errors import SettingsError
from worker.protocol import Backend


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    judge_backend: Backend = Backend.AUTO
    """What `auto` jobs run on: auto takes the GPU where there is one, else the emulator."""
    programs: bool = False
    """Whether whole programs (with `main`) may run here; they are compiled and explained in any case."""
    redis_url: str | None = None
    """Of a worker that is trusted with the broker: on the server's own host or network."""
    content_dir: Path = Path("content")
    data_dir: Path = Path("data")
    card: str = ""
    """What jobs call the card of this host; else the name that its driver tells."""
    gateway_url: str = ""
    """Of a worker on another host: the server's gateway instead of the broker."""
    key_file: Path | None = None
    """With it, what `warpmate worker enroll` wrote for this worker."""
    gateway_ca: Path | None = None
    """A certificate authority of the operator's own, that the gateway's certificate is from."""
    drain_s: float = 5.0
    """How long a job in hand may go on after SIGTERM: as long as a lease."""

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> WorkerConfig:
        """The settings, or SettingsError naming the variable."""
        return cls(
            judge_backend=_backend(environ.get("WARPMATE_JUDGE_BACKEND", "auto")),
            programs=_switch("WARPMATE_PROGRAMS", environ.get("WARPMATE_PROGRAMS", "0")),
            redis_url=environ.get("WARPMATE_REDIS_URL") or None,
            content_dir=Path(environ.get("WARPMATE_CONTENT_DIR") or _content_beside_the_code()),
            data_dir=Path(environ.get("WARPMATE_DATA_DIR") or "data"),
            card=environ.get("WARPMATE_CARD", ""),
            gateway_url=environ.get("WARPMATE_GATEWAY_URL", ""),
            key_file=_path(environ.get("WARPMATE_WORKER_KEY")),
            gateway_ca=_path(environ.get("WARPMATE_GATEWAY_CA")),
        )

    @property
    def cache_dir(self) -> Path:
        return self.data_dir / "compiled"


def _backend(text: str) -> Backend:
    if text not in {member.value for member in Backend}:
        raise SettingsError(
            f"WARPMATE_JUDGE_BACKEND={text}: expected {', '.join(member.value for member in Backend)}"
        )
    return Backend(text)


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None


def _switch(name: str, text: str) -> bool:
    if text.lower() in {"1", "true", "yes", "on"}:
        return True
    if text.lower() in {"0", "false", "no", "off", ""}:
        return False
    raise SettingsError(f"{name}={text}: expected 1 or 0")


def _content_beside_the_code() -> Path:
    return Path(__file__).parents[1] / "content"
