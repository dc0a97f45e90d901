"""Results: numbers with their names, errors, frames, files and pictures."""

from wald._results.advice import Advice
from wald._results.answer import Answer
from wald._results.curves import Curves
from wald._results.dependence import Dependence
from wald._results.importance import Importance
from wald._results.local import LocalImportance
from wald._results.masking import Masking
from wald._results.population import Population
from wald._results.selection import Selection
from wald._results.storing import load
from wald._results.uncertainty import Uncertainty

__all__ = [
    "Advice",
    "Answer",
    "Curves",
    "Dependence",
    "Importance",
    "LocalImportance",
    "Masking",
    "Population",
    "Selection",
    "Uncertainty",
    "load",
]
