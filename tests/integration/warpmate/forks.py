"""Commands in processes of their own that need not begin from nothing: each is forked from one that has begun.

Importing and reading content/ take longer than most commands run, and a suite starts hundreds. A fork has its own
arguments, environment, folder, streams and exit code, as a process that a shell starts.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tests.folders import CONTENT

if TYPE_CHECKING:
    from knowledge.content import Content
    from knowledge.recommend.lexicon import Lexicon


LONGEST_S = 400
"""A command that has not ended by then is ended, for nobody else could be forked before."""


def run(arguments: Sequence[str], environment: Mapping[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """`warpmate` with these arguments, and what it said."""
    with tempfile.TemporaryDirectory() as kept:
        out, err = Path(kept) / "out", Path(kept) / "err"
        wish = [list(arguments), dict(environment), str(folder), str(out), str(err)]
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(wish) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        said = [path.read_text(encoding="utf-8") for path in (out, err)]
    return subprocess.CompletedProcess(["warpmate", *arguments], code, *said)


@functools.cache
def _server() -> subprocess.Popen[str]:
    """The process that is forked; it ends when its standard input is closed."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.integration.warpmate.forks"],
        cwd=Path(__file__).parents[3],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def close() -> None:
    """End the process that is forked, if there is one."""
    if _server.cache_info().currsize:
        _server().communicate()
        _server.cache_clear()


def _serve() -> None:
    """Fork once for each line; the fork becomes the command and leaves this function by its exit."""
    import faiss  # noqa: F401  as the next three: what a command imports late, so that --help is quick
    import rjieba  # noqa: F401

    import indexer.read_from_web  # noqa: F401
    import warpmate.wiring.library  # noqa: F401
    from knowledge.errors import BadContent
    from knowledge.recommend import service
    from warpmate.cli import main
    from warpmate.commands import define, problems
    from warpmate.wiring import core

    read = functools.cache(core.load_content)
    with contextlib.suppress(BadContent):  # a command then says so itself
        content = read(CONTENT)
        service.lexicon_of = _kept(service.lexicon_of, content)
    core.load_content = define.load_content = problems.load_content = read
    gc.freeze()  # or each fork copies what its collector looks at
    while line := sys.stdin.readline():
        child = os.fork()
        if not child:
            signal.alarm(LONGEST_S)
            _become(*json.loads(line))
            main()
        _, status = os.waitpid(child, 0)
        os.write(1, f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _kept(read: Callable[[Content], Lexicon], content: Content) -> Callable[[Content], Lexicon]:
    """The words of this content are read now, and for all forks."""
    found = read(content)
    return lambda asked: found if asked is content else read(asked)


def _become(arguments: list[str], environment: dict[str, str], folder: str, out: str, err: str) -> None:
    for number, path, mode in ((0, os.devnull, os.O_RDONLY), (1, out, os.O_WRONLY), (2, err, os.O_WRONLY)):
        opened = os.open(path, mode | (os.O_CREAT if number else 0), 0o600)
        os.dup2(opened, number)
        os.close(opened)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["warpmate", *arguments]


if __name__ == "__main__":
    _serve()
