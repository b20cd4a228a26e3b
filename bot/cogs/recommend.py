"""`/recommend`, `/path`, `/saved`, `/progress`, `/level`, and the buttons under every reading."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.autocomplete import topic_choices
from bot.button_items import item_of
from bot.buttons import Verbs
from bot.caller import Caller
from bot.client import WarpmateBot
from bot.render.card import Card, Upload, with_note
from bot.render.notes import note_card, problem_card
from bot.render.readings import Practised, path_card, progress_card, recommendation_card, saved_card
from bot.reply import finish_reply, start_reply
from bot.translator import offer_languages
from knowledge.content import Note, ProblemCard
from knowledge.errors import NotFound
from knowledge.recommend import ReadingPath
from knowledge.submit.problem_progress import problem_progress

Interaction = discord.Interaction[Any]
Level = Literal["beginner", "intermediate", "advanced"]
Kind = Literal["note", "article", "book", "code", "course", "docs", "paper", "problem", "video"]
EVENTS = {"done": "read", "easy": "too_easy", "hard": "too_hard", "save": "saved", "unsave": "unsaved"}


class Recommend(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        offer_languages(self.recommend, "language", bot.languages)
        self.recommender = bot.services.recommender
        events = {verb: self._remembering(verb) for verb in EVENTS}
        pages = {"saved_page": self.turn_saved, "path_page": self.turn_path, "progress_page": self.turn_progress}
        bot.answer_to(
            Verbs(
                buttons={**events, **pages, "open": self.open, "at_level": self.show_level},
                selects={"open": self.open_chosen},
            )
        )

    @app_commands.command()
    @app_commands.describe(
        topic="What you want to learn, in any words",
        level="What you are at home with; else as far as you are",
        language="Readings in this language only",
        kind="Readings of this kind only",
        minutes="How much time you have",
        stretch="Include stretch tasks",
        share="Show the list to everybody here",
    )
    async def recommend(
        self,
        interaction: Interaction,
        topic: app_commands.Range[str, 1, 300],
        level: Level | None = None,
        language: str | None = None,
        kind: Kind | None = None,
        minutes: app_commands.Range[int, 1, 6000] | None = None,
        stretch: bool = False,
        share: bool = False,
    ) -> None:
        """What to read next on a topic, in the order to read it"""
        caller = await self.bot.caller(interaction)
        await start_reply(interaction, private=caller.answers_private(not share))
        found = await self.recommender.answer(
            caller.scope,
            level,
            topic,
            caller.lang,
            caller.member_id,
            kinds=frozenset({kind} if kind else ()),
            only_lang=language,
            minutes=minutes,
            stretch=stretch,
        )
        await finish_reply(
            interaction, with_note(recommendation_card(found, caller.language), caller.kept_private(share))
        )

    async def show_level(self, interaction: Interaction, arguments: list[str]) -> None:
        """The same topic at another level, for whoever pressed."""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        level, wish = arguments[:2]
        found = await self.recommender.answer(caller.scope, level, wish, caller.lang, caller.member_id)
        await finish_reply(interaction, recommendation_card(found, caller.language))

    @app_commands.command()
    @app_commands.describe(topic="Where the path leads", share="Show the path to everybody here")
    async def path(
        self, interaction: Interaction, topic: app_commands.Range[str, 1, 100], share: bool = False
    ) -> None:
        """The way to a topic: everything it rests on, in order"""
        caller = await self.bot.caller(interaction)
        await start_reply(interaction, private=caller.answers_private(not share))
        way = await self.recommender.path(caller.scope, topic, caller.lang, caller.member_id)
        picture = await asyncio.to_thread(_picture_of, way, self.bot, caller.lang)
        made = path_card(way, self.bot.services.content.topics, 0, caller.user_id, caller.language, picture)
        await finish_reply(interaction, with_note(made, caller.kept_private(share)))

    @recommend.autocomplete("topic")
    @path.autocomplete("topic")
    async def topics(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return topic_choices(self.bot.services.content.topics, typed, (await self.bot.caller(interaction)).lang)

    @app_commands.command()
    async def saved(self, interaction: Interaction) -> None:
        """What you kept for later"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        readings = await self.recommender.saved(caller.scope, caller.member_id, caller.lang)
        await finish_reply(interaction, saved_card(readings, 0, caller.user_id, caller.language))

    @app_commands.command()
    async def progress(self, interaction: Interaction) -> None:
        """Where you stand, topic by topic"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        await finish_reply(interaction, await self._progress(caller, 0))

    @app_commands.command()
    @app_commands.describe(topic="Any name of a topic", level="Leave it out to go back to the estimate")
    async def level(
        self, interaction: Interaction, topic: app_commands.Range[str, 1, 100], level: Level | None = None
    ) -> None:
        """Set your own level in a topic"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        await self.recommender.set_level(caller.member_id, topic, level, caller.lang)
        said = (
            caller.language("level_set", level=caller.language(f"level.{level}"))
            if level
            else caller.language("level_unset")
        )
        await finish_reply(interaction, said)

    @level.autocomplete("topic")
    async def topics_of_level(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return topic_choices(self.bot.services.content.topics, typed, (await self.bot.caller(interaction)).lang)

    def _remembering(self, verb: str) -> Any:
        async def remember(interaction: Interaction, arguments: list[str]) -> None:
            """Recorded for whoever pressed, whoever asked for the list."""
            await start_reply(interaction)
            caller = await self.bot.caller(interaction)
            with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
                item = await item_of(self.recommender, caller, arguments[0])
                await self.recommender.remember(caller.scope, caller.member_id, item.id, EVENTS[verb])
            await finish_reply(interaction, caller.language(f"remembered.{EVENTS[verb]}"))

        return remember

    async def open(self, interaction: Interaction, arguments: list[str]) -> None:
        """A note or a problem of our own, for whoever pressed."""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        item = await item_of(self.recommender, caller, arguments[0])
        content = self.bot.services.content
        if problem := _problem(content.problems, item.id):
            made = problem_card(problem, self.bot.services.content.texts[problem.slug], caller.language)
        elif note := _note(content.notes, item.id, arguments[1] if len(arguments) > 1 else caller.lang):
            made = note_card(note, caller.language)
        else:
            raise NotFound("error.reading.not_here")
        await finish_reply(interaction, made)

    async def open_chosen(self, interaction: Interaction, _arguments: list[str], values: list[str]) -> None:
        await self.open(interaction, values)

    async def turn_saved(self, interaction: Interaction, arguments: list[str]) -> None:
        owner, page = int(arguments[0]), int(arguments[1])
        caller = await self.bot.owner(interaction, owner)
        readings = await self.recommender.saved(caller.scope, caller.member_id, caller.lang)
        await interaction.response.edit_message(view=saved_card(readings, page, owner, caller.language).view)

    async def turn_path(self, interaction: Interaction, arguments: list[str]) -> None:
        owner, page, topic = int(arguments[0]), int(arguments[1]), arguments[2]
        caller = await self.bot.owner(interaction, owner)
        way = await self.recommender.path(caller.scope, topic, caller.lang, caller.member_id)
        made = path_card(way, self.bot.services.content.topics, page, owner, caller.language, None)
        await interaction.response.edit_message(view=made.view, attachments=[])

    async def turn_progress(self, interaction: Interaction, arguments: list[str]) -> None:
        owner, page = int(arguments[0]), int(arguments[1])
        caller = await self.bot.owner(interaction, owner)
        await interaction.response.edit_message(view=(await self._progress(caller, page)).view)

    async def _progress(self, caller: Caller, page: int) -> Card:
        standings = await self.recommender.progress(caller.scope, caller.member_id)
        problems = [one.slug for one in self.bot.services.content.problems]
        marks = await problem_progress(self.bot.services.store, caller.member_id, problems)
        solved = sum(mark == "solved" for mark in marks.values())
        streak = await self.bot.services.practice.streak(caller.scope, caller.member_id)
        practised = Practised(solved, len(problems), streak)
        return progress_card(standings, practised, page, caller.user_id, caller.language)


def _picture_of(way: ReadingPath, bot: WarpmateBot, lang: str) -> tuple[Upload, str]:
    from knowledge.plots import draw_path

    picture = draw_path(way, bot.services.content.topics, lang=lang, form="png")
    return Upload("path.png", picture.data), picture.alt


def _problem(problems: tuple[ProblemCard, ...], item_id: str) -> ProblemCard | None:
    return next((card for card in problems if f"problem:{card.slug}" == item_id), None)


def _note(notes: tuple[Note, ...], item_id: str, lang: str) -> Note | None:
    sides: dict[str, Note] = {note.lang: note for note in notes if note.id == item_id}
    return sides.get(lang) or next(iter(sides.values()), None)


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Recommend(bot))
