"""`/calc`: the calculators, each with its working."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import WarpmateBot
from bot.render.calc import working_card
from knowledge.calc import NETWORKS, Working, convolution, kernel_occupancy, product, receptive_field
from knowledge.calc.intensity import card_names

Interaction = discord.Interaction[Any]
Format = Literal["fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp64"]
Size = app_commands.Range[int, 1, 1 << 20]
Card = app_commands.Range[str, 1, 60]


class Calc(
    commands.GroupCog, group_name="calc", group_description="Arithmetic intensity, receptive fields, occupancy"
):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot

    @app_commands.command()
    @app_commands.rename(channels_in="in", channels_out="out", form="format")
    @app_commands.describe(
        kernel="Side of the square kernel",
        channels_in="Input channels",
        channels_out="Output channels",
        height="Height of the map",
        width="Width of the map",
        batch="Images at once",
        stride="Stride of the kernel",
        form="Number format",
        card="A GPU of the table",
    )
    async def conv(
        self,
        interaction: Interaction,
        kernel: Size,
        channels_in: Size = 64,
        channels_out: Size = 64,
        height: Size = 56,
        width: Size = 56,
        batch: Size = 1,
        stride: Size = 1,
        form: Format = "fp32",
        card: Card = "h200",
    ) -> None:
        """Intensity and roofline position of a convolution"""
        await self._show(
            interaction,
            lambda: convolution(
                kernel=kernel, channels_in=channels_in, channels_out=channels_out, height=height, width=width,
                batch=batch, stride=stride, form=form, card=card,
            ),
        )  # fmt: skip

    @app_commands.command()
    @app_commands.rename(form="format")
    @app_commands.describe(
        m="Rows of A and C", n="Columns of B and C", k="Columns of A, rows of B", form="Number format",
        card="A GPU of the table",
    )  # fmt: skip
    async def gemm(
        self, interaction: Interaction, m: Size, n: Size, k: Size, form: Format = "fp32", card: Card = "h200"
    ) -> None:
        """Intensity and roofline position of a matrix product"""
        await self._show(interaction, lambda: product(m=m, n=n, k=k, form=form, card=card))

    @app_commands.command(name="receptive-field")
    @app_commands.choices(network=[app_commands.Choice(name=name, value=name) for name in NETWORKS])
    @app_commands.describe(network="A network of the table")
    async def receptive_field(self, interaction: Interaction, network: str) -> None:
        """How far back into the image one value of the last layer sees"""
        await self._show(interaction, lambda: receptive_field(network))

    @app_commands.command()
    @app_commands.describe(
        threads="Threads of a block", registers="Registers of a thread", shared="Bytes of shared memory of a block",
        card="A GPU of the table",
    )  # fmt: skip
    async def occupancy(
        self,
        interaction: Interaction,
        threads: app_commands.Range[int, 1, 1024],
        registers: app_commands.Range[int, 1, 255],
        shared: app_commands.Range[int, 0, 262144] = 0,
        card: Card = "h200",
    ) -> None:
        """Resident warps of a kernel, and what limits them"""
        await self._show(
            interaction,
            lambda: kernel_occupancy(block_threads=threads, registers=registers, shared_bytes=shared, card=card),
        )

    @conv.autocomplete("card")
    @gemm.autocomplete("card")
    @occupancy.autocomplete("card")
    async def cards(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found = [name for name in card_names() if typed.lower() in name.lower()]
        return [app_commands.Choice(name=name, value=name) for name in found[:25]]

    async def _show(self, interaction: Interaction, calculate: Callable[[], Working]) -> None:
        caller = await self.bot.caller(interaction)
        made = working_card(calculate(), caller.language)
        await interaction.response.send_message(view=made.view, ephemeral=caller.answers_private(None))


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Calc(bot))
