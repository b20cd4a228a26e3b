"""The site as it runs, on loopback: real store, queue, flows and content; only judge and answers are prepared."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from aiohttp import ClientSession, CookieJar
from msgspec.structs import replace
from sqlalchemy import select

from knowledge.ask.answer import Answer, Citation, Excerpt
from knowledge.ask.gaps import Gap
from knowledge.content import Content
from knowledge.readings import Reading
from knowledge.services import LibraryState, Preparing, Services, services_over
from knowledge.store import Scope, Store
from knowledge.store.tables import Passage, Resource, Snapshot, Snippet
from knowledge.submit import Collector, ProgressEvents, Submissions
from knowledge.text.sentences import Span
from knowledge.traces import NoTraces
from tests.judging import judging
from tests.shipped_content import shipped_recommender
from web.app import build_site, serving
from web.public_site import PublicSite
from web.visitor import SiteMode
from worker.canned import CannedExecutor, accepted
from worker.protocol import (
    Access,
    Backend,
    Card,
    CaseResult,
    CompileReport,
    Counted,
    Finding,
    Form,
    Job,
    KernelResources,
    Kind,
    Mismatch,
    Timing,
    Tried,
    TriedOutput,
    Verdict,
    Write,
)
from worker.queue.memory import MemoryQueue
from worker.service import HeldJob, Say

EVERYWHERE = Scope()
MEMBER = "local:ada"
PAGE = (
    "Shared memory is divided into 32 banks. Successive 32-bit words lie in successive banks. "
    "When two threads of a warp touch different words of one bank, the accesses are serialised. "
    "Padding each row by one word moves the columns of a tile into different banks."
)
QUOTE = "Padding each row by one word moves the columns of a tile into different banks."
WRONG = """__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
"""
RIGHT = WRONG.replace("    c[i]", "    if (i < n) c[i]")
H200 = Card("NVIDIA H200", "sm_90", "580")


class PreparedLibrary:
    """Answers with what a test has prepared, and refuses everything else."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.failure: Exception | None = None
        self.asked: list[tuple[str, str | None]] = []
        self.grown: dict[str, Sequence[Answer]] = {}
        self.may_write = asyncio.Event()
        self.may_write.set()
        self.gaps_found: list[Gap] = []
        self.progress: list[Preparing] = []
        """How far the library is; empty once it is ready."""

    async def ask(
        self,
        question: str,
        lang: Any = None,
        follow_up_of: str | None = None,
        scope: Scope = EVERYWHERE,
        member: str | None = None,
    ) -> Answer:
        self.asked.append((question, follow_up_of))
        if self.failure is not None:
            raise self.failure
        found = self.answers.get(question) or refused()
        return dataclasses.replace(found, lang=lang or "en", asked=question)

    async def compose(
        self, question: str, answer: Answer, earlier: str | None = None, scope: Scope = EVERYWHERE
    ) -> AsyncIterator[Answer]:
        """What a test has prepared a language model to add, in steps; each waits for its turn."""
        for grown in self.grown.get(question, ()):
            await self.may_write.wait()
            yield dataclasses.replace(answer, composed=grown.composed, citations=grown.citations)

    def search(self, text: str, k: int = 10, *, guild_id: str | None = None, lang: Any = None) -> Sequence[Any]:
        return ()

    async def gaps(self, scope: Scope, since: datetime, until: datetime | None = None) -> Sequence[Gap]:
        return self.gaps_found

    async def news(self) -> Sequence[Any]:
        return ()

    def state(self) -> LibraryState:
        return LibraryState("g-1", datetime.now(UTC), {"passages": 7})

    def preparing(self) -> Preparing | None:
        return self.progress[-1] if self.progress else None


class PacedExecutor(CannedExecutor):
    """A judge that a test can hold back. It finds fault with what has no bounds check."""

    def __init__(self) -> None:
        super().__init__(judged)
        self.may_end = asyncio.Event()
        self.may_end.set()
        self.counted: tuple[Counted, ...] | None = None

    async def judge(self, job: Job, progress: Say, held: HeldJob) -> Verdict:
        await self.may_end.wait()
        return replace(await super().judge(job, progress, held), counted=self.counted)


def judged(job: Job) -> Verdict:
    if job.form is Form.TRY:
        return tried(job)
    compiled = CompileReport(True, "", False, 21.0, (KernelResources("vector_add", 18, 0, 0, 1.0),))
    if "if (" in job.source:
        timing = (Timing({"n": 134217728}, 412.0, 409.5, 420.1, 30, 3900.0, 325.0, 0.93, "memory"),)
        return replace(accepted(job), card=H200, compile=compiled, timing=timing, score=0.93)
    finding = Finding(
        "missing-bounds-check", "error",
        {"en": "The last block has more threads than elements are left.", "zh": "最后一个线程块里线程太多。"},
        3, (33, 0, 0), (0, 0, 0),
    )  # fmt: skip
    wrong = CaseResult({"n": 33}, "uniform", False, 2, Mismatch("c", (32,), 1.5, None), 0.5)
    if "race" in job.source:
        wrong = CaseResult({"n": 33}, "uniform", False)
    right = CaseResult({"n": 32}, "uniform", True)
    return Verdict(
        job.submission, job.form, job.problem, Backend.EMULATOR, Kind.MEMORY_ERROR, None, compiled, (right, wrong),
        findings=(finding,), output="hello from the device\n",
    )  # fmt: skip


def tried(job: Job) -> Verdict:
    """What a run on a member's own inputs showed: `printf`, who wrote, an access whose lanes meet in one bank."""
    asked = job.trying
    assert asked is not None
    inputs = {name: tuple(numbers) for name, numbers in asked.typed.items()}
    output = TriedOutput("c", 3, 0, (1.0, None, 3.0), (1.0, 2.5, 3.0), (1,), 1)
    write = Write(3, 1, (1, 0, 0), (0, 0, 0), 2, None)
    lanes = tuple(range(32))
    offsets = tuple(128 * lane for lane in lanes)
    access = Access(3, "load", "shared", "<tile>", 4, (0, 0, 0), lanes, offsets, 32, 1)
    counts = dict.fromkeys(
        ("warp_instructions", "global_requests", "global_sectors", "shared_requests", "shared_wavefronts", "branches",
         "divergent_branches", "barriers"), 7,
    )  # fmt: skip
    lines = {3: {"load_sectors": 9, "load_ideal": 4, "divergent_branches": 2}}
    code = ((2, "mov.u32 %r1, %ctaid.x;"), (3, "add.f32 %f3, %f1, %f2;"))
    shown = Tried(inputs, (output,), (write,), counts, lines, access, code, ((3, "FADD R9, R4, R3"),))
    compiled = CompileReport(True, "", False, 21.0, (KernelResources("vector_add", 18, 8, 0, 1.0),))
    case = CaseResult(dict(asked.sizes), asked.values, False, 1, Mismatch("c", (1,), 2.5, None), 0.5)
    return Verdict(
        job.submission, job.form, job.problem, Backend.EMULATOR, Kind.WRONG_ANSWER, None, compiled, (case,),
        output="b is 0.5\n", tried=shown,
    )  # fmt: skip


def answered(snapshot_id: int = 1, quote: str = QUOTE, **more: Any) -> Answer:
    citation = Citation(
        1, "shared-page", snapshot_id, "https://example.org/shared#banks", "Shared memory", "Banks", "shared.md",
        "en", datetime(2026, 5, 1, tzinfo=UTC),
    )  # fmt: skip
    citation = dataclasses.replace(citation, **more)
    excerpt = Excerpt(quote, PAGE.index(QUOTE), (Span(0, len(quote)),), 1)
    return Answer("answered", "en", "", (excerpt,), (citation,))


def refused() -> Answer:
    reading = Reading("note:coalescing", "Coalescing", None, "en", "beginner", 8, "note", ("coalescing",), "nearest")
    return Answer("refused", "en", "", readings=(reading,))


@dataclass
class Stage:
    address: str
    store: Store
    services: Services
    asker: PreparedLibrary
    executor: PacedExecutor

    @asynccontextmanager
    async def browser(self) -> AsyncIterator[Browser]:
        async with ClientSession(self.address, cookie_jar=CookieJar(unsafe=True)) as session:
            yield Browser(session)


@dataclass
class Browser:
    """A client with cookies that sends forms as pages do, token included."""

    session: ClientSession

    async def text(self, path: str, status: int = 200) -> str:
        async with self.session.get(path) as response:
            body = await response.text()
            assert response.status == status, (path, response.status, body[-800:])
            return body

    async def token(self) -> str:
        page = await self.text("/ask")
        return page.split('name="token" value="')[1].split('"')[0]

    async def send(self, path: str, **fields: str) -> tuple[int, str]:
        """Status and where it leads; redirects are not followed."""
        form = {"token": await self.token(), **fields}
        async with self.session.post(path, data=form, allow_redirects=False) as response:
            return response.status, response.headers.get("Location", "")

    async def hand_in(self, source: str, problem: str = "vector_add") -> str:
        """The page of the submission, once its verdict is there."""
        status, page = await self.send("/submit", source=source, problem=problem)
        assert status == 303
        async with self.session.get(f"{page}/events") as stream:
            assert "event: verdict" in await stream.text()
        return page


@asynccontextmanager
async def staged(
    store: Store,
    content: Content,
    host: str = "127.0.0.1",
    public: PublicSite | None = None,
    but: Callable[[Services], Services] = lambda services: services,
    port: int = 0,
) -> AsyncIterator[Stage]:
    """`but` puts something else in the place of one of the services."""
    queue, asker, executor, events = MemoryQueue(), PreparedLibrary(), PacedExecutor(), ProgressEvents()
    recommender = shipped_recommender(store)
    collector = Collector(store, queue, events, recommender.for_finding, NoTraces())
    submissions = Submissions(store, queue, events, {card.slug for card in content.problems})
    services = but(services_over(store, content, asker, recommender, submissions, NoTraces()))
    asker.answers["How do I avoid bank conflicts?"] = answered(await stored_page(store))
    async with (
        judging(queue, executor, collector),
        serving(build_site(services, SiteMode(host, MEMBER, public)), host, port) as address,
    ):
        yield Stage(address.replace("0.0.0.0", "127.0.0.1"), store, services, asker, executor)


async def stored_page(store: Store, text: str = PAGE, resource: str = "shared-page", title: str = "Shared") -> int:
    """A crawled page with its snapshot; returns the snapshot's id."""
    async with store.session(EVERYWHERE) as session:
        session.add(
            Resource(
                id=resource, url=f"https://example.org/{resource}", title=title, lang="en", kind="article",
                origin="member", topics=["shared-memory"], level="intermediate",
            )
        )  # fmt: skip
        await session.flush()
        row = Snapshot(
            resource_id=resource, url=f"https://example.org/{resource}", title=title, lang="en", kind="html",
            text=text, content_hash=resource, source_hash=resource,
        )  # fmt: skip
        session.add(row)
        await session.flush()
        return row.id


async def stored_kernel(store: Store, resource: str, name: str, code: str, verdict: str) -> None:
    """A page of the resource that prints this code under a heading, and the compiler's word on it."""
    async with store.session(EVERYWHERE) as session:
        page = await session.scalar(select(Snapshot).where(Snapshot.resource_id == resource))
        assert page is not None
        start, page.text = len(page.text), page.text + code
        session.add(
            Passage(
                snapshot_id=page.id, ordinal=1, start=start, end=start + len(code), headings=["Kernels <here>"],
                anchor="kernels", kind="code", lang="en", content_hash=name, meta={"language": "cuda"},
            )
        )  # fmt: skip
        session.add(Snippet(content_hash=name, name=name, verdict=verdict))
