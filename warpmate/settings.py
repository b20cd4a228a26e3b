"""The settings as one typed object, read once from the environment and `.env`; a mistake names its variable."""

from __future__ import annotations

import difflib
import ipaddress
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import platformdirs
from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from knowledge.errors import BadSetting
from warpmate.edition import checkout

PREFIX = "WARPMATE_"
_BESIDE_THE_CODE = Path(__file__).resolve().parents[1]


def default_data_dir() -> Path:
    """Return `data` for a checkout; for an installed warpmate a folder that is the same wherever it is started."""
    return Path("data") if checkout() else platformdirs.user_data_path("warpmate", appauthor=False)


class Settings(BaseSettings):
    """The operator's settings. The description of each field is its line in `.env.example`."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take settings from what `read_settings` hands over only, and not from the environment of the process."""
        return (init_settings,)

    data_dir: Annotated[
        Path,
        Field(
            default_factory=default_data_dir,
            description="Where database, index and caches live; in a checkout data, else the platform's data folder.",
        ),
    ]
    index_dir: Annotated[
        Path | None, Field(description="A folder that several processes share for the index, instead of their own.")
    ] = None
    content_dir: Annotated[
        Path, Field(description="Topics, resources, notes, glossary and problems; the ones that came along.")
    ] = _BESIDE_THE_CODE / "content"
    database_url: Annotated[
        str,
        Field(description="PostgreSQL instead of the SQLite file in the data directory: postgresql://user@host/db"),
    ] = ""
    database_connections: Annotated[
        int, Field(ge=2, le=500, description="Connections that one process may have to PostgreSQL at once.")
    ] = 20
    database_timeout_s: Annotated[
        float,
        Field(gt=0, le=3600, description="Seconds that PostgreSQL has for one statement, but a migration."),
    ] = 30.0
    keep_questions_days: Annotated[
        int,
        Field(ge=0, description="Days after which questions are deleted, unless saved or shared; 0 keeps all."),
    ] = 0
    keep_submissions_days: Annotated[
        int,
        Field(
            ge=0,
            description="Days after which submissions go that solved no problem and are not shared; 0 keeps all.",
        ),
    ] = 0
    keep_fetches_days: Annotated[
        int,
        Field(ge=0, description="Days after which visits of the crawler are forgotten, but the last; 0 keeps all."),
    ] = 180
    redis_url: Annotated[
        str, Field(description="Workers on other hosts take their jobs from here: redis://host:6379/0")
    ] = ""
    discord_token: Annotated[SecretStr, Field(description="Token of the bot; without it the bot stays off.")] = (
        SecretStr("")
    )
    discord_api_base: Annotated[
        str, Field(description="A REST proxy or a Discord-compatible endpoint instead of the public one.")
    ] = ""
    discord_gateway: Annotated[str, Field(description="The gateway that goes with it: ws://host:port")] = ""
    discord_shards: Annotated[
        str, Field(description="Of several bot processes the shards of this one, and how many there are: 0,1/4")
    ] = ""
    public_url: Annotated[
        str,
        Field(description="Address at which members sign in with Discord: https://host. Without it nobody has to."),
    ] = ""
    discord_client_id: Annotated[
        str, Field(description="Client id of the bot's application, for signing in (Developer Portal, OAuth2).")
    ] = ""
    discord_client_secret: Annotated[SecretStr, Field(description="The secret that goes with it.")] = SecretStr("")
    discord_authorize_url: Annotated[
        str, Field(description="Where browsers are sent to sign in; of a Discord-compatible endpoint its own.")
    ] = "https://discord.com/oauth2/authorize"
    server: Annotated[
        str, Field(description="Server that the commands work against: https://host; else the one of warpmate login.")
    ] = ""
    token: Annotated[SecretStr, Field(description="Token for that server, where nobody can log in (a pipeline).")] = (
        SecretStr("")
    )
    operators: Annotated[
        str, Field(description="Discord ids of those who administer what no server owns, with commas between.")
    ] = ""
    trusted_proxies: Annotated[
        str,
        Field(description="Addresses or networks whose X-Forwarded-For and -Host are believed: 127.0.0.1,10.0.0.0/8"),
    ] = ""
    allow_hosts: Annotated[
        str,
        Field(
            description="Hosts of your own network whose pages index add may take, for all: wiki.intra,10.0.0.5:8000"
        ),
    ] = ""
    notes: Annotated[
        str,
        Field(description="Folders and Git repositories of your group's notes, commas between; read every hour."),
    ] = ""
    traces: Annotated[
        str,
        Field(
            description="An OpenTelemetry collector (OTLP over HTTP): http://localhost:4318; needs the extra traces."
        ),
    ] = ""
    embedding_model: Annotated[
        str, Field(description="packaged, all-MiniLM-L6-v2, a folder, or a name on a model hub.")
    ] = "packaged"
    cross_encoder: Annotated[
        str,
        Field(description="A folder or a name on a model hub: reads again what search found, and orders it; slow."),
    ] = ""
    llm_base_url: Annotated[
        str,
        Field(description="An OpenAI-compatible endpoint that composes answers from passages of the library."),
    ] = ""
    llm_model: Annotated[str, Field(description="Model name that the endpoint expects.")] = ""
    llm_api_key: Annotated[SecretStr, Field(description="Key of the endpoint, if it wants one.")] = SecretStr("")
    llm_timeout_s: Annotated[
        float, Field(gt=0, le=120, description="Seconds that the endpoint has for one answer.")
    ] = 12.0
    llm_daily_answers: Annotated[
        int,
        Field(ge=0, description="Answers that it may compose for one guild in a day (UTC); the site counts as one."),
    ] = 300
    http_host: Annotated[
        str,
        Field(description="Where the site listens; off loopback it needs WARPMATE_PUBLIC_URL for more than reading."),
    ] = "127.0.0.1"
    http_port: Annotated[int, Field(ge=0, le=65535, description="Port of the site; 0 takes a free one.")] = 8080
    gateway: Annotated[
        str,
        Field(description="Where workers on other hosts are listened to: 0.0.0.0:8443. Empty: there are none."),
    ] = ""
    judged_again: Annotated[
        float,
        Field(
            ge=0, le=1, description="Share of their verdicts that another worker judges too; who disagrees is shown."
        ),
    ] = 0.05
    gateway_cert: Annotated[
        Path | None, Field(description="The gateway's certificate with its chain (PEM); needed off loopback.")
    ] = None
    gateway_key: Annotated[Path | None, Field(description="The private key that goes with it (PEM).")] = None
    gateway_url: Annotated[
        str, Field(description="Of a worker on another host: the server's gateway, https://host:8443, and no broker.")
    ] = ""
    worker_key: Annotated[
        Path | None, Field(description="With it: the file that warpmate worker enroll wrote for this worker.")
    ] = None
    gateway_ca: Annotated[
        Path | None, Field(description="With it: the authority (PEM) of a certificate that no public one signed.")
    ] = None
    judge_backend: Annotated[
        Literal["auto", "gpu", "emulator", "compile"],
        Field(description="auto takes the GPU where there is one, else the emulator."),
    ] = "auto"
    waiting_per_member: Annotated[
        int, Field(ge=1, description="Submissions of one member that may wait or run at a time.")
    ] = 50
    waiting_per_guild: Annotated[
        int, Field(ge=1, description="Submissions of one server's members that may wait or run at a time.")
    ] = 500
    card: Annotated[
        str, Field(description="What jobs call the card of this host, such as h200; else the name its driver tells.")
    ] = ""
    programs: Annotated[
        bool, Field(description="1 runs whole programs that members submit, inside the sandbox, on the worker.")
    ] = False
    corpus: Annotated[
        Path | None, Field(description="A mirror of pages (a folder with manifest.jsonl) that evaluations may use.")
    ] = None
    log_level: Annotated[Literal["debug", "info", "warning", "error"], Field(description="How much is logged.")] = (
        "info"
    )
    log_format: Annotated[Literal["text", "json"], Field(description="json for machines that collect logs.")] = "text"

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str) -> str:
        if value and not value.startswith(("sqlite", "postgresql", "postgres")):
            raise ValueError("must start with postgresql:// or sqlite:///")
        return value

    @field_validator("redis_url")
    @classmethod
    def _known_broker(cls, value: str) -> str:
        if value and not value.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must start with redis://, rediss:// or unix://")
        return value

    @field_validator("gateway")
    @classmethod
    def _host_and_port(cls, value: str) -> str:
        if value and not re.fullmatch(r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):\d{1,5}", value):
            raise ValueError("must be an address to listen on and a port, such as 0.0.0.0:8443")
        return value

    @field_validator("public_url")
    @classmethod
    def _an_origin(cls, value: str) -> str:
        parts = urlsplit(value.rstrip("/"))
        if value and (parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc):
            raise ValueError("must be an address such as https://warpmate.example.org")
        if parts.path or parts.query or parts.fragment:
            raise ValueError("must be scheme and host alone; the site has a host of its own")
        if parts.scheme == "http" and parts.hostname not in {"localhost", "127.0.0.1", "::1"}:
            raise ValueError("must begin with https://, or cookies could be read on their way")
        return value.rstrip("/").lower()

    @field_validator("operators")
    @classmethod
    def _discord_ids(cls, value: str) -> str:
        if wrong := [part for part in _parts(value) if not (part.isascii() and part.isdecimal())]:
            raise ValueError(f"{wrong[0][:40]!r} is no Discord id; these are numbers of some 18 digits")
        return value

    @field_validator("allow_hosts")
    @classmethod
    def _hosts(cls, value: str) -> str:
        for part in _parts(value):
            if not re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?", part):
                raise ValueError(f"{part[:40]!r} is no host such as wiki.intra or 10.0.0.5:8000")
        return value.lower()

    @field_validator("notes")
    @classmethod
    def _told_apart(cls, value: str) -> str:
        names = [note_source_name(part) for part in _parts(value)]
        for part, name in zip(_parts(value), names, strict=True):
            if not name or part.startswith("-"):
                raise ValueError(f"{part[:60]!r} is neither a folder nor the address of a Git repository")
            if names.count(name) > 1 or name == "added":
                raise ValueError(f"{name!r} is the name of another folder of notes; pages are told apart by it")
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _networks(cls, value: str) -> str:
        for part in _parts(value):
            try:
                ipaddress.ip_network(part)
            except ValueError:
                raise ValueError(f"{part[:40]!r} is no address and no network such as 10.0.0.0/8") from None
        return value

    @property
    def operator_ids(self) -> tuple[str, ...]:
        return _parts(self.operators)

    @property
    def proxy_networks(self) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
        return tuple(ipaddress.ip_network(part) for part in _parts(self.trusted_proxies))

    @property
    def inner_hosts(self) -> frozenset[str]:
        return frozenset(_parts(self.allow_hosts))

    @property
    def note_sources(self) -> tuple[str, ...]:
        return _parts(self.notes)

    @property
    def store_url(self) -> str:
        return self.database_url or f"sqlite+aiosqlite:///{self.data_dir.absolute() / 'warpmate.db'}"


def note_source_name(place: str) -> str:
    """Return the last part of a path or an address: `notes` of https://host/group/notes.git."""
    return re.split(r"[/:]", place.rstrip("/").removesuffix(".git"))[-1].strip(".")


def _parts(listed: str) -> tuple[str, ...]:
    return tuple(part for part in (part.strip() for part in listed.split(",")) if part)


def read_settings(environ: Mapping[str, str] = os.environ, env_file: Path = Path(".env")) -> Settings:
    """Return the settings; raises `BadSetting`, whose one line names the variable."""
    stated = {key: value or "" for key, value in _stated_in(env_file).items()}
    values = stated | dict(environ)
    ours = {key: value for key, value in values.items() if key.upper().startswith(PREFIX)}
    try:
        _refuse_unknown(ours)
        return Settings.model_validate(
            {key.upper().removeprefix(PREFIX).lower(): value for key, value in ours.items() if value}
        )
    except ValidationError as error:
        raise BadSetting(_located(_one_line(error), stated, environ, env_file)) from None
    except BadSetting as error:
        raise BadSetting(_located(str(error), stated, environ, env_file)) from None


def _stated_in(env_file: Path) -> Mapping[str, str | None]:
    try:
        return dotenv_values(env_file)
    except UnicodeDecodeError as error:
        raise BadSetting(f"{env_file.absolute()} is not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise BadSetting(f"{env_file.absolute()} cannot be read: {error.strerror}") from None


def _located(line: str, stated: Mapping[str, str], environ: Mapping[str, str], env_file: Path) -> str:
    """Return the line of an error, with the file in which its variable was set."""
    name = line.partition(" ")[0].rstrip(":").upper()
    in_file = any(key.upper() == name for key in stated) and not any(key.upper() == name for key in environ)
    return f"{env_file.absolute()}: {line}" if in_file else line


def variables() -> dict[str, Any]:
    """Return the name of each variable with its pydantic field, in the order of `.env.example`."""
    return {PREFIX + name.upper(): field for name, field in Settings.model_fields.items()}


def _refuse_unknown(ours: Mapping[str, str]) -> None:
    known = [name.removeprefix(PREFIX) for name in variables()]
    for name in sorted(ours):
        if (ending := name.upper().removeprefix(PREFIX)) not in known:
            near = difflib.get_close_matches(ending, known, n=1)
            hint = f"; did you mean {PREFIX}{near[0]}?" if near else "; .env.example lists all of them"
            raise BadSetting(f"{name} is not a setting of warpmate{hint}")


def _one_line(error: ValidationError) -> str:
    first = error.errors(include_input=False)[0]  # the value may be a secret
    name = PREFIX + str(first["loc"][0]).upper()
    return f"{name}: {first['msg'].removeprefix('Value error, ')}"
