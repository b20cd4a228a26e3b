"""Questions of figures, answered from the tables of hardware: `how many SMs does an RTX 4090 have`.

`answer_figures` is a pure function of the question: None where it asks for anything else, so that it can stand before
the search. Faces that show a card take `sheet`.
"""

from knowledge.figures.answer import FiguresAnswer, all_figures, answer_figures, correct_figures
from knowledge.figures.lookup import CARD_SHEET, Figure, figure, quantity_name, sheet
from knowledge.figures.worked import weights_worked, worked

__all__ = [
    "CARD_SHEET",
    "Figure",
    "FiguresAnswer",
    "all_figures",
    "answer_figures",
    "correct_figures",
    "figure",
    "quantity_name",
    "sheet",
    "weights_worked",
    "worked",
]
