"""Hints and worked explanations: every mistake is named, and members see the times of the record and no others."""

from __future__ import annotations

import json
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from knowledge.content.problem_help import EditorialStep, Hint, ProblemHelp, help_mistakes, load_problem_help
from knowledge.content.solution_resources import AllResources, SolutionResources, digest, load_solution_resources
from knowledge.content.solution_times import SolutionTime, SolutionTimes, load_solution_times
from knowledge.errors import BadContent
from tests.folders import CONTENT

ROOT = CONTENT.parent


def taken(solution: str, median_us: float) -> SolutionTime:
    return SolutionTime(
        problem="p", solution=solution, sizes={"n": 8}, median_us=median_us, bound="memory", rate=10.0,
        attainable=5.0 / median_us,
    )  # fmt: skip


TIMES = SolutionTimes(card="A card", driver="1", date="2026-01-02", times=(taken("slow", 50.0), taken("fast", 5.0)))
STEPS = tuple(
    EditorialStep("Step", "What it does.", measured, ("note:one",)) for measured in ("floor", "slow", "fast")
)
STEPS_ZH = tuple(replace(step, title="一步", text="做了什么。") for step in STEPS)
HELP = ProblemHelp(
    hints={"en": (Hint("Look", "Look there."),) * 3, "zh": (Hint("看", "看那里。"),) * 3},
    editorial={"en": STEPS, "zh": STEPS_ZH},
    sources={"slow": "// slow", "fast": "// fast"},
)


def launched(solution: str, source: str) -> SolutionResources:
    return SolutionResources(
        problem="p", solution=solution, source=digest(source), launches=1, blocks=2, threads=256, registers=32,
        spill_bytes=0, occupancy=1.0,
    )  # fmt: skip


RESOURCES = AllResources(resources=(launched("slow", "// slow"), launched("fast", "// fast")))


def said(found: ProblemHelp, times: SolutionTimes = TIMES) -> str:
    return "\n".join(f"{file}: {what}" for file, what in help_mistakes("p", found, times, RESOURCES))


def with_step(number: int, **changes: object) -> ProblemHelp:
    """The English explanation with one step changed."""
    steps = list(STEPS)
    steps[number] = replace(steps[number], **changes)  # type: ignore[arg-type]  fields of the step
    return replace(HELP, editorial={"en": tuple(steps), "zh": STEPS_ZH})


def test_nothing_is_said_of_what_is_whole() -> None:
    assert said(HELP) == ""


@pytest.mark.parametrize(
    ("found", "names"),
    [
        (ProblemHelp(), "hints.en.md: has 0 hints: write 3"),
        (ProblemHelp(), "editorial.zh.md: has 0 steps: write at least 3"),
        (replace(HELP, hints=HELP.hints | {"zh": HELP.hints["zh"][:2]}), "hints.zh.md: has 2 hints"),
        (replace(HELP, hints=HELP.hints | {"zh": HELP.hints["en"]}), "hints.zh.md: 'Look': holds no Chinese"),
        (replace(HELP, hints=HELP.hints | {"en": HELP.hints["zh"]}), "hints.en.md: '看': holds Chinese"),
        (with_step(1, measured="slower"), "names slower.cu, which is not under solutions/right"),
        (with_step(1, measured=""), "does not say what was measured"),
        (with_step(1, readings=()), "names no reading"),
        (with_step(1, text=""), "has no text"),
        (with_step(1, text="x" * 3000), "has 3000 characters"),
        (with_step(1, text="It takes 48.1 µs now."), "states '48.1 µs'"),
        (with_step(1, text="It reaches 97% of it."), "states '7%'"),
        (with_step(1, measured="floor"), "has no step with slow.cu: explain it"),
        (with_step(1, readings=("note:two",)), "editorial.zh.md: does not go the steps of the English one"),
        (replace(HELP, sources={**HELP.sources, "third": "//"}), "has no step with third.cu"),
        (replace(HELP, sources={**HELP.sources, "fast": "// faster"}), "right/fast.cu: is new or has changed"),
        (with_step(2, measured="slow"), "does not end with the best solution, which is fast.cu"),
    ],
)  # fmt: skip
def test_every_mistake_is_named(found: ProblemHelp, names: str) -> None:
    assert names in said(found)


def test_a_solution_that_was_never_measured_is_no_step() -> None:
    times = SolutionTimes(times=(taken("fast", 5.0),))
    assert "names slow.cu, which content/solution_times.json has no time of" in said(HELP, times)


def test_the_last_solution_may_be_as_fast_as_the_best_one_within_what_a_measurement_wavers() -> None:
    near = SolutionTimes(times=(taken("slow", 4.9), taken("fast", 5.0)))
    far = SolutionTimes(times=(taken("slow", 4.7), taken("fast", 5.0)))
    assert "does not end with the best" not in said(HELP, near)
    assert "does not end with the best solution, which is slow.cu" in said(HELP, far)


def test_a_problem_that_no_card_has_timed_yet_may_have_steps() -> None:
    assert said(HELP, SolutionTimes()) == ""


def test_a_last_step_may_set_triton_beside_cuda_without_figures_of_its_own() -> None:
    beside = {
        "en": (*STEPS, EditorialStep("In Triton", "As fast.", "triton", ("note:one",))),
        "zh": (*STEPS_ZH, EditorialStep("用 Triton 写", "一样快。", "triton", ("note:one",))),
    }
    assert said(replace(HELP, editorial=beside)) == ""
    assert beside["en"][-1].solution is None


def test_what_stands_in_code_is_no_measured_figure() -> None:
    assert said(with_step(1, text="Thread `i` takes `7 % n` and `5 us`.")) == ""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Before.\n\n## One\n", "must begin with a heading ##"),
        ("## One\nmeasurd: simple.cu\n\nText.\n", "no key 'measurd' under 'One'"),
    ],
)
def test_a_file_that_is_no_explanation_names_itself(tmp_path: Path, text: str, names: str) -> None:
    folder = tmp_path / "problems" / "p"
    folder.mkdir(parents=True)
    (folder / "editorial.en.md").write_text(text, encoding="utf-8")
    with pytest.raises(BadContent, match=r"problems/p/editorial\.en\.md") as caught:
        load_problem_help(tmp_path, "p")
    assert names in str(caught.value)


def test_a_problem_without_help_still_loads(tmp_path: Path) -> None:
    found = load_problem_help(tmp_path, "p")
    assert (found.hints["en"], found.editorial["zh"]) == ((), ())


def test_members_see_the_times_of_the_record_and_no_others() -> None:
    script = runpy.run_path(str(ROOT / "bench" / "solution_times.py"))
    record = json.loads((ROOT / "bench" / "results" / "problems-h200.json").read_text(encoding="utf-8"))
    written = (CONTENT / "solution_times.json").read_text(encoding="utf-8")
    assert written == script["as_text"](script["times_of"](record)), "run: python bench/solution_times.py"
    shown = {(one.problem, one.solution, tuple(one.sizes.values())): one.median_us
             for one in load_solution_times(CONTENT).times}  # fmt: skip
    assert shown == {
        (row["problem"], row["solution"], tuple(row["sizes"].values())): row["median_us"] for row in record["rows"]
    }


def test_script_and_check_tell_texts_of_a_solution_apart_by_the_same_digest() -> None:
    script = runpy.run_path(str(ROOT / "bench" / "solution_resources.py"))
    assert script["digest"]("// fast ✓") == digest("// fast ✓") != digest("// fast")


def test_a_damaged_record_of_times_names_its_file(tmp_path: Path) -> None:
    assert load_solution_times(tmp_path) == SolutionTimes()
    assert load_solution_resources(tmp_path) == AllResources()
    for name, load in (("solution_times", load_solution_times), ("solution_resources", load_solution_resources)):
        (tmp_path / f"{name}.json").write_text("{", encoding="utf-8")
        with pytest.raises(BadContent, match=rf"{name}\.json"):
            load(tmp_path)
