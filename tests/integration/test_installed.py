"""The built wheel in an environment of its own, started in an empty folder: nothing of the checkout is in reach.

What the wheel depends on is taken from the environment of the tests, by its folder: a `.pth` file adds that folder
and none of the `.pth` files in it, so the checkout, which one of those names, is not on the path. NVIDIA's own loader
looks for its libraries in the environment alone, so their folder is linked there.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.wheels import COMMIT, ROOT, wheel

WRONG_KERNEL = "content/problems/reduce_sum/solutions/wrong/missing_sync.cu"
PATIENCE_S = 300
"""For one reply: a first start makes models and index itself, and on a busy machine everything beside that waits."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A new environment, a home of its own, and an empty folder to work in."""

    environment: Path
    home: Path
    empty: Path

    @property
    def packages(self) -> Path:
        (found,) = self.environment.glob("lib/python3*/site-packages")
        return found

    @property
    def data(self) -> Path:
        """Where Linux keeps the data of programs."""
        return self.home / ".local" / "share" / "warpmate"

    @property
    def variables(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8", "WARPMATE_HTTP_PORT": "0"}

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.environment / "bin" / program), *arguments]
        return subprocess.run(
            command, cwd=self.empty, env=self.variables, capture_output=True, text=True, timeout=60, check=False
        )

    @contextmanager
    def serving(self) -> Iterator[str]:
        """`warpmate run` until it can answer questions; at the end it is interrupted as by Ctrl-C and ends well."""
        command = [str(self.environment / "bin" / "warpmate"), "run"]
        process = subprocess.Popen(command, cwd=self.empty, env=self.variables, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            assert first.startswith("warpmate serves on "), first
            for line in process.stdout:
                if line.startswith("the library is ready"):
                    break
            yield first.split()[-1]
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()
            process.communicate()


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """The wheel alone, without anything that it depends on."""
    folder = tmp_path_factory.mktemp("machine")
    machine = Machine(folder / "environment", folder / "home", folder / "empty")
    machine.home.mkdir()
    machine.empty.mkdir()
    venv.create(machine.environment, with_pip=False, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(machine.environment / "bin" / "python"), "--quiet"]
    subprocess.run([*pip, "install", "--no-index", "--no-deps", wheel(tmp_path_factory)], check=True, timeout=100)
    return machine


@pytest.fixture
def machine(bare: Machine) -> Iterator[Machine]:
    here, nvidia = bare.packages / "dependencies.pth", bare.packages / "nvidia"
    there = Path(sysconfig.get_path("purelib"))
    here.write_text(f"{there}\n", encoding="utf-8")
    nvidia.symlink_to(there / "nvidia")
    yield bare
    here.unlink()
    nvidia.unlink()


def posted(address: str, what: dict[str, Any]) -> Any:
    body = json.dumps(what).encode()
    with urlopen(Request(address, body, {"Content-Type": "application/json"}), timeout=PATIENCE_S) as answer:
        return json.load(answer)


def fetched(address: str) -> str:
    """A page, or a stream of events until its end."""
    with urlopen(address, timeout=PATIENCE_S) as answer:
        return str(answer.read(), "utf-8")


def test_without_what_it_depends_on_one_line_says_what_to_install(bare: Machine) -> None:
    done = bare.run("warpmate", "run")
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert "python -m worker" in line
    assert "warpmate[app]" in line


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.needs("bubblewrap")
def test_what_was_installed_answers_and_judges_without_the_checkout(machine: Machine) -> None:
    assert machine.run("warpmate", "--version").stdout == f"warpmate 0.1.0 ({COMMIT})\n"
    rooms = "import json, warpmate, bot, web, knowledge, indexer, worker as w, sys; print(json.dumps(sys.path)); "
    rooms += "print(*{m.__file__ for m in (warpmate, bot, web, knowledge, indexer, w)}, sep='\\n')"
    path, *files = machine.run("python", "-P", "-c", rooms).stdout.splitlines()
    assert str(ROOT) not in json.loads(path)
    assert all(Path(file).is_relative_to(machine.packages) for file in files)

    with machine.serving() as address:
        answer = posted(f"{address}/api/v1/ask", {"question": "what is warp divergence?"})
        assert answer["status"] == "answered"
        assert answer["definition"]["id"] == "term:warp-divergence"
        assert "warp-divergence" in fetched(f"{address}/notes/warp-divergence")
        source = (machine.packages / WRONG_KERNEL).read_text(encoding="utf-8")
        taken = posted(f"{address}/api/v1/submissions", {"source": source, "problem": "reduce_sum"})
        events = fetched(f"{address}/submissions/{taken['submission']}/events")
        assert "event: verdict" in events
        seen = json.loads(fetched(f"{address}{taken['url']}"))["verdict"]
        assert (seen["verdict"], seen["findings"][0]["id"]) == ("race", "missing-barrier")

    assert list(machine.empty.iterdir()) == []
    assert (machine.data / "warpmate.db").is_file()
    assert sorted(path.name for path in machine.home.iterdir()) == [".local"]
