"""The order of the waiting room, for any mixture of arrivals and departures."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from worker.protocol import Form, Job
from worker.queue.fair import FairLine

members = st.lists(st.sampled_from("abcd"), max_size=40)


def line_of(arrivals: list[str]) -> FairLine:
    line = FairLine()
    for number, member in enumerate(arrivals):
        line.join(Job(f"{member}{number}", Form.SNIPPET, "", queued_by=member))
    return line


def drained(line: FairLine) -> list[Job]:
    return [job for _ in range(len(line)) if (job := line.pop(lambda _: True))]


@given(members)
def test_everybody_is_served_once_and_in_their_own_order(arrivals: list[str]) -> None:
    served = [job.submission for job in drained(line_of(arrivals))]
    assert sorted(served) == sorted(f"{member}{number}" for number, member in enumerate(arrivals))
    for member in set(arrivals):
        own = [int(name[1:]) for name in served if name[0] == member]
        assert own == sorted(own)


@given(members)
def test_no_member_is_served_twice_more_than_another_who_still_waits(arrivals: list[str]) -> None:
    served = [job.queued_by for job in drained(line_of(arrivals))]
    for end in range(len(served)):
        waiting = set(served[end:])
        counts = {member: served[:end].count(member) for member in waiting}
        assert max(counts.values(), default=0) - min(counts.values(), default=0) <= 1


@given(members, st.data())
def test_positions_foretell_the_order(arrivals: list[str], data: st.DataObject) -> None:
    line = line_of(arrivals)
    names = [f"{member}{number}" for number, member in enumerate(arrivals)]
    for gone in data.draw(st.lists(st.sampled_from(names), unique=True)) if names else []:
        assert line.remove(gone)
    left = {name: line.position(name) for name in names if line.position(name) is not None}
    assert [job.submission for job in drained(line)] == sorted(left, key=lambda name: left[name] or 0)


def test_a_late_member_does_not_wait_behind_forty_jobs_of_another() -> None:
    line = line_of(["a"] * 40)
    for _ in range(5):
        line.pop(lambda _: True)
    line.join(Job("late", Form.SNIPPET, "", queued_by="b"))
    assert line.position("late") == 0


def test_a_member_whose_jobs_were_served_has_no_debt_left() -> None:
    line = line_of(["a"] * 3)
    drained(line)
    line.join(Job("b", Form.SNIPPET, "", queued_by="b"))
    line.join(Job("a", Form.SNIPPET, "", queued_by="a"))
    line.join(Job("b2", Form.SNIPPET, "", queued_by="b"))
    assert [job.submission for job in drained(line)] == ["b", "a", "b2"]


def test_a_job_given_back_comes_before_everybody() -> None:
    line = line_of(["a", "b"])
    first = line.pop(lambda _: True)
    assert first is not None
    line.return_to_front(first)
    assert line.position(first.submission) == 0


def test_a_job_that_does_not_suit_is_passed_over_and_keeps_its_place() -> None:
    line = line_of(["a", "b"])
    taken = line.pop(lambda job: job.queued_by == "b")
    assert taken is not None
    assert taken.submission == "b1"
    assert line.position("a0") == 0
