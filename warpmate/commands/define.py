"""`warpmate define`: what a term means, from the glossary."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from knowledge.content import Definition, load_content
from knowledge.definitions import as_json, other_names, term_named
from knowledge.words import ENGLISH
from warpmate import render
from warpmate.options import AsJson, Lang, Server, language_named
from warpmate.remote.chosen import chosen_server

Term = Annotated[str, typer.Argument(help="A term by any of its names, for instance warp or 'bank conflict'.")]


def register(app: typer.Typer) -> None:
    app.command()(define)


def define(
    context: typer.Context, term: Term, lang: Lang = ENGLISH, server: Server = None, json: AsJson = False
) -> None:
    """What a term means, its other names, and where that can be checked."""
    if there := chosen_server(context.obj, server, lang):
        found = asyncio.run(there.whole(Definition, "GET", "define", term=term, lang=lang))
    else:
        found = term_named(load_content(context.obj.content_dir).definitions, term)
    if json:
        render.as_json(as_json(found, lang))
        return
    language = language_named(lang)
    colon = language("list.colon")
    render.say(f"{found.title(lang)}\n\n{found.text.text(lang)}\n")
    render.say(f"{language('terms.also')}{colon}{language.listed(other_names(found, lang))}")
    render.say(f"{language('terms.source')}{colon}{found.source.what} {found.source.url}")
    if found.note:
        render.say(f"{language('terms.more')}{colon}note:{found.note}")
