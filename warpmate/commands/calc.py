"""`warpmate calc`: the calculators, each with its working."""

from __future__ import annotations

from typing import Annotated

import typer

from knowledge.calc import NETWORKS, Working, convolution, kernel_occupancy, product, receptive_field
from knowledge.words import ENGLISH
from warpmate.options import AsJson, Lang, language_named
from warpmate.render import as_json, say, table

calc = typer.Typer(help="Intensity, receptive fields, occupancy, with the working.", no_args_is_help=True)

Card = Annotated[str, typer.Option("--card", help="A card of the table, for instance h200, a100 or t4.")]
Form = Annotated[str, typer.Option("--format", help="fp32, tf32, fp16, bf16, fp8, int8 or fp64.")]


def register(app: typer.Typer) -> None:
    app.add_typer(calc, name="calc")


@calc.command()
def conv(
    kernel: Annotated[int, typer.Argument(help="Side of the square kernel: 1, 3, 5 …")],
    channels_in: Annotated[int, typer.Option("--in", help="Input channels.")] = 64,
    channels_out: Annotated[int, typer.Option("--out", help="Output channels.")] = 64,
    height: Annotated[int, typer.Option(help="Height of the map.")] = 56,
    width: Annotated[int, typer.Option(help="Width of the map.")] = 56,
    batch: Annotated[int, typer.Option(help="Images at once.")] = 1,
    stride: Annotated[int, typer.Option(help="Stride of the kernel.")] = 1,
    form: Form = "fp32",
    card: Card = "h200",
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """Intensity and roofline position of a convolution."""
    working = convolution(
        kernel=kernel, channels_in=channels_in, channels_out=channels_out, height=height, width=width, batch=batch,
        stride=stride, form=form, card=card,
    )  # fmt: skip
    _show(working, lang, json)


@calc.command()
def gemm(
    m: Annotated[int, typer.Argument(help="Rows of A and C.")],
    n: Annotated[int, typer.Argument(help="Columns of B and C.")],
    k: Annotated[int, typer.Argument(help="Columns of A, rows of B.")],
    form: Form = "fp32",
    card: Card = "h200",
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """Intensity and roofline position of a matrix product."""
    _show(product(m=m, n=n, k=k, form=form, card=card), lang, json)


@calc.command("receptive-field")
def receptive_field_(
    network: Annotated[str, typer.Argument(help=f"One of {', '.join(NETWORKS)}.")],
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """How much of the image one value of the last layer sees. Layer by layer."""
    _show(receptive_field(network), lang, json)


@calc.command()
def occupancy(
    block_threads: Annotated[int, typer.Argument(help="Threads of a block.")],
    registers: Annotated[int, typer.Argument(help="Registers of a thread.")],
    shared_bytes: Annotated[int, typer.Argument(help="Bytes of shared memory of a block.")] = 0,
    card: Card = "h200",
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """Resident warps of a kernel, and what limits them."""
    working = kernel_occupancy(block_threads=block_threads, registers=registers, shared_bytes=shared_bytes, card=card)
    _show(working, lang, json)


def _show(working: Working, lang: str, json: bool) -> None:
    language = language_named(lang)
    if json:
        as_json(working.as_json(language))
        return
    headings = (language("calc.step"), language("calc.formula"), language("calc.value"))
    rows = [(language.say(step.name), step.formula_in(language), step.shown) for step in working.steps]
    table(language.say(working.title), headings, rows)
    say(language.say(working.conclusion))
