"""Pictures of results in scikit-learn's manner: displays with ``ax_`` and ``figure_``."""

from wald._plots.answer import AnswerDisplay
from wald._plots.curves import CurvesDisplay
from wald._plots.dependence import DependenceDisplay
from wald._plots.importance import ImportanceDisplay
from wald._plots.local import LocalDisplay
from wald._plots.masking import MaskingDisplay
from wald._plots.ranks import RankDisplay, plot_ranks
from wald._plots.selection import SelectionDisplay
from wald._plots.uncertainty import UncertaintyDisplay

__all__ = [
    "AnswerDisplay",
    "CurvesDisplay",
    "DependenceDisplay",
    "ImportanceDisplay",
    "LocalDisplay",
    "MaskingDisplay",
    "RankDisplay",
    "SelectionDisplay",
    "UncertaintyDisplay",
    "plot_ranks",
]
