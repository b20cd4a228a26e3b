"""Compilers: for what a sandbox has to hold one in each sandbox, for what the compiler says one alone.

All without a cache: each test compiles for real.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from tests.integration.worker.kept_children import kept_compiler
from worker.compile import Compiler, open_compiler
from worker.compile.compiler import BUILDS
from worker.compile.headers import include_folders
from worker.sandbox import Kind, Pool, choose
from worker.sandbox.policies import compiler_policy


@pytest.fixture(
    scope="session", params=[pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")), "landlock"]
)
def kind(request: pytest.FixtureRequest) -> Kind:
    chosen: Kind = request.param
    return chosen


@pytest.fixture(scope="session")
def compiler(kind: Kind) -> Iterator[Compiler]:
    with open_compiler(kind, None) as opened:
        yield opened


@pytest.fixture(scope="session")
def lasting_compiler() -> Iterator[Compiler]:
    """For honest sources, in the sandbox of this host."""
    with kept_compiler(choose()) as opened:
        yield opened


@pytest.fixture(scope="session")
def lasting_compiler_in_each(kind: Kind) -> Iterator[Compiler]:
    """For sources that ask for files of the host: a sandbox that holds gives its child nothing to stumble over."""
    with kept_compiler(kind) as opened:
        yield opened


@pytest.fixture(scope="session")
def impatient_compiler() -> Iterator[Compiler]:
    """For bombs: a third of the time that members have, for both cores are busy until it is up.

    That limits hold in either sandbox is for tests/integration/worker/sandbox.
    """
    includes = include_folders()
    policy = dataclasses.replace(compiler_policy(includes), seconds=3.0)
    with Pool(choose(), "worker.compile.child", policy, BUILDS) as pool:
        yield Compiler(pool, includes, None)
