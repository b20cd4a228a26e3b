"""The bridge between the languages."""

from __future__ import annotations

from pathlib import Path

from knowledge.content import load_glossary
from knowledge.search.bridge import Bridge, Pair, common_pairs
from knowledge.search.stated_pairs import stated_pairs

CONTENT = Path(__file__).parents[4] / "content"
BRIDGE = Bridge(
    [
        Pair(("shared memory",), ("共享内存",)),
        Pair(("memory",), ("内存",)),
        Pair(("bank conflict",), ("存储体冲突",)),
        Pair(("avoid",), ("避免",)),
        Pair(("kernel",), ("核函数", "内核")),
    ]
)


def test_a_chinese_question_reads_in_english() -> None:
    assert BRIDGE.rendered("怎样避免共享内存的存储体冲突？") == "avoid shared memory bank conflict ?"


def test_latin_words_numbers_and_code_stay_as_they_are() -> None:
    assert BRIDGE.rendered("在 sm_90 上 cudaMemcpyAsync 的内存") == "sm_90 cudaMemcpyAsync memory"


def test_the_longest_term_wins() -> None:
    assert [piece.other for piece in BRIDGE.pieces("共享内存", "zh")] == [("shared memory",)]


def test_an_english_term_has_all_its_chinese_names_in_any_form() -> None:
    (piece,) = BRIDGE.pieces("Kernels", "en")
    assert piece.other == ("核函数", "内核")


def test_function_words_are_no_pieces() -> None:
    assert [piece.text for piece in BRIDGE.pieces("What is the shared memory of a kernel?", "en")] == [
        "shared memory",
        "kernel",
    ]


def test_a_word_without_a_term_is_kept_without_a_translation() -> None:
    (piece,) = BRIDGE.pieces("webcam", "en")
    assert piece.other == ()


def test_pairs_that_pages_state_fill_gaps_and_never_displace_ours() -> None:
    bridge = Bridge(
        [Pair(("monitor",), ("监视器",))], [Pair(("monitor",), ("管程",)), Pair(("huge page",), ("大页",))]
    )
    assert [piece.other for piece in bridge.pieces("monitor", "en")] == [("监视器",)]
    assert [piece.other for piece in bridge.pieces("huge pages", "en")] == [("大页",)]


def test_names_in_brackets_are_found_in_pages() -> None:
    pairs = stated_pairs(
        [
            "提出了一种高级同步原语，称为 管程 (Monitor)。",
            "空洞卷积（Dilated Convolution）也叫膨胀卷积。",
            "这由内存管理单元（MMU）完成。",
        ]
    )
    assert Pair(("monitor",), ("管程",)) in pairs
    assert Pair(("dilated convolution",), ("空洞卷积",)) in pairs
    assert all(pair.en != ("mmu",) for pair in pairs)


def test_the_shipped_words_bridge_a_question_of_the_field() -> None:
    terms = load_glossary(CONTENT).terms
    bridge = Bridge([*(Pair(term.en, term.zh) for term in terms), *common_pairs()])
    rendered = bridge.rendered("怎样减少线程束分化并提高占用率？")
    assert {"reduce", "divergence", "occupancy"} <= set(rendered.replace("?", "").split())


def test_an_identifier_keeps_its_leading_underscores() -> None:
    (piece,) = BRIDGE.pieces("__syncthreads()", "en")
    assert piece.text == "__syncthreads"


def test_a_row_of_everyday_characters_is_no_name_and_one_of_others_is() -> None:
    assert [piece.text for piece in BRIDGE.pieces("内核要先装好", "zh")] == ["内核"]
    assert "璠玙" in [piece.text for piece in BRIDGE.pieces("璠玙的内存", "zh")]


def test_an_abbreviation_is_also_looked_for_by_the_name_that_it_stands_for() -> None:
    bridge = Bridge(
        [Pair(("learning rate", "LR"), ("学习率",)), Pair(("thread block", "cooperative group"), ("线程块",))]
    )
    short, long = bridge.pieces("lr of the cooperative group", "en")
    assert (short.spelled, long.spelled) == ("learning rate", "")


def test_terms_of_the_field_are_told_from_general_words() -> None:
    bridge = Bridge([Pair(("warp",), ("线程束",)), Pair(("color",), ("颜色",), general=True)])
    assert [piece.term for piece in bridge.pieces("warp color bitcoin", "en")] == [True, False, False]
    assert [piece.term for piece in bridge.pieces("线程束颜色", "zh")] == [True, False]
