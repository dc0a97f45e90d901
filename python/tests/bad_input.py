"""What the tests of bad input share."""

import datetime
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor

import wald

random = np.random.default_rng(0)
NAN, INF = float("nan"), float("inf")
X = random.normal(size=(40, 3))
Y = X[:, 0] + 0.1 * random.normal(size=40)
CLASSES = np.where(Y > 0, "yes", "no")
FRAME = pd.DataFrame(X, columns=list("abc"))
DAY = datetime.date(2026, 1, 1)


def of(column, values):
    """The frame with another column."""
    frame = FRAME.copy()
    frame[column] = values
    return frame


def grower(**arguments):
    return wald.RandomForestRegressor(**{"n_estimators": 5, **arguments})


def grown():
    """Forests of the kinds that there are, all grown on the same rows."""
    fitted = RandomForestRegressor(5, random_state=0).fit(FRAME, Y)
    return {"own": grower().fit(FRAME, Y), "foreign": wald.from_sklearn(fitted, FRAME, Y),
            "classes": wald.RandomForestClassifier(5).fit(FRAME, CLASSES),
            "sklearn": fitted}


def refused(call, part):
    """Checks what any refusal must be, and that it names the matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(wald.WaldError) as raised:
            call()
    error = raised.value
    assert isinstance(error, (ValueError, TypeError, MemoryError, OSError))
    assert error.help, "it names how to fix it"
    assert part.lower() in str(error).lower()
    assert len(str(error)) < 2000 and "\x1b" not in str(error)
    return error
