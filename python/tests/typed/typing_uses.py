"""Typical uses, whose types mypy checks; nothing here is run."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import wald

Floats = NDArray[np.float64]
X: Any = None
y: Any = None

forest = wald.RandomForestRegressor(100, max_features=0.5, random_state=3).fit(X, y)
assert_type(forest, wald.RandomForestRegressor)
assert_type(forest.predict(X), Floats)
assert_type(forest.score(X, y), float)
assert_type(forest.feature_importances_, Floats)

classifier = wald.ConditionalForestClassifier(class_weight="balanced").fit(X, y)
assert_type(classifier, wald.ConditionalForestClassifier)
assert_type(classifier.predict_proba(X), Floats)
assert_type(classifier.classes_, np.ndarray)

# Measures are named by literals, and their settings are known.
importance = forest.importance("sobol_mda", seed=1, groups={"size": ["height", "weight"]})
assert_type(importance, wald.Importance)
assert_type(importance.values, Floats)
assert_type(importance.standard_errors, Floats | None)
assert_type(importance.feature_names, list[str])
assert_type(importance.ranking(), NDArray[np.int64])
forest.importance("mda_train_test", test=(X, y), loss="absolute", permutations=10)
forest.importance("sage", background=X, time_budget=2.0)
assert_type(importance.top(3).to_dict(), dict[str, float])
assert_type(importance["height"], float)
table = forest.importance(["sobol_mda", "mdi"])
assert_type(table, wald.ImportanceTable)
assert_type(forest.importance("recommended")["mdi"], wald.Importance)
assert_type(len(forest), int)
assert_type(forest.estimators_[0].apply(X), NDArray[np.int64])
forest.importance("nonsense")  # type: ignore[call-overload]
forest.importance("mdi", loss="cubic")  # type: ignore[call-overload]
forest.importance("mdi", nonsense=1)  # type: ignore[call-overload]
for info in wald.measures():
    forest.importance(info["id"])

# What is drawn is known, too.
assert_type(importance.plot(), wald.ImportanceDisplay)
assert_type(importance.plot(against=importance), wald.RankDisplay)
assert_type(table.plot(), wald.ImportanceTableDisplay)
assert_type(table.top(2), wald.ImportanceTable)
assert_type(dict(importance), dict[str, float])
assert_type(dict(table), dict[str, wald.Importance])
importance.plot("pie")  # type: ignore[call-overload]

# Values of rows, or curves.
assert_type(forest.explain(X), wald.LocalImportance)
assert_type(forest.explain(X, "saabas", out_of_bag=True), wald.LocalImportance)
assert_type(forest.explain(X, "pdp", variables=["height"], grid=20), wald.Curves)
assert_type(forest.explain(measure="ice"), wald.Curves)
assert_type(forest.explain(measure="ice").plot(), wald.CurvesDisplay)
forest.explain(X, "sobol_mda")  # type: ignore[call-overload]
assert_type(forest.explain(X).plot("waterfall", row=2), wald.LocalDisplay)
assert_type(forest.explain(X, "ice").of("height"), tuple[np.ndarray, Floats])

# Forests of other programs have the same methods.
foreign = wald.from_sklearn(X, X, y)
assert_type(foreign, wald.ForeignRegressor | wald.ForeignClassifier)
assert_type(foreign.importance("mdi"), wald.Importance)
assert_type(foreign.explain(X, "pdp"), wald.Curves)
if isinstance(foreign, wald.ForeignClassifier):
    assert_type(foreign.predict_proba(X), Floats)
assert_type(wald.read_forest("forest.json"), wald.ForeignRegressor | wald.ForeignClassifier)

selector = wald.RFE(wald.RandomForestRegressor(), measure="sobol_mda", step=0.2).fit(X, y)
assert_type(selector, wald.RFE)
wald.RFE(wald.RandomForestRegressor(), measure="nonsense")  # type: ignore[arg-type]

reported: dict[str, wald.Importance] = wald.report(forest, "report.html", measures=["mdi"])
assert_type(wald.population({"a": [0, 1], "y": [0, 1]}, target="y", mtry="all"), wald.Population)
assert_type(wald.dependence(X), wald.Dependence)
assert_type(wald.compare(forest, forest, "mdi"), wald.Comparison)
assert_type(wald.interactions(forest, resamples=0), wald.Interactions)
assert_type(wald.conditional_test(wald.ExtraTreesRegressor(), X, y), wald.ConditionalTest)
assert_type(wald.masking(wald.ExtraTreesRegressor(), X, y, mtry=[1, 2]), wald.Masking)
assert_type(wald.uncertainty(forest, "mdi", null_distribution="shadow"), wald.Uncertainty)
assert_type(wald.uncertainty(forest, ["mdi", "sobol_mda"]), list[wald.Uncertainty])
wald.uncertainty(forest, "mdi", null_distribution="nonsense")  # type: ignore[call-overload]
assert_type(wald.surrogate(X, y, inputs="independent"), wald.Surrogate)
assert_type(wald.surrogate(X, y, measure=["sobol_mda"]), list[wald.Surrogate])
wald.surrogate(X, y, kernel="nonsense")  # type: ignore[call-overload]
assert_type(wald.through(forest, X, rows=100), wald.BlackBoxImportance)
assert_type(wald.through(forest, X, measure=["mdi"]), list[wald.BlackBoxImportance])
wald.simulate("nonsense")  # type: ignore[arg-type]
assert_type(wald.designs(), list[dict[str, Any]])

try:
    forest.predict(X)
except wald.DataError as error:
    assert_type(error.column, str | None)
    assert_type(error.setting, str | None)
    assert_type(error.help, str)
