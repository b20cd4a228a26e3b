"""After *accepted*: figures of this very kernel, and a next problem that is in reach."""

from __future__ import annotations

import re
from collections.abc import Collection

import pytest
from msgspec.structs import replace

from knowledge.content.solution_times import SolutionTimes
from knowledge.practice.after_accepted import left_on_the_table
from knowledge.practice.next_problem import next_problem
from knowledge.submit.problem_progress import ProblemProgress
from tests.folders import CONTENT
from tests.shipped_content import shipped_content
from tests.unit.knowledge.prediction.test_prediction import WHOLE, looping
from worker.canned import accepted
from worker.diagnosis.catalogue import FindingCatalogue
from worker.protocol import Backend, Card, Finding, Form, Job, Timing

JOB = Job("01", Form.KERNEL, "source", "vector_add")
VERDICT = replace(accepted(JOB), backend=Backend.EMULATOR, card=None)
LOW = {"share": "25%", "limiter": "registers", "amount": "128", "kernel": "k"}
NOTHING = SolutionTimes()
H200 = Card("NVIDIA H200", "sm_90", "580")


def left(*findings: Finding, lang: str = "en", known: SolutionTimes = NOTHING) -> list[str]:
    return [line.text(lang) for line in left_on_the_table(replace(VERDICT, findings=findings), known)]


def timed(*shares: float | None, lang: str = "en") -> list[str]:
    timing = tuple(
        Timing({"n": n}, 400.0, 399.0, 401.0, 20, 3000.0, None, share, "memory") for n, share in enumerate(shares, 1)
    )
    return [line.text(lang) for line in left_on_the_table(replace(VERDICT, card=H200, timing=timing), NOTHING)]


def catalogued(name: str, line: int | None = None, **evidence: object) -> Finding:
    """A finding as the judge words it: what it calls its evidence is what is read here."""
    return FindingCatalogue.load(CONTENT / "findings.toml").finding(name, line, **evidence)


def test_a_measured_kernel_is_told_how_much_of_its_time_is_left() -> None:
    assert timed(0.75) == ["n=1: 400.0 µs, where the NVIDIA H200 could do it in 300.0 µs: 25% of the time is left."]
    assert timed(0.75, lang="zh") == [
        "n=1：用了 400.0 µs，而 NVIDIA H200 最快可以做到 300.0 µs，还有 25% 的时间可以省。"
    ]
    assert len(timed(0.75, 0.99)) == 1


def test_a_kernel_at_the_limit_is_told_so() -> None:
    assert timed(0.98, 1.02) == [
        "Nothing worth naming: at every size its time is within 3% of the best that the card can do."
    ]


def test_a_kernel_that_was_counted_is_told_a_time_and_what_limits_it() -> None:
    verdict = replace(VERDICT, counted=(WHOLE,))
    taken = {"problem": "vector_add", "solution": "best", "sizes": WHOLE.sizes, "median_us": 470.0, "bound": "memory"}
    known = SolutionTimes.model_validate({"card": "NVIDIA H200", "times": [taken | {"rate": 4500, "attainable": 1}]})
    told, _ = (line.text("en") for line in left_on_the_table(verdict, known))
    assert re.fullmatch(
        r"Predicted from its counts, not measured: \d+\.\d µs on one NVIDIA H200 \(n=268435456\)\. "
        r"Busy for that time: (memory|waiting \(latency\)) \d+%, .*\. The best known solution took 470\.0 µs\.",
        told,
    )
    first, _ = left_on_the_table(verdict, NOTHING)
    assert first.text("zh").startswith("按计数预测（并非实测）：在一块 NVIDIA H200 上用时")


def test_a_prediction_that_says_little_is_called_so() -> None:
    for steps, said in (((1000, 2000, 2100), "not ranked"), ((1000, 2000, 4000), "smaller sizes")):
        told = left_on_the_table(replace(VERDICT, counted=(looping(*steps),)), NOTHING)
        assert said in told[1].text("en")


def test_a_kernel_that_no_card_timed_is_judged_by_its_counts() -> None:
    assert left() == timed(None)
    assert "Its counts show no surplus sectors" in left()[0]
    assert "统计数字" in left(lang="zh")[0]


@pytest.mark.parametrize(
    ("finding", "says"),
    [
        (("uncoalesced", 7, {"sectors": 32.0, "ideal": 4.0}), "where 4.0 would do: 8.0 times the traffic."),
        (("strided-access", 3, {"sectors": 16.0, "ideal": 4.0}), "Line 3: 16.0 sectors"),
        (("bank-conflict", 9, {"ways": 32.0}), "Line 9: an access to shared memory takes 32.0 passes"),
        (("low-occupancy", 1, LOW), "k: 25% of the warps"),
        (("too-few-blocks", 1, {"blocks": 1, "multiprocessors": 132, "card": "NVIDIA H200"}), "131 of the 132"),
        (("register-spill", None, {"kernel": "k", "bytes": 64}), "k: 64 bytes"),
        (("not-vectorised", None, {"bytes": 4}), "moves 4 bytes where 16 are possible: 4 times"),
        (("divergence", None, {"share": "50%", "active": "16"}), "on average 16 of 32 threads"),
    ],
)  # fmt: skip
def test_advice_becomes_a_figure_of_this_kernel(
    finding: tuple[str, int | None, dict[str, object]], says: str
) -> None:
    name, line, evidence = finding
    (told,) = left(catalogued(name, line, **evidence))
    assert says in told


@pytest.mark.parametrize("evidence", [{}, {"sectors": "many", "ideal": 4.0}, {"sectors": 8.0, "ideal": 0.0}])
def test_advice_of_another_version_costs_nothing_but_its_line(evidence: dict[str, object]) -> None:
    strange = Finding("uncoalesced", "warning", {"en": "…"}, 3, evidence=evidence)
    assert "Its counts show no surplus sectors" in left(strange)[0]


CONTENT_READ = shipped_content()
CARDS = CONTENT_READ.problems


def test_a_kernel_that_no_card_timed_is_told_what_the_right_solutions_took() -> None:
    known = CONTENT_READ.solution_times
    taken = [time.median_us for time in known.of_problem("vector_add")]
    counted, compared = left(known=known)
    assert "no surplus sectors" in counted
    assert f"from {min(taken):.1f} µs to {max(taken):.1f} µs on one NVIDIA H200 (n=134217728)" in compared
    assert "还没有上卡计时" in left(known=known, lang="zh")[1]
    assert len(left(*[catalogued("bank-conflict", line, ways=2.0) for line in range(1, 9)], known=known)) == 4


def after(solved: set[str], here: str, tried: Collection[str] = ()) -> tuple[str, str] | None:
    marks: dict[str, ProblemProgress] = {
        card.slug: "solved" if card.slug in solved else "tried" if card.slug in tried else "new" for card in CARDS
    }
    found = next_problem(CARDS, marks, here)
    return (found.card.slug, found.why.id) if found else None


def needs(slug: str) -> tuple[str, ...]:
    return next(card.needs for card in CARDS if card.slug == slug)


def test_the_next_problem_builds_on_this_one_and_asks_for_nothing_that_is_missing() -> None:
    slug, why = after({"vector_add"}, "vector_add") or ("", "")
    assert needs(slug) == ("vector_add",)
    assert why == "after.next_builds_on"


def test_whoever_follows_the_next_problem_meets_each_once_and_none_too_early() -> None:
    here, solved = "vector_add", {"vector_add"}
    while found := after(solved, here):
        here = found[0]
        assert here not in solved
        assert set(needs(here)) <= solved
        solved.add(here)
    assert solved == {card.slug for card in CARDS}


def test_a_problem_that_was_tried_is_called_so() -> None:
    slug, _ = after({"vector_add"}, "vector_add") or ("", "")
    assert after({"vector_add"}, "vector_add", {slug}) == (slug, "after.next_tried")


def test_a_problem_that_left_the_set_has_no_next_one() -> None:
    assert next_problem(CARDS, {}, "gone") is None
