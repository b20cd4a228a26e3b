"""The settings as one typed object, read once from the environment and `.env`; a mistake names its variable."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from knowledge.errors import BadSetting

PREFIX = "WARPMATE_"
_REPOSITORY = Path(__file__).resolve().parents[1]


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

    data_dir: Annotated[Path, Field(description="Where the database, the index and caches live.")] = Path("data")
    content_dir: Annotated[
        Path, Field(description="Topics, resources, notes, glossary and problems; the ones that came along.")
    ] = _REPOSITORY / "content"
    database_url: Annotated[
        str,
        Field(description="PostgreSQL instead of the SQLite file in the data directory: postgresql://user@host/db"),
    ] = ""
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
    embedding_model: Annotated[
        str, Field(description="packaged, a folder, or a name on a model hub such as intfloat/multilingual-e5-small.")
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
        str, Field(description="Address of the site; anything but loopback serves the reading pages only.")
    ] = "127.0.0.1"
    http_port: Annotated[int, Field(ge=0, le=65535, description="Port of the site; 0 takes a free one.")] = 8080
    judge_backend: Annotated[
        Literal["auto", "gpu", "emulator", "compile"],
        Field(description="auto takes the GPU where there is one, else the emulator."),
    ] = "auto"
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

    @property
    def store_url(self) -> str:
        return self.database_url or f"sqlite+aiosqlite:///{self.data_dir.absolute() / 'warpmate.db'}"


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
