"""A predicted time as a verdict tells it: how long, what limits it, the best known, and what it rests on."""

from __future__ import annotations

from knowledge.content.solution_times import SolutionTimes, time_text
from knowledge.prediction.predict import Predicted, predict_all
from knowledge.submit.predicted_boards import DEFAULT_CARD, predicted_card
from knowledge.submit.report import sizes_text
from knowledge.words import Message
from worker.protocol import Verdict

LIMITS_TOLD = 3


def predicted_lines(verdict: Verdict, known: SolutionTimes) -> tuple[Message, ...]:
    """Return a line for each timed shape, and one on what is to be thought of them; nothing without counts."""
    card = predicted_card(known.card or DEFAULT_CARD)
    predicted = predict_all(verdict.counted, card) if card is not None else ()
    lines = [_of_shape(one, known, verdict.problem or "") for one in predicted]
    if not all(one.whole for one in predicted):
        lines.append(Message("predicted.too_little"))
    elif not all(one.regular for one in predicted):
        lines.append(Message("predicted.irregular"))
    elif any(one.extrapolated for one in predicted):
        lines.append(Message("predicted.extrapolated"))
    return tuple(lines)


def _of_shape(one: Predicted, known: SolutionTimes, problem: str) -> Message:
    limits = tuple(
        Message("predicted.share", limit=Message(f"predicted.{limit}"), share=min(share, 1.0))
        for limit, share in list(one.shares.items())[:LIMITS_TOLD]
    )
    said = {"sizes": sizes_text(one.sizes), "us": time_text(one.us), "card": one.card, "limits": limits}
    measured = [time.median_us for time in known.of_problem(problem) if dict(time.sizes) == dict(one.sizes)]
    if one.card == known.card and measured:
        return Message("predicted.beside_the_best", **said, best=time_text(min(measured)))
    return Message("predicted.alone", **said)
