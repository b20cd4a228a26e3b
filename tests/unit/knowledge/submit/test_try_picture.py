"""The picture of one access of a warp: which words are asked for, which banks have to give several in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from knowledge.submit.try_picture import MOST_ROWS, Picture, lanes_text, picture_of
from worker.protocol import Access


def access(space: Literal["global", "shared"], size: int, offsets: Sequence[int], ideal: int) -> Access:
    lanes = tuple(range(len(offsets)))
    return Access(1, "load", space, "x", size, (0, 0, 0), lanes, tuple(offsets), len(offsets), ideal)


def touches(picture: Picture) -> Counter[str]:
    return Counter(cell.touch for row in picture.rows for cell in row.cells)


def test_neighbours_fill_whole_sectors() -> None:
    picture = picture_of(access("global", 4, [4 * lane for lane in range(32)], 4))
    assert touches(picture) == {"used": 32}
    assert [row.name for row in picture.rows] == ["+0", "+32", "+64", "+96"]
    assert [cell.lanes for cell in picture.rows[1].cells] == [str(lane) for lane in range(8, 16)]


def test_a_stride_leaves_words_that_are_moved_for_nobody() -> None:
    picture = picture_of(access("global", 4, [128 * lane for lane in range(32)], 4))
    assert touches(picture) == {"used": 32, "wasted": 7 * 32}
    assert [cell.lanes for cell in picture.rows[3].cells] == ["3"] + [""] * 7


def test_rows_that_do_not_fit_are_counted() -> None:
    picture = picture_of(access("global", 16, [4096 * lane + 24 for lane in range(32)], 16))
    assert (len(picture.rows), picture.hidden) == (MOST_ROWS, 32)


def test_an_access_before_its_buffer_is_drawn_where_it_is() -> None:
    (row,) = picture_of(access("global", 4, [-4], 1)).rows
    assert (row.name, row.cells[7].lanes) == ("-32", "0")


def test_a_column_of_a_square_tile_asks_one_bank_for_every_word() -> None:
    picture = picture_of(access("shared", 4, [128 * lane for lane in range(32)], 1))
    assert touches(picture) == {"conflict": 1, "idle": 31}
    assert (picture.rows[0].cells[0].words, picture.rows[0].cells[0].lanes) == (32, "0-31")


def test_padding_and_a_broadcast_are_no_conflicts() -> None:
    padded = picture_of(access("shared", 4, [132 * lane for lane in range(32)], 1))
    assert touches(padded) == {"used": 32}
    assert touches(picture_of(access("shared", 4, [64] * 32, 1))) == {"used": 1, "idle": 31}


def test_wide_neighbours_are_no_conflict_though_each_bank_gives_several_words() -> None:
    assert touches(picture_of(access("shared", 16, [16 * lane for lane in range(32)], 4))) == {"used": 32}
    assert touches(picture_of(access("shared", 8, [8 * lane for lane in range(32)], 2))) == {"used": 32}


def test_lanes_are_named_shortly() -> None:
    assert [lanes_text(lanes) for lanes in ([], [3], [0, 1, 2], [0, 2, 4])] == ["·", "3", "0-2", "0,+2"]
