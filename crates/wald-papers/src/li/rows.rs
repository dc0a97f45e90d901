//! The rows and the columns of Table 1.

use wald::MeasureId;
use wald::data::Task;
use wald::measure::Loss;

/// A row of the table, its values in the order of [`CELLS`].
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) how: How,
    pub(super) published: [f64; 8],
}

/// How a row is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Measures of the forest of all rows, for classes and for numbers.
    Measure(MeasureId, MeasureId),
    /// A forest with ranger's meaning of the smallest node.
    Ranger,
    /// A forest of conditional inference trees, as party grows and measures it.
    Conditional,
}

pub(super) const ROWS: [Row; 8] = [
    Row {
        name: "MDI-oob",
        how: How::Measure(MeasureId::MdiOobUncentred, MeasureId::MdiOobUncentred),
        published: [0.75, 0.58, 0.94, 0.98, 0.76, 0.52, 0.87, 0.98],
    },
    Row {
        name: "UFI",
        how: How::Measure(MeasureId::Ufi, MeasureId::Ufi),
        published: [0.75, 0.56, 0.94, 0.98, 0.72, 0.54, 0.88, 0.99],
    },
    Row {
        name: "naive-oob",
        how: How::Measure(MeasureId::MdiOobNaive, MeasureId::MdiOobNaiveInBagAdded),
        published: [0.60, 0.39, 0.89, 0.97, 0.18, 0.10, 0.67, 0.71],
    },
    Row {
        name: "SHAP",
        how: How::Measure(MeasureId::TreeShap, MeasureId::TreeShap),
        published: [0.68, 0.46, 0.91, 0.97, 0.55, 0.33, 0.82, 0.96],
    },
    Row {
        name: "ranger",
        how: How::Ranger,
        published: [0.55, 0.49, 0.76, 0.99, 0.56, 0.50, 0.73, 0.97],
    },
    Row {
        name: "MDA",
        how: How::Measure(MeasureId::MdaTrainTest, MeasureId::MdaTrainTest),
        published: [0.50, 0.58, 0.50, 0.99, 0.49, 0.51, 0.54, 0.97],
    },
    Row {
        name: "cforest",
        how: How::Conditional,
        published: [0.70, 0.49, 0.90, 0.98, 0.65, 0.50, 0.79, 0.93],
    },
    Row {
        name: "MDI",
        how: How::Measure(MeasureId::Mdi, MeasureId::Mdi),
        published: [0.63, 0.40, 0.88, 0.97, 0.12, 0.09, 0.60, 0.71],
    },
];

/// A column of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) is_deep: bool,
    pub(super) is_chip: bool,
    pub(super) task: Task,
}

pub(super) const CELLS: [Cell; 8] = {
    const fn cell(is_deep: bool, is_chip: bool, task: Task) -> Cell {
        Cell { is_deep, is_chip, task }
    }
    [
        cell(false, false, Task::Classification),
        cell(false, false, Task::Regression),
        cell(false, true, Task::Classification),
        cell(false, true, Task::Regression),
        cell(true, false, Task::Classification),
        cell(true, false, Task::Regression),
        cell(true, true, Task::Classification),
        cell(true, true, Task::Regression),
    ]
};

impl Cell {
    pub(super) fn name(self) -> String {
        let depth = if self.is_deep { "deep" } else { "shallow" };
        let data = if self.is_chip { "ChIP" } else { "simulated" };
        let task = match self.task {
            Task::Classification => "C",
            Task::Regression => "R",
        };
        format!("{depth}, {data}, {task}")
    }

    /// The error by which permutation importances judge.
    pub(super) fn loss(self) -> Loss {
        match self.task {
            Task::Classification => Loss::ZeroOne,
            Task::Regression => Loss::Squared,
        }
    }
}
