"""Draws the pictures of docs/gallery.md and docs/choosing.md.

    python docs/gallery.py            all of them, into docs/images/gallery/
    python docs/gallery.py dots box   some of them

Every function grows its forests, draws one picture and returns matplotlib's figure. Data are
tables of data/ and designs of wald.simulate; equal versions of matplotlib give equal files.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd

import wald

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "images" / "gallery"

# Enough for files that are small, and for the gradients of the pictures.
COLOURS = 96


def penguins(target: str) -> tuple[pd.DataFrame, pd.Series]:
    """The penguins whose target is known."""
    table = pd.read_csv(ROOT / "data" / "penguins.csv").dropna(subset=[target])
    return table.drop(columns=target), table[target]


def breast_cancer() -> tuple[pd.DataFrame, pd.Series]:
    """Thirty measurements of nuclei, and whether the mass is benign."""
    table = pd.read_csv(ROOT / "data" / "breast_cancer.csv")
    return table.drop(columns="benign"), table["benign"]


def species(trees: int) -> wald.RandomForestClassifier:
    """A forest that predicts the species."""
    return wald.RandomForestClassifier(trees).fit(*penguins("species"))


def body_mass(trees: int) -> wald.RandomForestRegressor:
    """A forest that predicts the body mass."""
    return wald.RandomForestRegressor(trees).fit(*penguins("body_mass_g"))


def dots(trees: int = 500) -> Any:
    """Values with intervals."""
    return species(trees).importance("sobol_mda").plot().figure_


def box(trees: int = 500) -> Any:
    """Values of single trees."""
    return body_mass(trees).importance("mda_breiman_cutler").plot("box").figure_


def degrees(trees: int = 500) -> Any:
    """Mean decrease in impurity by degree of interaction."""
    return body_mass(trees).importance("mdi", by_degree=True).plot("degrees").figure_


def beside(trees: int = 500) -> Any:
    """First-order and total Sobol indices."""
    data = wald.simulate("friedman_1", rows=2000, seed=1)
    forest = wald.RandomForestRegressor(trees).fit(data.inputs, data.target)
    first, total = (forest.importance(measure) for measure in ("sobol_first", "sobol_mda"))
    return first.plot(beside=total).figure_


def measures(trees: int = 500) -> Any:
    """Values by several measures."""
    return body_mass(trees).importance(["mdi", "sobol_mda"]).plot().figure_


def ranks(trees: int = 500) -> Any:
    """Ranks by two measures."""
    forest = wald.RandomForestClassifier(trees).fit(*breast_cancer())
    one, other = (forest.importance(measure) for measure in ("mdi", "sobol_mda"))
    return one.plot(against=other, max_variables=20).figure_


def beeswarm(trees: int = 500) -> Any:
    """Shapley values of all rows."""
    return body_mass(trees).explain().plot().figure_


def waterfall(trees: int = 500) -> Any:
    """Shapley values of one row."""
    return body_mass(trees).explain().plot("waterfall", row=250).figure_


def scatter(trees: int = 500) -> Any:
    """Shapley values against the values of a variable."""
    found = body_mass(trees).explain()
    return found.plot("scatter", variable="flipper_length_mm", colour_by="bill_depth_mm").figure_


def curves(trees: int = 500) -> Any:
    """What would be predicted for other values of a variable."""
    found = species(trees).explain(measure="ice", variables=["bill_length_mm"])
    return found.plot(target="Adelie").figure_


def curves_of_classes(trees: int = 500) -> Any:
    """What would be predicted for other values of two variables, for every class."""
    found = species(trees).explain(measure="pdp", variables=["bill_length_mm", "island"])
    return found.plot().figure_


def dependence(trees: int = 0) -> Any:
    """How much inputs depend on each other."""
    return wald.dependence(breast_cancer()[0]).plot().figure_


def dependence_few(trees: int = 0) -> Any:
    """The same of few inputs, with numbers."""
    return wald.dependence(penguins("species")[0]).plot().figure_


def selection(trees: int = 200) -> Any:
    """Error of held-out rows against the number of variables."""
    X, y = breast_cancer()
    selector = wald.RFE(wald.RandomForestClassifier(trees), repeats=3)
    return selector.fit(X, y).selection_.plot().figure_


def masking(trees: int = 0) -> Any:
    """Importances against mtry, of infinitely many trees."""
    table = pd.read_csv(ROOT / "data" / "led7.csv")
    found = wald.population(table, target="digit", impurity="entropy", mtry="all")
    return found.plot("mtry").figure_


def intervals(trees: int = 500) -> Any:
    """Importances with errors of trees and of rows."""
    return wald.uncertainty(body_mass(trees), "sobol_mda").plot().figure_


def comparison(trees: int = 300) -> Any:
    """Differences between the forests of two tables."""
    X, y = penguins("body_mass_g")
    forests = [wald.RandomForestRegressor(trees).fit(X[rows].drop(columns="sex"), y[rows])
               for rows in (X["sex"] == "female", X["sex"] == "male")]
    return wald.compare(*forests, "sobol_mda").plot().figure_


def sets(trees: int = 200) -> Any:
    """Sets of variables that a forest splits on together."""
    return wald.interactions(species(trees), resamples=10, min_prevalence=0.25).plot().figure_


def two(measures: tuple[str, str], forest: Any) -> Any:
    """Two measures beside each other."""
    import matplotlib.pyplot as plt

    found = [forest.importance(measure) for measure in measures]
    figure, axes = plt.subplots(1, 2, layout="constrained",
                                figsize=(9.6, 1.3 + len(found[0].values) / 3.2))
    for one, ax in zip(found, axes):
        one.plot(ax=ax)
    return figure


def copies(trees: int = 500) -> Any:
    """Friedman's function, of which x4 is there twice."""
    data = wald.simulate("friedman_1", rows=500, seed=1)
    noise = np.random.default_rng(1).normal(scale=0.02, size=500)
    X = data.inputs.assign(x4_copy=data.inputs["x4"] + noise)
    forest = wald.RandomForestRegressor(trees).fit(X, data.target)
    return two(("mda_breiman_cutler", "sobol_mda"), forest)


def interactions(trees: int = 500) -> Any:
    """Dependence and interactions: the permutation importance gives another order."""
    data = wald.simulate("benard_example_1", rows=3000)
    forest = wald.RandomForestRegressor(trees).fit(data.inputs, data.target)
    return two(("mda_breiman_cutler", "sobol_mda"), forest)


def cardinality(trees: int = 500) -> Any:
    """Noise of many values beside one binary variable that matters."""
    data = wald.simulate("li_leaf_size", rows=200, seed=1)
    forest = wald.RandomForestClassifier(trees).fit(data.inputs, data.target)
    return two(("mdi", "mdi_oob"), forest)


PICTURES = {draw.__name__: draw for draw in (
    dots, box, degrees, beside, measures, ranks, beeswarm, waterfall, scatter, curves, curves_of_classes,
    dependence, dependence_few, selection, masking, intervals, comparison, sets, copies, interactions,
    cardinality)}


def small(figure: Any) -> bytes:
    """The figure as a PNG of few colours, the same bytes every time."""
    plain = io.BytesIO()
    figure.savefig(plain, format="png", dpi=110)
    return with_few_colours(plain.getvalue())


def with_few_colours(picture: bytes) -> bytes:
    """A PNG with a palette."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as opened:
        fewer = opened.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    found = io.BytesIO()
    fewer.save(found, format="PNG", optimize=True)
    return found.getvalue()


def main(names: list[str]) -> None:
    """Writes the pictures of these names, or all."""
    import matplotlib.pyplot as plt

    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or PICTURES:
        contents = small(PICTURES[name]())
        plt.close("all")
        (FOLDER / f"{name}.png").write_bytes(contents)
        print(f"{name}.png: {len(contents) / 1000:.0f} kB")


if __name__ == "__main__":
    matplotlib.use("Agg")
    main(sys.argv[1:])
