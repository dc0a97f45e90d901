"""The native part of wald; ``wald`` is what users see."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, TypedDict, Union, final

import numpy as np
from numpy.typing import NDArray

__version__: str

__all__ = [
    "Dataset", "Divided", "Forest", "Part", "Parts", "Room", "Table", "__version__", "_dataset",
    "advise", "arrow_columns", "boruta", "check_dense", "check_file", "check_measures",
    "compare", "conditional_test", "dependence", "designs", "eliminate", "eliminate_further",
    "explanations", "interactions", "ipss", "ipss_measure", "leading", "masking", "measures", "number_texts",
    "options", "outliers", "p_value_texts", "population", "process_predictions", "prototypes",
    "quantiles", "read_file", "reading_of", "report", "simulate", "stored", "suggested_groups",
    "suggestion", "surrogate", "uncertainty", "weights", "write_file",
]

_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]
_Cells = Union[_Floats, tuple[list[str], NDArray[np.uint32]]]
_Progress = Union[Callable[[int, int], None], None]
_Work = Union[
    tuple[int | None, _Progress], tuple[int | None, _Progress, Union[Part, Parts, Room]]
]
_Together = Mapping[str, Sequence[str]]
_Groups = Union[Sequence[tuple[str, Sequence[str]]], None]
_Settings = dict[str, Any]
_Arrays = Mapping[str, Union[NDArray[Any], None]]

class _Importance(TypedDict):
    json: str
    values: _Floats
    standard_errors: _Floats | None
    p_values: _Floats | None
    per_tree: _Floats | None
    repeats: _Floats | None

class _Measured(TypedDict):
    importances: list[_Importance]
    names: list[str]
    errors: str
    n_trees: int
    mean_leaves: float
    mean_depth: float
    convergence: list[float]

class _Grown(_Measured):
    out_of_bag: _Floats

class _Uncertainty(TypedDict):
    measure: str
    feature_names: list[str]
    values: _Floats
    monte_carlo_errors: _Floats | None
    unit: str
    lower_is_more_important: bool
    confidence: float
    errors: str
    null: str | None
    adjustment: str | None
    sampling_errors: _Floats
    standard_errors: _Floats
    intervals: _Floats
    simultaneous_intervals: _Floats
    rank_intervals: _Floats | None
    p_values: _Floats | None
    adjusted_p_values: _Floats | None
    trees_to_separate: list[tuple[str, str, int | None]]
    notes: list[str]

class _ConditionalTest(TypedDict):
    feature_names: list[str]
    values: _Floats
    standard_errors: _Floats
    intervals: _Floats
    p_values: _Floats
    adjusted_p_values: _Floats
    explained_variance: float

class _Masking(TypedDict):
    feature_names: list[str]
    mtry: _Integers
    values: _Floats
    standard_errors: _Floats | None
    unit: str

class _Explained(TypedDict):
    variables: list[str]
    classes: list[str] | None
    n_outputs: int
    is_mean: bool
    expected_value: list[float] | None
    adds_up: bool
    shape: str
    grids: str | None
    notes: list[str]
    values: _Floats
    weights: _Floats | None

@final
class Table:
    def __new__(cls, columns: Sequence[tuple[str, _Cells]]) -> Table: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    def columns(self) -> list[tuple[str, _Cells]]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Dataset:
    def __new__(
        cls,
        table: Table,
        name: str,
        target: _Cells | tuple[list[str], _Floats, int],
        *,
        weights: _Floats | None = None,
        clusters: NDArray[np.uint32] | None = None,
        groups: _Together | None = None,
    ) -> Dataset: ...
    def is_same(self, other: Dataset) -> bool: ...
    def with_groups(self, groups: _Together | None) -> Dataset: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def target(self) -> NDArray[Any]: ...
    @property
    def table(self) -> Table: ...
    @property
    def group_names(self) -> list[str]: ...

@final
class Forest:
    @staticmethod
    def grow(
        data: Dataset,
        config: str,
        measures: tuple[Sequence[str], _Settings] | None = None,
        *,
        work: _Work,
    ) -> tuple[Forest, _Grown]: ...
    def grow_more(
        self, data: Dataset, config: str, *, work: _Work
    ) -> tuple[Forest, _Grown]: ...
    @staticmethod
    def merged(forests: Sequence[Forest]) -> Forest: ...
    def keeps_ranks_of(self, data: Dataset) -> bool: ...
    @staticmethod
    def read(
        bytes: bytes, data: Dataset | None = None, *, threads: int | None = None
    ) -> Forest: ...
    @staticmethod
    def read_arrays(
        document: bytes,
        trees: Sequence[_Arrays],
        data: Dataset | None = None,
        *,
        threads: int | None = None,
    ) -> Forest: ...
    def to_bytes(self) -> bytes: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def to_json(self) -> bytes: ...
    def predict(
        self, table: Table, *, work: _Work
    ) -> _Floats: ...
    def measure(
        self,
        data: Dataset,
        measures: tuple[Sequence[str], _Settings],
        *,
        work: _Work,
    ) -> _Measured: ...
    def explain(
        self,
        data: Dataset,
        table: Table | None,
        measure: tuple[str, _Settings],
        *,
        test: Dataset | None = None,
        work: _Work,
    ) -> _Explained: ...
    def leaves(self, table: Table, *, threads: int | None = None) -> NDArray[np.uint32]: ...
    def leaves_of_tree(
        self, tree: int, table: Table, *, threads: int | None = None
    ) -> NDArray[np.uint32]: ...
    def tree(self, tree: int) -> dict[str, NDArray[Any]]: ...
    def parents(self, tree: int) -> NDArray[np.uint32]: ...
    def in_bag(self, tree: int) -> NDArray[np.uint32] | None: ...
    @property
    def n_trees(self) -> int: ...
    @property
    def feature_names(self) -> list[str]: ...
    @property
    def classes(self) -> list[str] | None: ...
    @property
    def target_name(self) -> str: ...
    @property
    def has_bags(self) -> bool: ...

class Divided(Exception): ...

@final
class Part:
    def __new__(cls, number: int, of: int) -> Part: ...
    def take(self) -> bytes | None: ...

@final
class Parts:
    def __new__(cls, parts: Sequence[bytes]) -> Parts: ...

@final
class Room:
    def __new__(cls, parts: int, together: int | None = None) -> Room: ...
    @property
    def amount(self) -> str | None: ...

def _dataset(
    columns: Sequence[tuple[str, _Cells]],
    name: str,
    target: _Cells,
    weights: _Floats | None,
    clusters: NDArray[np.uint32] | None,
    groups: _Groups,
) -> Dataset: ...
def advise(
    forest: Forest,
    data: Dataset,
    asked: Mapping[str, Any],
    *,
    work: _Work,
) -> str: ...
def arrow_columns(table: Any) -> list[tuple[str, _Cells]]: ...
def dependence(
    data: Dataset, *, work: _Work
) -> tuple[list[str], _Floats, list[tuple[int, int, float]]]: ...
def boruta(
    data: Dataset,
    config: str,
    measure: tuple[str, _Settings],
    confirmation: Any,
    *,
    work: _Work,
) -> str: ...
def check_dense(n_rows: int, n_columns: int) -> None: ...
def check_measures(config: str, measures: tuple[Sequence[str], _Settings]) -> None: ...
def conditional_test(
    data: Dataset,
    config: str,
    asked: dict[str, Any],
    *,
    work: _Work,
) -> _ConditionalTest: ...
def designs() -> str: ...
def eliminate(
    data: Dataset,
    config: str,
    measure: tuple[str, _Settings],
    elimination: Any,
    *,
    work: _Work,
) -> str: ...
def eliminate_further(
    data: Dataset,
    config: str,
    measure: tuple[str, _Settings],
    elimination: Any,
    earlier: bytes | None,
    at_most: int,
    *,
    work: _Work,
) -> tuple[bytes, int]: ...
def explanations() -> str: ...
def ipss_measure(config: str) -> str: ...
def ipss(
    data: Dataset,
    config: str,
    measure: tuple[str, _Settings],
    stability: Any,
    *,
    work: _Work,
) -> str: ...
def leading(test: bool) -> list[str]: ...
def masking(
    data: Dataset,
    config: str,
    measure: tuple[str, _Settings],
    mtry: Sequence[int] | None = None,
    *,
    work: _Work,
) -> _Masking: ...
def measures() -> str: ...
def number_texts(values: list[float], of: list[float] | None = None) -> list[str]: ...
def options() -> str: ...
def p_value_texts(values: list[float]) -> list[str]: ...
def population(
    data: Dataset,
    asked: dict[str, Any],
    *,
    work: _Work,
) -> str: ...
def process_predictions(
    runs: Dataset, process: Mapping[str, Any], table: Table, *, work: _Work
) -> tuple[_Floats, _Floats]: ...
def reading_of(texts: list[str]) -> tuple[str, int | None, _Floats]: ...
def report(
    forest: Forest,
    data: Dataset,
    measures: tuple[Sequence[str], _Settings],
    words: Any,
    *,
    work: _Work,
) -> tuple[str, _Measured, list[str], list[str], str | None]: ...
def simulate(
    name: str, rows: int, seed: int
) -> tuple[list[tuple[str, _Cells]], list[int]]: ...
def suggested_groups(
    data: Dataset, threshold: float | None, *, threads: int | None = None
) -> list[tuple[str, list[str]]]: ...
def suggestion(name: str, local: bool) -> str: ...
def surrogate(
    data: Dataset,
    config: str,
    measures: tuple[Sequence[str], _Settings],
    asked: dict[str, Any],
    *,
    work: _Work,
) -> list[dict[str, Any]]: ...
class _Comparison(TypedDict):
    measure: str
    feature_names: list[str]
    unit: str
    first: _Floats
    second: _Floats
    differences: _Floats
    standard_errors: _Floats
    intervals: _Floats
    p_values: _Floats
    adjusted_p_values: _Floats
    is_paired: bool

def compare(
    first: tuple[Forest, Dataset],
    second: tuple[Forest, Dataset],
    measures: tuple[Sequence[str], _Settings],
    asked: dict[str, Any],
    *,
    work: _Work,
) -> list[_Comparison]: ...
class _Interactions(TypedDict):
    classes: list[str]
    sets: list[list[str]]
    prevalence: _Floats
    prevalence_elsewhere: _Floats
    precision: _Floats
    precision_without: _Floats
    stability: _Floats | None
    cut: float | None
    is_out_of_bag: bool

def interactions(
    forest: Forest, data: Dataset, asked: dict[str, Any], *, work: _Work
) -> _Interactions: ...
def uncertainty(
    forest: Forest,
    data: Dataset,
    measures: tuple[Sequence[str], _Settings],
    asked: dict[str, Any],
    *,
    work: _Work,
) -> list[_Uncertainty]: ...

def check_file(path: str | PathLike[str], *, force: bool) -> None: ...
def write_file(path: str | PathLike[str], content: bytes, *, force: bool) -> None: ...
def read_file(path: str | PathLike[str]) -> bytes: ...
def stored(path: str | PathLike[str]) -> bytes | None: ...

def quantiles(
    forest: Forest, data: Dataset, table: Table | None, levels: Sequence[float], *, work: _Work
) -> _Floats: ...
def weights(
    forest: Forest, data: Dataset, table: Table | None, *, work: _Work
) -> tuple[_Integers, _Integers, _Floats]: ...
def outliers(forest: Forest, data: Dataset, *, work: _Work) -> _Floats: ...
def prototypes(
    forest: Forest, data: Dataset, n_neighbours: int | None, *, work: _Work
) -> dict[str, Any]: ...
