"""Settings are read once, and every mistake names its variable."""

from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.errors import BadSetting
from warpmate.settings import Settings, read_settings, variables

NO_FILE = Path("no-such.env")
EXAMPLE = Path(__file__).parents[3] / ".env.example"


def test_without_any_variable_the_defaults_hold() -> None:
    settings = read_settings({}, NO_FILE)
    assert (settings.http_host, settings.http_port, settings.judge_backend) == ("127.0.0.1", 8080, "auto")
    assert settings.store_url.startswith("sqlite+aiosqlite:////")


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("WARPMATE_HTTP_PORT=9000\nWARPMATE_HTTP_HOST=::1\nOTHER=1\n")
    settings = read_settings({"WARPMATE_HTTP_PORT": "9001"}, file)
    assert (settings.http_port, settings.http_host) == (9001, "::1")


def test_an_empty_value_means_the_default() -> None:
    assert read_settings({"WARPMATE_HTTP_PORT": ""}, NO_FILE).http_port == 8080


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WARPMATE_HTTP_PORT", "eighty"),
        ("WARPMATE_HTTP_PORT", "70000"),
        ("WARPMATE_JUDGE_BACKEND", "tpu"),
        ("WARPMATE_PROGRAMS", "perhaps"),
        ("WARPMATE_DATABASE_URL", "mysql://root@localhost/x"),
        ("WARPMATE_REDIS_URL", "localhost:6379"),
        ("WARPMATE_LLM_TIMEOUT_S", "-1"),
        ("WARPMATE_LOG_LEVEL", "loud"),
        ("WARPMATE_ALLOW_HOSTS", "http://wiki.intra/"),
        ("WARPMATE_ALLOW_HOSTS", "10.0.0.0/8"),
        ("WARPMATE_NOTES", "--upload-pack=x"),
        ("WARPMATE_NOTES", "/srv/a/notes,https://github.com/ada/notes.git"),
        ("WARPMATE_NOTES", "added"),
    ],
)
def test_a_malformed_value_names_its_variable_in_one_line(name: str, value: str) -> None:
    with pytest.raises(BadSetting) as caught:
        read_settings({name: value}, NO_FILE)
    assert str(caught.value).startswith(f"{name}: ")
    assert "\n" not in str(caught.value)


def test_an_unknown_variable_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(BadSetting, match=r"WARPMATE_REDIS_URI.*did you mean WARPMATE_REDIS_URL"):
        read_settings({"WARPMATE_REDIS_URI": "redis://x"}, NO_FILE)


def test_a_variable_that_resembles_none_is_sent_to_the_list() -> None:
    with pytest.raises(BadSetting, match=r"WARPMATE_COLOUR is not a setting of warpmate; \.env\.example lists all"):
        read_settings({"WARPMATE_COLOUR": "1"}, NO_FILE)


def test_a_secret_is_neither_printed_nor_told_in_an_error() -> None:
    settings = read_settings({"WARPMATE_DISCORD_TOKEN": "s3cret", "WARPMATE_LLM_API_KEY": "k3y"}, NO_FILE)
    assert "s3cret" not in repr(settings)
    assert "k3y" not in repr(settings)
    with pytest.raises(BadSetting) as caught:
        read_settings({"WARPMATE_DATABASE_URL": "mysql://root:s3cret@host/x"}, NO_FILE)
    assert "s3cret" not in str(caught.value)


def test_the_example_file_lists_every_variable_with_its_default_and_meaning() -> None:
    lines = EXAMPLE.read_text().splitlines()
    settings = Settings()
    for name, field in variables().items():
        at = next(i for i, line in enumerate(lines) if line.startswith(f"# {name}="))
        assert lines[at - 1] == f"# {field.description}"
        shown = lines[at].split("=", 1)[1]
        if name == "WARPMATE_CONTENT_DIR":
            assert shown == "content"
        else:
            assert read_settings({name: shown}, NO_FILE) == settings
    assert sum(line.startswith("# WARPMATE_") for line in lines) == len(variables())


@pytest.mark.parametrize("line", ["WARPMATE_HTTP_PORT=eighty", "WARPMATE_REDIS_URI=redis://x"])
def test_a_mistake_in_the_env_file_names_the_file(tmp_path: Path, line: str) -> None:
    file = tmp_path / ".env"
    file.write_text(f"{line}\n")
    with pytest.raises(BadSetting) as caught:
        read_settings({}, file)
    assert str(caught.value).startswith(f"{file}: {line.partition('=')[0]}")
    with pytest.raises(BadSetting) as caught:
        read_settings(dict([line.split("=")]), file)
    assert str(file) not in str(caught.value), "the environment said it last"


def test_an_env_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"WARPMATE_HTTP_HOST=\xff\xfe\n")
    with pytest.raises(BadSetting, match="is not UTF-8 text") as caught:
        read_settings({}, file)
    assert str(file) in str(caught.value)
