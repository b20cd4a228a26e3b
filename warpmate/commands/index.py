"""`warpmate index`: from link lists and pages to a searchable library."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knowledge.errors import BadInput
from knowledge.store import Scope
from knowledge.words import ENGLISH, Language
from warpmate import datadir
from warpmate.options import AsJson, Lang, default_member, language_named
from warpmate.progress import progress_bar
from warpmate.render import as_json, say, table
from warpmate.settings import Settings
from warpmate.wiring.core import open_core

if TYPE_CHECKING:
    from indexer.build import BuildReport
    from indexer.lists import Imported
    from indexer.read_from_web import RefreshReport
    from indexer.snippet_check import SnippetReport
    from indexer.status import LibraryStatus
    from knowledge.catalogue import Drafts

Mirror = Annotated[
    Path | None,
    typer.Option(
        "--mirror", help="Pages come from this folder (its manifest.jsonl) instead of the network.", file_okay=False
    ),
]

index = typer.Typer(help="Fill the library: import lists, fetch pages, publish the index.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(index, name="index")


@index.command("import")
def import_(
    context: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(help="Link lists: Markdown, RST, bare text, bookmarks.", exists=True)
    ],
    add: Annotated[bool, typer.Option("--add", help="Suggest the pages; each waits until it is approved.")] = False,
    guild: Annotated[
        str | None, typer.Option("--guild", help="With --add: for this Discord server; else for all.")
    ] = None,
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """Read link lists. Every resource once, with its labels; papers, tasks, keywords, snippets; what was skipped."""
    from indexer.lists import import_lists
    from knowledge.content import load_topics

    found = import_lists(files, load_topics(context.obj.content_dir))
    drafts = asyncio.run(_draft(context.obj, found, guild)) if add else None
    if json:
        as_json(found.as_json() | (_drafts_json(drafts, lang) if drafts else {}))
        return
    language = language_named(lang)
    _show_import(found, language)
    if drafts:
        _show_drafts(drafts, language)


@index.command("build")
def build_(
    context: typer.Context,
    mirror: Mirror = None,
    snippets: Annotated[
        int | None,
        typer.Option(
            help="Kernels found in pages to compile afterwards; by default 20 when something changed.", min=0
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Publish the index. Of what came along and was fetched, or of a mirror; only what changed is embedded."""
    report, checked = asyncio.run(_build(context.obj, mirror, snippets))
    if json:
        as_json(dataclasses.asdict(report) | {"snippets": dataclasses.asdict(checked)})
    else:
        _show_build(report)
        _show_checked(checked)


async def _build(settings: Settings, mirror: Path | None, snippets: int | None) -> tuple[BuildReport, SnippetReport]:
    from warpmate.wiring.compiler import AT_MOST, check_after_build
    from warpmate.wiring.indexing import index_builder

    async with open_core(settings) as core:
        builder = await index_builder(core)
        with datadir.held(settings.data_dir, "indexer"), progress_bar() as progress:
            report = await builder.build(mirror, progress)
            at_most = snippets if snippets is not None else AT_MOST * report.published
            return report, await check_after_build(settings, core.store, at_most, progress)


@index.command("add")
def add_(
    context: typer.Context,
    names: Annotated[
        list[str], typer.Argument(metavar="NAMES...", help="Addresses of pages, or files; they count as approved.")
    ],
    mirror: Mirror = None,
    json: AsJson = False,
) -> None:
    """List pages, fetch them and publish them; or take files. Exit code 1 where one of them could not be read."""
    files = [Path(name) for name in names if "://" not in name and Path(name).exists()]
    if files and (mirror is not None or len(files) < len(names)):
        raise BadInput("error.resource.files_apart")
    report = asyncio.run(_add_files(context.obj, files) if files else _add(context.obj, names, mirror))
    _tell_visit(report, json)
    if report["failures"]:
        raise typer.Exit(1)


@index.command("refresh")
def refresh_(context: typer.Context, mirror: Mirror = None, json: AsJson = False) -> None:
    """Visit every listed page again. Asks only for what changed, and publishes that."""
    _tell_visit(asyncio.run(_refresh(context.obj, mirror)), json)


@index.command("status")
def status_(
    context: typer.Context,
    guild: Annotated[str | None, typer.Option("--guild", help="What this Discord server added for itself.")] = None,
    json: AsJson = False,
) -> None:
    """What the library holds. Counts, ages, failures, what has gone stale."""
    found = asyncio.run(_status(context.obj, guild))
    if json:
        as_json(dataclasses.asdict(found))
    else:
        _show_status(found)


@index.command("vectors")
def vectors_(
    context: typer.Context,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit code 1 where the file is out of date.")
    ] = False,
    json: AsJson = False,
) -> None:
    """For a release: embed what changed under content/ into content/vectors.bin, which every first start reads."""
    from warpmate.wiring.vectors import renew_vectors

    report = asyncio.run(renew_vectors(context.obj, write=not check))
    if json:
        as_json(dataclasses.asdict(report) | {"stale": report.stale})
    else:
        state = "up to date" if not report.stale else "out of date" if check else "made again"
        made_for = f"made for {report.release}" if report.release else "there was none"
        say(f"vectors of content/: {state}; {made_for}")
        say(f"of {report.texts} texts {report.missing} were missing; {report.surplus} vectors had lost their text")
    if check and report.stale:
        raise typer.Exit(1)


async def _draft(settings: Settings, found: Imported, guild: str | None) -> Drafts:
    from knowledge.catalogue import AddressPolicy, Catalogue, Edit, Suggestion

    suggestions = [
        Suggestion(
            one.url,
            Edit(one.title, one.level, one.topics),
            next((label.description for label in one.labels if label.description), ""),
        )
        for one in found.resources
    ]
    async with open_core(settings) as core:
        policy = AddressPolicy(inner_hosts=frozenset() if guild else settings.inner_hosts)
        catalogue = Catalogue(core.store, core.content, policy)
        return await catalogue.draft(Scope(guild_id=guild), default_member(), suggestions)


def _drafts_json(drafts: Drafts, lang: str) -> dict[str, Any]:
    return {
        "drafts": {
            "waiting": [{"id": one.id, "url": one.url} for one in drafts.waiting],
            "known": list(drafts.known),
            "refused": [{"url": url, "reason": error.text(lang)} for url, error in drafts.refused],
        }
    }


async def _add(settings: Settings, urls: list[str], mirror: Path | None) -> dict[str, Any]:
    from indexer.read_from_web import add
    from warpmate.wiring.indexing import index_builder

    async with open_core(settings) as core:
        builder = await index_builder(core)
        with datadir.held(settings.data_dir, "indexer"), progress_bar() as progress:
            indexing, catalogue = builder.indexing(progress), builder.contributions
            report = await add(indexing, catalogue, urls, added_by=default_member(), web=builder.web(), mirror=mirror)
            return _visit_json(report)


async def _add_files(settings: Settings, files: list[Path]) -> dict[str, Any]:
    from warpmate.wiring.indexing import index_builder

    async with open_core(settings) as core:
        builder = await index_builder(core)
        with datadir.held(settings.data_dir, "indexer"), progress_bar() as progress:
            added = await builder.add_files(files, progress)
    outcomes = {"stored": added.tried - len(added.failures), "failed": len(added.failures)}
    return {
        "tried": added.tried,
        "outcomes": {outcome: count for outcome, count in outcomes.items() if count},
        "failures": [dataclasses.asdict(failure) for failure in added.failures],
        "dead": 0,
        "held_back": False,
        "build": dataclasses.asdict(added.build),
    }


async def _refresh(settings: Settings, mirror: Path | None) -> dict[str, Any]:
    from indexer.read_from_web import refresh
    from warpmate.wiring.indexing import index_builder

    async with open_core(settings) as core:
        builder = await index_builder(core)
        with datadir.held(settings.data_dir, "indexer"), progress_bar() as progress:
            if mirror is not None:
                return _mirror_json(await builder.build(mirror, progress))
            return _visit_json(await refresh(builder.indexing(progress), web=builder.web()))


async def _status(settings: Settings, guild: str | None) -> LibraryStatus:
    from indexer.status import status

    async with open_core(settings) as core:
        return await status(core.store, settings.data_dir, guild_id=guild)


def _visit_json(report: RefreshReport) -> dict[str, Any]:
    crawl = report.crawl
    return {
        "tried": crawl.tried,
        "outcomes": crawl.outcomes,
        "failures": [dataclasses.asdict(failure) for failure in (*report.refused, *crawl.failures)],
        "dead": crawl.died,
        "held_back": crawl.held_back,
        "build": dataclasses.asdict(report.build) if report.build else None,
    }


def _mirror_json(report: BuildReport) -> dict[str, Any]:
    """Return the counts of a mirror's build in the shape of a crawl's."""
    outcomes = {"stored": report.changed, "unchanged": report.unchanged, "gone": report.retired}
    return {
        "tried": report.pages,
        "outcomes": {outcome: count for outcome, count in outcomes.items() if count},
        "failures": [dataclasses.asdict(failure) for failure in report.failures],
        "dead": 0,
        "held_back": False,
        "build": dataclasses.asdict(report),
    }


def _tell_visit(report: dict[str, Any], json: bool) -> None:
    if json:
        as_json(report)
        return
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(report["outcomes"].items()))
    say(f"{report['tried']} visited" + (f": {outcomes}" if outcomes else ""))
    if report["held_back"]:
        say("So much failed at once that no link was called dead: is this machine's own line at fault?")
    if build := report["build"]:
        say(f"generation {build['generation']}: {build['passages']} passages")
    _show_failures(report["failures"])


def _show_status(found: LibraryStatus) -> None:
    if found.index is None:
        say(found.problem)
    else:
        rows = [("generation", found.index.generation), ("made", f"{found.index.created_at:%Y-%m-%d %H:%M} UTC"),
                ("with", found.index.embedder), ("vectors", found.index.vectors),
                *((name, count) for name, count in found.index.counts.items())]  # fmt: skip
        table("index", ("", ""), rows)
    links = ", ".join(f"{count} {state}" for state, count in found.resources.items())
    ages = f"read from {found.oldest:%Y-%m-%d} to {found.newest:%Y-%m-%d}" if found.oldest and found.newest else ""
    table(
        "library",
        ("", ""),
        [
            ("links", links),
            ("pages", f"{found.pages} {ages}".strip()),
            ("read over a month ago", found.stale),
            ("not in the index yet", found.unindexed),
            ("kernels", f"{found.kernels}, {found.unchecked_kernels} without a compile verdict"),
        ],
    )
    _show_failures([dataclasses.asdict(failure) for failure in found.failures])


def _show_failures(failures: list[dict[str, str]]) -> None:
    if failures:
        table("", ("page", "why it could not be read"), [(f["path"] or f["url"], f["reason"]) for f in failures])


def _show_build(report: BuildReport) -> None:
    what = "published" if report.published else "unchanged"
    say(f"{what}: generation {report.generation}, {report.passages} passages of {report.pages} pages")
    say(f"{report.changed} pages changed, {report.embedded} texts embedded, in {sum(report.seconds.values()):.1f} s")
    if report.failures:
        table("", ("page", "why it is not in the index"), [(f.path or f.url, f.reason) for f in report.failures])


def _show_checked(checked: SnippetReport) -> None:
    if checked.not_checked:
        say(f"kernels of pages were not compiled: {checked.not_checked}")
    elif checked.compiled or checked.broken:
        say(
            f"of the kernels in pages {checked.compiled} compile as printed and {checked.broken} do not; "
            f"{checked.left} are still to be compiled"
        )


def _show_import(found: Imported, language: Language) -> None:
    rows = [
        (
            one.title,
            one.url,
            one.lang,
            language.word("level", one.level or ""),
            language("import.stretch") if one.stretch else "",
        )
        for one in found.resources
    ]
    headings = ("title", "address", "language", "level", "remark")
    table("", tuple(language(f"import.{each}") for each in headings), rows)
    parts = ("resources", "papers", "tasks", "keywords", "snippets", "skipped")
    say(language("import.counts", **{part: len(getattr(found, part)) for part in parts}))


def _show_drafts(drafts: Drafts, language: Language) -> None:
    counts = {part: len(getattr(drafts, part)) for part in ("waiting", "known", "refused")}
    say(language("import.drafts", **counts))
    if drafts.refused:
        headings = (language("import.address"), language("import.why_not"))
        table("", headings, [(url, error.text(language.code)) for url, error in drafts.refused])
