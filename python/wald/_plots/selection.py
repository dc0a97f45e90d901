"""Error against number of variables."""

from __future__ import annotations

from typing import Any

from wald._checks import of_type
from wald._plots.display import BLUE, INK, ORANGE, SOFT, Display, grid
from wald.typing import Axes


class SelectionDisplay(Display):
    """The error of held-out rows against the number of variables.

    Drawn with its standard error, the smallest error, and the fewest variables within one standard
    error of it.

    Parameters
    ----------
    selection : Selection
        The attribute ``selection_`` of a fitted :class:`wald.RFE`.

    Attributes
    ----------
    ax_, figure_
        Matplotlib axes and figure.

    Examples
    --------
    >>> import wald
    >>> data = wald.simulate("friedman_1", rows=100, seed=1)
    >>> selector = wald.RFE(wald.ExtraTreesRegressor(20), measure="mdi", folds=3, step=3)
    >>> found = selector.fit(data.inputs, data.target).selection_
    >>> wald.SelectionDisplay(found).plot().ax_.get_xlabel()
    'number of variables'
    """

    def __init__(self, selection: Any) -> None:
        of_type("selection", selection, "Selection")
        self.selection = selection

    def plot(self, ax: Axes | None = None) -> SelectionDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones unless given.

        Returns
        -------
        self
            With ``ax_`` and ``figure_``.

        Raises
        ------
        ImportError
            Without matplotlib.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=100, seed=1)
        >>> selector = wald.RFE(wald.ExtraTreesRegressor(20), measure="mdi", folds=3, step=3)
        >>> found = selector.fit(data.inputs, data.target).selection_
        >>> wald.SelectionDisplay(found).plot().ax_.get_xlabel()
        'number of variables'
        """
        from matplotlib.ticker import MaxNLocator

        found = self.selection
        ax = self._axes(ax, (6.4, 4.2))
        grid(ax, "y")
        sizes, errors, spread = found.n_variables, found.errors, found.standard_errors
        if found.errors_by_repeat.shape[1] > 1:
            ax.plot(sizes, found.errors_by_repeat, color=BLUE, alpha=0.18, linewidth=0.7)
        ax.fill_between(sizes, errors - spread, errors + spread, color=BLUE, alpha=0.16,
                        linewidth=0, label=f"± 1 standard error over {found.standard_errors_over}")
        ax.plot(sizes, errors, "-", color=BLUE, linewidth=1.8,
                marker="o" if len(sizes) <= 60 else None, markersize=4)
        best, fewer = found.best_size, found.one_standard_error_size
        at = {int(size): error for size, error in zip(sizes, errors)}
        ax.plot([best], [at[best]], "D", color=ORANGE, markersize=8, zorder=4,
                label=f"smallest error: {_variables(best)}")
        if fewer != best:
            limit = at[best] + spread[list(sizes).index(best)]
            ax.axhline(limit, color=SOFT, linewidth=0.9, linestyle=":")
            ax.plot([fewer], [at[fewer]], "s", color=ORANGE, markersize=8, zorder=4,
                    markerfacecolor="white", markeredgewidth=2,
                    label=f"within one standard error: {_variables(fewer)}")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlabel("number of variables", color=INK)
        ax.set_ylabel(f"{found.loss.replace('_', '-')} loss of held-out rows", color=INK)
        ax.legend(frameon=False, labelcolor=INK)
        return self


def _variables(number: int) -> str:
    return f"{number} variable" + ("s" if number != 1 else "")
