"""Questions that a short calculation answers: the formula with the numbers of the question in it.

    训练 7B 模型 1T token 要多少 FLOPs                6 × 7e9 × 1e12 = 4.2e22
    KV cache: 32 layers, 8 KV heads, head dim 128    2 × 32 × 8 × 128 × 2 bytes = 128 KiB a token

Only where every number that the formula needs is there; whatever else is asked is left to the pages.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from knowledge.calc.intensity import FORMAT_BYTES
from knowledge.figures.answer import FiguresAnswer
from knowledge.figures.asked import figures_claimed
from knowledge.text.fold import fold
from knowledge.words import Message

_LONGEST = 300
_MOST_OF_MEMORY = 0.9
"""Of a card: the rest is for the KV cache, the activations and the context of CUDA."""
_OTHER_NAMES = {
    "float32": "fp32", "float16": "fp16", "half": "fp16", "16-bit": "fp16", "bfloat16": "bf16", "8-bit": "int8",
}  # fmt: skip
_BYTES: Mapping[str, float] = {
    **FORMAT_BYTES,
    **{name: FORMAT_BYTES[form] for name, form in _OTHER_NAMES.items()},
    **dict.fromkeys(("fp4", "int4", "nf4", "4-bit"), 0.5),
}
_BITS = re.compile(r"(?<!\d)(16|8|4)\s*(?:-?\s*bits?|位|比特)(?![a-z\d])")
_FORMAT = re.compile(r"(?<![a-z\d])(" + "|".join(sorted(_BYTES, key=len, reverse=True)) + r")(?![a-z\d])")
_PARAMETERS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*(?:b|billion)(?:illion)?(?![a-z\d])")
_TOKENS = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?)\s*(t|b|trillion|billion)\s*(?:个)?\s*(?:training\s*)?(?:tokens?|词元)"
)
_MEMORY = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*(?:gb|gib|gigs?|g)(?![a-z\d/])")
_WEIGHTS = re.compile(r"weight|param|fit|model|memory|vram|load|run|serv|权重|参数|显存|模型|装得?下|放得?下|跑")
_NOT_WEIGHTS = re.compile(
    r"train|fine-?tun|lora|adam|optimi[sz]er|kv|token|flop|latency|speed|bandwidth|utili|config|version|gptq|awq"
    r"|how many \w*\s*(?:gpu|card)|训练|微调|优化器|激活|缓存|速度|延迟|带宽|利用率|几张|多少张"
)
_SEVERAL_CARDS = re.compile(
    r"\b(?:two|three|four|eight|[2-9]|\d\d+)\s*(?:x|×)?\s*(?:\w+\s+){0,2}(?:gpu|card)s\b|\b[2-9]x\s|[两二三四八\d]\s*张"
)
_TIMES_A_CARD = re.compile(r"(?<![\w.])([2-9]|1[0-6])\s*[x×*]\s*(?:nvidia\s+|rtx\s+)?[a-z]{0,4}\d{2,4}")
"""8xH100-80GB: so many of one card."""
_FLOPS = re.compile(r"flop|compute|计算量|算力|运算")
_LAYERS = re.compile(r"(\d+)\s*(?:transformer\s*)?(?:layers?|层)")
_KV_HEADS = re.compile(r"(\d+)\s*(?:个\s*)?(?:kv|key[- ]value|键值)\s*-?(?:heads?|头)")
_HEADS = re.compile(r"(\d+)\s*(?:个\s*)?(?:attention\s*)?(?:heads?|头)")
_HEAD_SIZE = re.compile(
    r"(?:head[ _-]?(?:dim(?:ension)?|size)|头维度|head_dim|每头)\s*(?:=|of|is|是|为)?\s*(\d+)"
    r"|heads?\s+of\s+(\d+)|(\d+)\s*(?:维|dim)"
)
_CONTEXT = re.compile(
    r"(\d+)\s*(k)?[ -]*(?:tokens?|token context|context|词元|上下文|长度)"
    r"|(?:context|上下文|长度)(?: of| length)?\s*(\d+)\s*(k)?"
)
_BUS = re.compile(r"(\d{2,5})\s*-?(?:bit|位)")
_PER_PIN = re.compile(r"(\d+(?:\.\d+)?)\s*(?:gbps|gbit/s|gb/s/pin|gt/s)")
_GRID = re.compile(
    r"(?:grid|launch|total|一共|共|总共)\D{0,12}?(\d+)\s*(?:个\s*)?(?:blocks?|块)"
    r"|(\d+)\s*(?:个\s*)?(?:blocks?|块)\s*in (?:the|my) grid|(\d+)\s*(?:个\s*)?(?:blocks?|块)\s*in total"
)
_PER_SM = re.compile(
    r"(\d+)\s*(?:个\s*)?(?:blocks?|块)?\s*(?:per|/|a)\s*sm|每(?:个)?\s*sm\s*(?:上)?\s*(?:能)?(?:放|驻留|跑|有)?\s*(\d+)"
)
_WAVE = re.compile(r"wave|波")
_SMS = re.compile(r"(\d+)\s*(?:个\s*)?sms?(?![a-z])")


def worked(question: str) -> FiguresAnswer | None:
    """The calculation that the question asks for; None where it asks for something else, or lacks a number."""
    text = fold(question).lower().strip()
    if not text or len(text) > _LONGEST:
        return None
    for work in (_training, _kv_cache, _bus_bandwidth, _waves):
        if sentences := tuple(work(text)):
            return FiguresAnswer((), (), sentences)
    return None


def weights_worked(question: str) -> FiguresAnswer | None:
    """Memory of a model's weights, `will 13B in fp16 fit in 24 GB`: it stands before what pages say of it."""
    text = fold(question).lower().strip()
    sentences = tuple(_weights(_BITS.sub(r"\1-bit", text))) if text and len(text) <= _LONGEST else ()
    return FiguresAnswer((), (), sentences) if sentences else None


def _training(text: str) -> Iterator[Message]:
    """Floating-point operations of a training: six for each parameter and token."""
    tokens = _TOKENS.search(text)
    if tokens and _FLOPS.search(text) and (size := _parameters(text.replace(tokens[0], " "))):
        many = float(tokens[1]) * (1e12 if tokens[2].startswith("t") else 1e9)
        yield Message("worked.training", parameters=_plain(size), tokens=_plain(many), flops=_plain(6 * size * many))


def _kv_cache(text: str) -> Iterator[Message]:
    layers, size = _LAYERS.search(text), _HEAD_SIZE.search(text)
    heads = _KV_HEADS.search(text) or _HEADS.search(text)
    if not (layers and heads and size and re.search(r"kv|键值", text)):
        return
    form = _FORMAT.search(text)
    each = _BYTES[form[1]] if form else 2.0
    wide = next(int(found) for found in size.groups() if found)
    one = 2 * int(layers[1]) * int(heads[1]) * wide * each
    yield Message(
        "worked.kv_token",
        layers=layers[1],
        heads=heads[1],
        size=wide,
        bytes=f"{each:g}",
        all=f"{one:.0f}",
        kib=_kib(one),
    )
    if tokens := _context(text):
        yield Message("worked.kv_context", tokens=tokens, kib=_kib(one), all=_gib(one * tokens))


def _context(text: str) -> int:
    found = _CONTEXT.search(text)
    if found is None:
        return 0
    number, thousands = (found[1], found[2]) if found[1] else (found[3], found[4])
    return int(number) * (1024 if thousands else 1)


def _bus_bandwidth(text: str) -> Iterator[Message]:
    """Of a memory bus: bits that are moved at once, times how often in a second."""
    bus, rate = _BUS.search(text), _PER_PIN.search(text)
    if bus and rate and re.search(r"bandwidth|带宽", text):
        per_s = int(bus[1]) / 8 * float(rate[1])
        yield Message("worked.bus", bits=bus[1], rate=rate[1], bandwidth=f"{per_s:g}")


def _waves(text: str) -> Iterator[Message]:
    """Rounds in which the blocks of a grid run, and how full the last one is."""
    grid, per_sm = _GRID.search(text), _PER_SM.search(text)
    if not (grid and per_sm and _WAVE.search(text)):
        return
    blocks, each = (next(int(found) for found in one.groups() if found) for one in (grid, per_sm))
    multiprocessors = _multiprocessors(text)
    if multiprocessors and each:
        together = multiprocessors * each
        last = blocks % together or together
        yield Message(
            "worked.waves", sms=multiprocessors, each=each, together=together, blocks=blocks,
            waves=math.ceil(blocks / together), last=last, share=last / together,
        )  # fmt: skip


def _multiprocessors(text: str) -> int:
    """As the question says, or as the table says of the card that it names."""
    if found := _SMS.search(text):
        return int(found[1])
    claimed = figures_claimed(f"{text} 1 sm")
    cards = claimed[0].cards if claimed else ()
    return int(cards[0].figure("multiprocessors") or 0) if len(cards) == 1 else 0


def _weights(text: str) -> Iterator[Message]:
    """Memory of the weights in the forms that are named, or in three; whether one card of a size holds them."""
    size = _parameters(text)
    if not size or not _WEIGHTS.search(text) or _NOT_WEIGHTS.search(text) or _SEVERAL_CARDS.search(text):
        return
    named, memory = tuple(dict.fromkeys(_FORMAT.findall(text))), _memory(text)
    if len(named) == 1:
        need = size / 1e9 * _BYTES[named[0]]
        yield Message("worked.weights", parameters=_plain(size), bytes=f"{_BYTES[named[0]]:g}", all=f"{need:g}")
        if memory:
            yield _fits(need, memory)
    elif named or memory:
        sizes = {form: size / 1e9 * _BYTES[form] for form in ("fp16", "int8", "int4")}
        shown = {form: f"{need:g}" for form, need in sizes.items()}
        yield Message("worked.weights_by_form", parameters=_plain(size), **shown)
        if memory:
            yield _widest(sizes, memory)


def _memory(text: str) -> float:
    """Of the card that is named, or of all of them where a number stands before it; 0 without one."""
    memory, cards = _MEMORY.search(text), _TIMES_A_CARD.search(text)
    return float(memory[1]) * (int(cards[1]) if cards else 1) if memory else 0.0


def _widest(sizes: Mapping[str, float], memory: float) -> Message:
    """The widest form that leaves a tenth of the memory free."""
    fitting = next((form for form, need in sizes.items() if need < _MOST_OF_MEMORY * memory), None)
    if fitting is None:
        return _fits(min(sizes.values()), memory)
    return Message("worked.widest", memory=f"{memory:g}", form=fitting.upper(), all=f"{sizes[fitting]:g}")


def _fits(need: float, memory: float) -> Message:
    which = (
        "worked.fits" if need < _MOST_OF_MEMORY * memory else "worked.tight" if need <= memory else "worked.fits_not"
    )
    return Message(which, need=f"{need:g}", memory=f"{memory:g}")


def _parameters(text: str) -> float:
    found = [float(one[1]) for one in _PARAMETERS.finditer(text)]
    return found[0] * 1e9 if len(found) == 1 else 0.0


def _plain(number: float) -> str:
    """13e9, 4.2e22: as one writes it down."""
    exponent = math.floor(math.log10(number)) // 3 * 3 if number < 1e15 else math.floor(math.log10(number))
    return f"{number / 10**exponent:g}e{exponent}"


def _kib(size: float) -> str:
    return f"{size / 1024:g} KiB"


def _gib(size: float) -> str:
    return f"{size / 2**30:.3g} GiB" if size >= 2**30 else f"{size / 2**20:.4g} MiB"
