"""A compiler for each sandbox, warm for the whole module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from worker.compile import Compiler, open_compiler
from worker.sandbox import Kind


@pytest.fixture(
    scope="session", params=[pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")), "landlock"]
)
def kind(request: pytest.FixtureRequest) -> Kind:
    chosen: Kind = request.param
    return chosen


@pytest.fixture(scope="session")
def compiler(kind: Kind) -> Iterator[Compiler]:
    """Without a cache: each test compiles for real."""
    with open_compiler(kind, None) as opened:
        yield opened
