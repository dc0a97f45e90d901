"""A forest as weights of its training rows: quantiles, outliers, prototypes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from scipy import sparse

import wald._native as _native
from wald import _checks
from wald._estimators.pickled import Checked
from wald._progress import progress_of
from wald.errors import NotFittedError
from wald.typing import Floats, Progress, Prototype


class WeightedForest(Checked):
    """What follows from the weights by which a forest predicts.

    A class that mixes this in has ``_forest`` (native), ``_data`` (native), ``_threads()``, and
    ``_table(X)``, which turns rows into a native table.
    """

    n_jobs: int | None
    _forest: _native.Forest
    _data: _native.Dataset

    def _threads(self) -> int | None:
        """The number of threads; ``None`` for all processors."""
        return _checks.threads(self.n_jobs)

    def _table(self, X: Any) -> _native.Table:
        """Rows with the columns of the forest."""
        raise NotImplementedError

    def _check_grown(self) -> None:
        if not hasattr(self, "_forest"):
            # The words of scikit-learn, which programs look for.
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet",
                help="Call 'fit' with appropriate arguments before using this estimator.")

    def _check_weights(self, what: str) -> None:
        """Refuses a forest that has no weights of its training rows; the engine refuses the rest.
        """
        self._check_grown()

    def predict_quantiles(
        self, X: Any = None, quantiles: Sequence[float] | float = (0.05, 0.5, 0.95), *,
        progress: bool | Progress | None = None,
    ) -> Floats:
        """Predict quantiles of the target, of forests of numbers (quantile regression forests).

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features), optional
            Rows with the columns of the fit; unless given, the rows of training, each by the trees
            that did not see it.
        quantiles : sequence of float, or float, default=(0.05, 0.5, 0.95)
            Levels from 0 to 1, or one of them. Two of them are the ends of a prediction interval.
        progress : bool or callable, optional
            Whether to show progress; a callable receives the work done and all of it.

        Returns
        -------
        ndarray of shape (n_samples, n_quantiles), or (n_samples,) of one level
            NaN for a row of training that is in the bags of all trees.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        SettingError
            For levels out of their range.
        DataError
            When the forest predicts classes, its bags are not known, or X does not fit it.

        Notes
        -----
        The quantile of level a is the smallest target of a training row at which the weights of all
        training rows with at most this target sum to a (Meinshausen 2006, JMLR 7); the weights are
        those by which the forest predicts (``weights``). Where leaves are small and inputs few, two of
        them lie too close together; without X, the share of training targets between them shows by
        how much. Cost: about rows times trees times depth.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> forest = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
        >>> low, high = forest.predict_quantiles(quantiles=[0.05, 0.95]).T
        >>> bool(((low <= data.target) & (data.target <= high)).mean() > 0.8)
        True
        """
        self._check_weights("quantiles")
        table = None if X is None else self._table(X)
        work = (self._threads(), progress_of(progress, "predicting quantiles"))
        is_one = isinstance(quantiles, Real)
        levels = _levels([quantiles] if is_one else quantiles)
        found = _native.quantiles(self._forest, self._data, table, levels, work=work)
        return found[:, 0] if is_one else found

    def weights(self, X: Any = None, *, progress: bool | Progress | None = None
                ) -> sparse.csr_array:
        """The weights of the rows of training by which the forest predicts (RF-GAP proximities).

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features), optional
            Rows with the columns of the fit; unless given, the rows of training, each by the trees
            that did not see it.
        progress : bool or callable, optional
            Whether to show progress; a callable receives the work done and all of it.

        Returns
        -------
        sparse array of shape (n_samples, n_training_samples)
            Rows sum to 1; empty for a row of training that is in the bags of all trees.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        DataError
            When the bags of the forest are not known, or X does not fit it.

        Notes
        -----
        In a tree, the training rows in the leaf of a row share a weight of 1 by how often they were
        drawn and by their case weights; the weight is the mean over trees (Rhodes, Cutler & Moon
        2023). The mean of the target by these weights is the prediction, or the out-of-bag
        prediction. Cost: about rows times trees times depth; memory as the weights that are not 0.

        Examples
        --------
        >>> import numpy as np
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> forest = wald.RandomForestRegressor(50).fit(data.inputs, data.target)
        >>> mean = forest.weights() @ np.asarray(data.target)
        >>> bool(abs(mean - forest.oob_prediction_).max() < 1e-12)
        True
        """
        self._check_weights("weights")
        table = None if X is None else self._table(X)
        work = (self._threads(), progress_of(progress, "comparing rows"))
        starts, columns, numbers = _native.weights(self._forest, self._data, table, work=work)
        shape = (len(starts) - 1, self._data.n_rows)
        return sparse.csr_array((numbers, columns, starts), shape=shape)

    def outliers(self, *, progress: bool | Progress | None = None) -> Floats:
        """How far each row of training lies apart from the others of its class.

        Parameters
        ----------
        progress : bool or callable, optional
            Whether to show progress; a callable receives the work done and all of it.

        Returns
        -------
        ndarray of shape (n_training_samples,)
            Scores; those above 10 deserve a look. Of numbers, all rows are one class. NaN for a
            row in the bags of all trees, and in a class whose rows do not differ.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        DataError
            When the bags of the forest are not known.

        Notes
        -----
        The proximity of another row is the share, of the trees that did not see the row, in which the
        other was drawn and ends in the same leaf. The inverse of the sum of squared proximities of
        the rows of the same class, minus the median of the class, is divided by 1.4826 times the
        median absolute deviation (Breiman & Cutler; ``outlier`` of the R package randomForest). Cost:
        about rows times trees times depth.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("friedman_1", rows=200, seed=1)
        >>> wald.RandomForestRegressor(50).fit(data.inputs, data.target).outliers().shape
        (200,)
        """
        self._check_weights("outliers")
        work = (self._threads(), progress_of(progress, "comparing rows"))
        return _native.outliers(self._forest, self._data, work=work)

    def prototypes(self, n_neighbours: int | None = None, *,
                   progress: bool | Progress | None = None) -> dict[str, Prototype]:
        """The prototype of each class: the middle of training rows that the forest finds alike.

        Parameters
        ----------
        n_neighbours : int, optional
            Neighbours that are looked at; unless given, one less than the size of the smallest
            class.
        progress : bool or callable, optional
            Whether to show progress; a callable receives the work done and all of it.

        Returns
        -------
        dict of str to Prototype
            For every class the row with most rows of the class among its nearest rows, these
            neighbours, and their medians, quartiles or most frequent levels by variable.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        SettingError
            For a number of neighbours below 1.
        DataError
            When the forest predicts a number, or its bags are not known.

        Notes
        -----
        The nearest rows are those with the largest ``weights`` (Breiman & Cutler; ``classCenter`` of
        the R package randomForest). Cost: about rows times trees times depth.

        Examples
        --------
        >>> import wald
        >>> data = wald.simulate("li_leaf_size", rows=200, seed=1)
        >>> forest = wald.RandomForestClassifier(50).fit(data.inputs, data.target)
        >>> sorted(forest.prototypes(n_neighbours=20))
        ['0', '1']
        """
        self._check_weights("prototypes")
        if n_neighbours is not None:
            n_neighbours = _checks.whole("n_neighbours", n_neighbours, 1)
        work = (self._threads(), progress_of(progress, "comparing rows"))
        return _native.prototypes(self._forest, self._data, n_neighbours, work=work)


def _levels(quantiles: Any) -> list[float]:
    """Levels of quantiles; the engine checks their range."""
    if isinstance(quantiles, (str, bytes, Mapping)) or not hasattr(quantiles, "__iter__"):
        raise _checks.refused("quantiles", quantiles, "give a number from 0 to 1, or several")
    return [_checks.number("quantiles", level) for level in quantiles]
