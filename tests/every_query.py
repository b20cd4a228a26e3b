"""Runs every method that asks the database for anything, once, and writes down the statements that it sends.

The functions are found by reading the code (`asking`), so a new one that nobody runs here is noticed.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge import members, privacy
from knowledge.api_tokens import ApiTokens
from knowledge.ask.answer import Answer
from knowledge.ask.budget import DailyBudget
from knowledge.ask.evaluate import support
from knowledge.ask.question_log import QuestionLog
from knowledge.ask.quote_context import contexts
from knowledge.catalogue import Catalogue, Edit
from knowledge.content import Content
from knowledge.errors import SafeError
from knowledge.group import Group
from knowledge.group.standing import solvers_of
from knowledge.kept_threads import KeptThreads, Picked
from knowledge.leases import Leases
from knowledge.library.admin_lists import failures, overridden
from knowledge.library.contents import code_checks, contents_of
from knowledge.login_codes import LoginCodes
from knowledge.outbox import Outbox, OutboxItem, Owed
from knowledge.plans import Plans
from knowledge.practice import Practice
from knowledge.practice.streaks import solved_lately
from knowledge.recommend import Recommender
from knowledge.site_sessions import SiteSessions
from knowledge.store import Scope, Store
from knowledge.store.counts import read_counts
from knowledge.submit import Boards, Collector, HandIn, ProgressEvents, Shares, Submissions
from knowledge.submit.acceptance import acceptance
from knowledge.submit.predicted_boards import PredictedBoards
from knowledge.submit.problem_progress import problem_progress
from knowledge.submit.set_aside import AsideJobs
from knowledge.traces import NoTraces
from knowledge.upkeep import Keep, tidy
from knowledge.workers.registry import Workers
from knowledge.workers.second_opinions import SecondOpinions
from tests.folders import ROOT
from tests.many_rows import CARD, GUILD, MEMBER, PROBLEM
from worker.canned import accepted
from worker.protocol import Backend, Card, Form, Job, Kind, Progress, Stage, Verdict
from worker.queue import Report
from worker.queue.memory import MemoryQueue

_OPENS = frozenset({"session", "reading"})


def asking() -> frozenset[str]:
    """Return the qualified names of the functions under knowledge/ that open a transaction."""
    found: set[str] = set()
    for path in sorted((ROOT / "knowledge").rglob("*.py")):
        found.update(_in(ast.parse(path.read_text(encoding="utf-8")), ""))
    return frozenset(found)


def _in(tree: ast.AST, inside: str) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from _in(node, f"{inside}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(map(_opens, ast.walk(node))):
            yield f"{inside}{node.name}"


def _opens(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _OPENS


@dataclass(frozen=True, slots=True)
class Sent:
    """A statement as the database got it, and who sent it."""

    statement: str
    parameters: Sequence[Any]
    by: str


@dataclass
class Watch:
    """What was sent, and which functions opened a transaction."""

    by: str = ""
    asked: set[str] = field(default_factory=set)
    sent: list[Sent] = field(default_factory=list)


class WatchedStore(Store):
    """A store that says who uses it."""

    __slots__ = ("watch",)
    watch: Watch

    def session(self, scope: Scope) -> AbstractAsyncContextManager[AsyncSession]:
        self._note(sys._getframe(1).f_code.co_qualname)
        return super().session(scope)

    def reading(self, scope: Scope) -> AbstractAsyncContextManager[AsyncSession]:
        self._note(sys._getframe(1).f_code.co_qualname)
        return super().reading(scope)

    def _note(self, who: str) -> None:
        self.watch.by = who
        self.watch.asked.add(who)


@contextmanager
def watched(store: Store) -> Iterator[WatchedStore]:
    """Yield the store with a listener on its engine for the length of the block."""
    watch = Watch()
    made = WatchedStore(store.engine, store._writing, store._reading, store._turn)
    object.__setattr__(made, "watch", watch)

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        watch.sent.append(Sent(statement, parameters[0] if many else parameters, watch.by))

    event.listen(store.engine.sync_engine, "before_cursor_execute", note)
    try:
        yield made
    finally:
        event.remove(store.engine.sync_engine, "before_cursor_execute", note)


NOW = datetime.now(UTC)
HERE, EVERYWHERE, NOWHERE = Scope.guild(GUILD), Scope.all(), Scope()


async def ask_everything(store: Store, content: Content) -> None:
    """Call each method that asks the database, one after the other, as a member of a guild would have it called."""
    recommender = Recommender(store, content, {})
    for part in (_members, _questions, _sign_in, _outbox):
        await part(store)
    await _submissions(store)
    await _boards(store)
    await _library(store, content)
    await _learning(store, content, recommender)
    await _group(store, content, recommender)
    await _upkeep(store)
    await read_counts(store)
    await privacy.export(store, MEMBER)
    await privacy.forget(store, "discord:9")


async def _members(store: Store) -> None:
    await members.preferences_of(store, MEMBER, GUILD)
    await members.set_language(store, MEMBER, "zh")
    await members.set_guild_language(store, GUILD, "zh")
    await members.set_guild_settings(store, GUILD, gaps_channel="77")
    await members.guilds_with(store, "gaps_channel")


async def _questions(store: Store) -> None:
    log, answer = QuestionLog(store, NoTraces()), Answer("refused", "en", "")
    question = await log.keep(HERE, "what is a warp?", answer, MEMBER, "thread7")
    await log.complete(HERE, question, answer)
    await log.get(HERE, question, MEMBER)
    await log.share(HERE, question, MEMBER, public=True)
    await log.unlist(HERE, question, MEMBER, unlisted=True)
    await log.last_in(HERE, "thread7", MEMBER)
    await log.rate(HERE, question, MEMBER, helpful=False, reason="wrong")
    await log.save(HERE, question, MEMBER)
    for scope in (HERE, NOWHERE, EVERYWHERE):
        await log.review_list(scope)
        await log.unanswered(scope, NOW - timedelta(days=7))
        await log.waiting(scope)
    await log.reviewed(HERE, question)
    await log.undelivered(HERE, MEMBER)
    await contexts(store, HERE, answer)
    await support([], store)
    await DailyBudget(store, 5).take(GUILD)


async def _sign_in(store: Store) -> None:
    sessions, tokens, codes = SiteSessions(store), ApiTokens(store), LoginCodes(store)
    secret = await sessions.begin(MEMBER, GUILD)
    await sessions.find(secret)
    await sessions.move(secret, None)
    await sessions.count(MEMBER)
    await sessions.end(secret)
    await sessions.end_all(MEMBER)
    await tokens.find(await tokens.make(MEMBER, GUILD, "ci", ["ask"]))
    await tokens.revoke(MEMBER, (await tokens.listed(MEMBER))[0].id)
    await tokens.revoke_all(MEMBER)
    begun = await codes.begin("laptop", ["ask"])
    await codes.asked(begun.code)
    await codes.decide(begun.code, MEMBER, GUILD, allowed=True)
    await codes.take(begun.secret)


async def _outbox(store: Store) -> None:
    outbox, item = Outbox(store), OutboxItem(Owed.REPLY, "1", "discord", until=NOW - timedelta(days=1))
    await outbox.write([item])
    for kind in Owed:
        await outbox.open("discord", kind)
    await outbox.delivered(Owed.REPLY, "1")
    await outbox.undelivered(Owed.REPLY, "1")


async def _submissions(store: Store) -> None:
    queue, events = MemoryQueue(), ProgressEvents()
    submissions = Submissions(store, queue, events, (PROBLEM,))
    collector = Collector(store, queue, events, lambda _finding, _lang: ({"id": "note:warp"},), NoTraces())
    what = HandIn(MEMBER, "__global__ void k() {}", PROBLEM, face="discord")
    ids = [await submissions.hand_in(HERE, what) for _ in range(3)]
    with events.followed(ids[0]):
        await collector.notice_ended()
    await collector.enqueue_unfinished()
    await collector._enqueue(ids[0])
    await collector.handle(Report(Progress(ids[0], Stage.COMPILING), 1))
    scored = replace(
        accepted(Job(ids[0], Form.KERNEL, "", problem=PROBLEM)),
        backend=Backend.GPU, score=99.0, card=Card(CARD, "sm_90", "580"),
    )  # fmt: skip
    await _ended(collector, scored, 1)
    wrong = Verdict(ids[1], Form.KERNEL, PROBLEM, Backend.EMULATOR, Kind.INFRASTRUCTURE_ERROR)
    await _ended(collector, wrong, 2)
    aside = AsideJobs(store)
    await aside.listed(HERE)
    await aside.count()
    await aside.retry(HERE, ids[1])
    await _ended(collector, wrong, 2)
    await aside.let_go(HERE, ids[1])
    opinions = SecondOpinions(store)
    await opinions.hear(Report(scored, 1, worker="h200"))
    await opinions.disagreements()
    await opinions.counts()
    await submissions.cancel(HERE, MEMBER, ids[2])
    await submissions.verdict(HERE, ids[0])
    await submissions.mine(HERE, MEMBER)
    await submissions.mine(HERE, MEMBER, problem=PROBLEM, before=ids[0])
    await submissions.source(HERE, MEMBER, ids[0])
    await submissions.attempt(HERE, MEMBER, ids[0])
    await submissions._committed(ids[0])
    await Shares(store).share(HERE, MEMBER, ids[0], public=True)
    await Shares(store).see(HERE, MEMBER, ids[0])
    await problem_progress(store, MEMBER, [PROBLEM])
    await Boards(store).withdraw(HERE, MEMBER, ids[0])


async def _ended(collector: Collector, verdict: Verdict, fence: int) -> None:
    """As it comes from a queue; this queue was told of no attempt, so settling it is in vain."""
    with suppress(Exception):
        await collector.handle(Report(verdict, fence, "receipt"))


async def _boards(store: Store) -> None:
    boards = Boards(store)
    for scope in (HERE, NOWHERE):
        await boards.cards(scope, PROBLEM)
        await boards.overview(scope)
        for language in (None, "cuda", "triton"):
            await boards.board(scope, PROBLEM, CARD, language=language)
            await PredictedBoards(store).board(scope, PROBLEM, "h200", language=language)
        await boards.history(scope, MEMBER, PROBLEM, CARD)


async def _library(store: Store, content: Content) -> None:
    catalogue = Catalogue(store, content)
    added = await catalogue.add(HERE, MEMBER, "https://example.org/warps")
    taken = await catalogue.take(HERE, "https://example.org/other")
    await catalogue.withdraw(HERE, [taken])
    await catalogue.decide(HERE, added.id, approved=True)
    await catalogue.edit(HERE, added.id, Edit(title="Warps"))
    await catalogue.arrivals(HERE, NOW)
    await catalogue.changed_since(HERE, NOW)
    await catalogue.guilds()
    await catalogue.listed(HERE)
    await failures(store, HERE)
    await overridden(store, HERE)
    await contents_of(store, HERE, added.id)
    await code_checks(store, ["__global__ void k() {}"])


async def _learning(store: Store, content: Content, recommender: Recommender) -> None:
    plans, practice = Plans(store, content, recommender), Practice(store, content, recommender)
    problem = next(slug for slug, help_ in content.help.items() if help_.hints.get("en"))
    await recommender.remember(HERE, MEMBER, f"problem:{problem}", "read")
    await recommender.set_level(MEMBER, content.topics.in_order[0].id, "beginner")
    await recommender.history(MEMBER)
    await plans.start(HERE, MEMBER, "path:tiling", 5, "beginner")
    plan = await plans.look(HERE, MEMBER)
    assert plan is not None
    await plans.set_hours(HERE, MEMBER, 6)
    await plans.skip(HERE, MEMBER)
    await plans.sit(HERE, MEMBER, plan.weeks[0].parts[0].reading.resource_id, 5)
    await plans.reviews.due(MEMBER)
    with suppress(SafeError):
        await plans.reviews.question(MEMBER, "term:none")
    with suppress(SafeError):
        await plans.reviews.answer(MEMBER, "term:none", right=True)
    await plans.stop(MEMBER)
    await practice.hints(MEMBER, problem, "en")
    await practice.open_hint(MEMBER, problem, None, "en")
    await practice.give_up(MEMBER, problem)
    await practice.streak(HERE, MEMBER)
    await solved_lately(store, GUILD, NOW - timedelta(days=7), NOW)


async def _group(store: Store, content: Content, recommender: Recommender) -> None:
    group = Group(store, content, recommender)
    await group.named.set(HERE, MEMBER, named=True)
    plan = await group.start(HERE, "path:tiling", 4, 0, "77")
    await group.plan(HERE)
    await group.due(NOW)
    await group.standing(plan, 1, NOW)
    await solvers_of(store, HERE, PROBLEM, NOW - timedelta(days=14), NOW)
    await group.open_questions(HERE)
    await group.answered(HERE, NOW - timedelta(days=7), NOW)
    await group.digest_since(GUILD, NOW)
    await group.posts.claim("k", GUILD, NOW)
    await group.posts.find("k")
    await group.posts.done("k", "1")
    await group.posts.sweep(NOW)
    await group.stop(HERE)


async def _upkeep(store: Store) -> None:
    await tidy(store, Keep(questions_days=650, submissions_days=690, fetches_days=10), NOW)
    for scope in (HERE, NOWHERE):
        await acceptance(store, scope, MEMBER)
    await _threads(KeptThreads(store))
    workers = Workers(store)
    await workers.enroll("h200", "0" * 64)
    await workers.listed()
    await workers.find("h200")
    await workers.pause("h200", "it lies")
    await workers.resume("h200")
    await workers.revoke("h200")
    leases = Leases(store)
    await leases.take("k")
    await leases.give_up("k")


async def _threads(threads: KeptThreads) -> None:
    """Each deed on a kept thread, whether it may be done by then or not."""
    kept = await threads.pick(HERE, "7", "Warps", Picked("8", MEMBER, "what is a warp?", NOW))
    deeds: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: threads.ask(HERE, kept.id), lambda: threads.find(HERE, kept.id), threads.asking,
        lambda: threads.agree(HERE, kept.id, MEMBER), lambda: threads.kept(HERE),
        lambda: threads.refuse(HERE, kept.id, MEMBER), lambda: threads.withdraw(HERE, MEMBER),
        lambda: threads.drop(HERE, kept.id),
    )  # fmt: skip
    for deed in deeds:
        with suppress(SafeError):
            await deed()
