"""Pictures hold what they say, in both formats and languages, and tell it in words too."""

from __future__ import annotations

import copy
import struct
import warnings
from dataclasses import asdict
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from knowledge.plots import Roof, RooflinePoint, draw_path, draw_roofline
from knowledge.plots.picture import CJK_FONTS, DARK, LIGHT, Format
from knowledge.plots.verdict_roofline import draw_measured
from knowledge.recommend.history import history_of
from knowledge.recommend.path import path_to
from knowledge.recommend.shelf import shelf_of
from tests.shipped_content import shipped_content
from worker.canned import accepted
from worker.hardware.roofline import Ceilings
from worker.protocol import Backend, Card, Form, Job, Timing, WorkerState

H200 = Ceilings(gb_per_s=4000, gflop_per_s=60_000)
POINTS = [RooflinePoint("vector_add", 1 / 12, 250), RooflinePoint("matmul", 600, 48_000)]
ROOF = Roof("NVIDIA H200", H200, POINTS)
CONTENT = shipped_content()


def texts(svg: bytes) -> str:
    return " ".join(
        "".join(node.itertext()) for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("text")
    )


def png_size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_a_roofline_names_its_ceilings_and_each_points_share() -> None:
    shown = texts(draw_roofline(ROOF).data)
    assert "memory: 4000 GB/s" in shown
    assert "arithmetic: 60.0 TFLOP/s" in shown
    assert "vector_add  75%" in shown
    assert "matmul  80%" in shown


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_verdict_stands_under_what_a_worker_measured_on_its_card_else_under_the_datasheet(lang: str) -> None:
    job = Job("s", Form.KERNEL, "", "vector_add", Backend.GPU, "ann", 1)
    timing = Timing({"n": 1024}, 412.0, 409.5, 420.1, 30, 3900.0, 325.0, 0.93, "memory")
    verdict = replace(accepted(job), card=Card("NVIDIA H200", "sm_90", "580"), timing=(timing,))
    theirs = WorkerState("w", Card("NVIDIA L4", "sm_89", "580"), (Backend.GPU,), None, 250.0, 30_000.0)
    ours = WorkerState("w", verdict.card, (Backend.GPU,), None, 4193.0, 59_000.0)
    said = {
        "measured": {"en": "measured on this card", "zh": "在该卡上实测"},
        "sheet": {"en": "datasheet", "zh": "数据手册"},
    }
    measured, sheet = draw_measured(verdict, (theirs, ours), lang=lang), draw_measured(verdict, (theirs,), lang=lang)
    assert measured
    assert "4193 GB/s" in measured.alt
    assert said["measured"][lang] in texts(measured.data)
    assert sheet
    assert "4800 GB/s" in sheet.alt
    assert said["sheet"][lang] in texts(sheet.data)


def test_the_words_beside_a_roofline_say_the_same() -> None:
    alt = draw_roofline(ROOF, lang="zh").alt
    assert "相交于每字节 15.0 FLOP" in alt
    assert "vector_add：每字节 0.08 FLOP，达到 250 GFLOP/s，是内存带宽上限的 75%" in alt


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_png_is_a_picture_large_enough_to_read(lang: str) -> None:
    picture = draw_roofline(ROOF, lang=lang, form="png")
    width, height = png_size(picture.data)
    assert width >= 1000
    assert height >= 600


@pytest.mark.parametrize("form", ["svg", "png"])
@pytest.mark.parametrize("has_chinese_font", [True, False])
def test_chinese_is_drawn_without_a_complaint_whether_or_not_this_machine_has_the_font(
    form: Format, has_chinese_font: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from matplotlib import font_manager

    fonts = [font for font in font_manager.fontManager.ttflist if has_chinese_font or font.name not in CJK_FONTS]
    monkeypatch.setattr(font_manager, "fontManager", copy.copy(font_manager.fontManager))
    monkeypatch.setattr(font_manager.fontManager, "ttflist", fonts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture = draw_roofline(ROOF, lang="zh", form=form)
    assert caplog.messages == []
    if form == "svg":
        assert "内存：4000 GB/s" in texts(picture.data)
        assert b"sans-serif" in picture.data


def test_the_same_input_gives_the_same_svg() -> None:
    assert draw_roofline(ROOF).data == draw_roofline(ROOF).data


KNOWN = history_of([("note:what-is-cuda", "read"), ("note:memory-hierarchy", "read")])


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("goal", ["tiling", "attention", "sparsity", "cpp"])
def test_a_way_shows_every_topic_once_in_the_order_of_the_list_and_folds_what_is_done(goal: str, lang: str) -> None:
    way = path_to(shelf_of(CONTENT), goal, KNOWN, lang)
    svg = ElementTree.fromstring(draw_path(way, CONTENT.topics, lang=lang).data)
    shown = ["".join(node.itertext()) for node in svg.iter() if node.tag.endswith("text")]
    names = [CONTENT.topics[stop.topic].title.text(lang) for stop in way.ahead]
    assert [text for text in shown if text in names] == names
    assert ("✓" in shown) == bool(way.done)
    assert not {CONTENT.topics[stop.topic].title.text(lang) for stop in way.done} & set(shown)


@pytest.mark.parametrize("goal", ["attention", "sparsity", "distributed-training"])
def test_a_way_fits_a_phone_and_each_name_has_a_row_of_its_own(goal: str) -> None:
    way = path_to(shelf_of(CONTENT), goal, history_of([]), "en")
    width, height = png_size(draw_path(way, CONTENT.topics, form="png").data)
    assert width <= 5.2 * 144
    assert height / len(way.stops) >= 40


def test_every_topic_is_reached_by_a_way_whose_picture_and_list_agree() -> None:
    shelf = shelf_of(CONTENT)
    for topic in CONTENT.topics:
        way = path_to(shelf, topic.id, history_of([]), "en")
        order = [stop.topic for stop in way.stops]
        assert len(set(order)) == len(order), topic.id
        assert order[-1] == topic.id
        assert all(order.index(need) < order.index(needing) for needing, need in way.needs), topic.id
        assert len(order) == 1 or set(order) <= {name for pair in way.needs for name in pair}, topic.id


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_svg_has_the_colours_of_both_schemes_and_a_png_those_of_the_dark(lang: str) -> None:
    way = path_to(shelf_of(CONTENT), "tiling", history_of([]), lang)
    for svg in (draw_path(way, CONTENT.topics, lang=lang).data, draw_roofline(ROOF, lang=lang).data):
        assert b"prefers-color-scheme:dark" in svg
        style, drawn = svg.split(b"</style>", 1)
        assert [colour for colour in asdict(LIGHT).values() if colour.encode() in drawn] == []
        assert all(colour.encode() in style for palette in (LIGHT, DARK) for colour in asdict(palette).values())
        assert b"#000000" not in drawn.replace(b"stroke: #000000; stroke-width: 0", b"")


def test_hostile_names_stay_text_in_the_svg() -> None:
    picture = draw_roofline(Roof("<script>alert(1)</script>", H200, [RooflinePoint('"><img src=x>', 1, 1)]))
    assert b"<script>" not in picture.data
    assert b"<img" not in picture.data
    assert "<script>alert(1)</script>" in texts(picture.data)
