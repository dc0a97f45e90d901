//! What is compared: functions, numbers of runs and noise, with what a prototype found.

use crate::benard::two_step::functions::Function;

/// A function, and the runs of it that are drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) function: Function,
    pub(super) n_runs: usize,
    /// Its share of the variance of the response.
    pub(super) noise: f64,
    pub(super) prototype: Option<Prototype>,
}

/// Means over a few data sets, from a program in `numpy` that was written before this one; its samples
/// had 6,000 to 10,000 rows and its forests 200 to 300 trees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prototype {
    pub(super) n_sets: usize,
    /// Of the forest and of the process, on fresh rows.
    pub(super) q2: [f64; 2],
    /// Mean errors, in the order of `WAYS`.
    pub(super) errors: [f64; 4],
    /// Largest errors: directly, and in two steps.
    pub(super) largest: [f64; 2],
}

impl Cell {
    pub(super) fn name(&self) -> String {
        let name = self.function.design().world.name;
        let noise = if self.noise > 0.0 { ", noise" } else { "" };
        format!("{name}, {} runs{noise}", self.n_runs)
    }

    /// Why values of a way may differ from those of the prototype.
    pub(super) fn why(&self, way: usize) -> &'static str {
        match (self.function, way) {
            (Friedman | Otl | WingWeight, 0) => "which inputs it made dependent is not recorded",
            (_, 1 | 2) => {
                "the prototype's samples had fewer rows and trees, or other dependent inputs"
            }
            (_, 3) => "the prototype's value contains the error of its draws",
            _ => "",
        }
    }
}

const fn cell(function: Function, n_runs: usize, noise: f64) -> Cell {
    Cell { function, n_runs, noise, prototype: None }
}

impl Cell {
    const fn found(self, n_sets: usize, q2: [f64; 2], errors: [f64; 4], largest: [f64; 2]) -> Self {
        Self { prototype: Some(Prototype { n_sets, q2, errors, largest }), ..self }
    }
}

use Function::{Borehole, Friedman, Ishigami, Otl, Piston, WingWeight};

pub(super) static CELLS: [Cell; 22] = [
    cell(Ishigami, 50, 0.0).found(3, [0.52, 0.777], [0.221, 0.098, 0.093, 0.075], [0.28, 0.15]),
    cell(Ishigami, 100, 0.0).found(3, [0.63, 0.925], [0.209, 0.049, 0.055, 0.041], [0.28, 0.10]),
    cell(Ishigami, 200, 0.0).found(3, [0.71, 0.994], [0.172, 0.015, 0.023, 0.006], [0.20, 0.02]),
    cell(Ishigami, 400, 0.0).found(3, [0.79, 0.998], [0.134, 0.015, 0.020, 0.005], [0.15, 0.03]),
    cell(Friedman, 50, 0.0).found(3, [0.54, 0.992], [0.047, 0.012, 0.017, 0.003], [0.13, 0.03]),
    cell(Friedman, 100, 0.0),
    cell(Friedman, 200, 0.0).found(3, [0.77, 1.000], [0.028, 0.012, 0.010, 0.001], [0.09, 0.03]),
    cell(Borehole, 50, 0.0).found(2, [0.76, 0.999], [0.026, 0.007, 0.015, 0.002], [0.07, 0.02]),
    cell(Borehole, 100, 0.0),
    cell(Otl, 50, 0.0).found(2, [0.41, 1.000], [0.172, 0.013, 0.022, 0.004], [0.48, 0.02]),
    cell(Otl, 100, 0.0),
    cell(Otl, 200, 0.0).found(2, [0.72, 1.000], [0.098, 0.011, 0.018, 0.005], [0.22, 0.02]),
    cell(WingWeight, 50, 0.0).found(2, [0.56, 0.998], [0.059, 0.010, 0.029, 0.002], [0.26, 0.03]),
    cell(WingWeight, 100, 0.0),
    cell(Piston, 50, 0.0).found(2, [0.43, 0.986], [0.164, 0.017, 0.047, 0.005], [0.46, 0.03]),
    cell(Piston, 100, 0.0),
    cell(Piston, 200, 0.0).found(2, [0.64, 0.998], [0.127, 0.019, 0.047, 0.006], [0.37, 0.03]),
    cell(Friedman, 100, 0.1).found(1, [0.75, 0.927], [0.031, 0.013, 0.020, 0.009], [0.11, 0.05]),
    cell(Otl, 100, 0.1).found(1, [0.57, 0.974], [0.121, 0.011, 0.023, 0.009], [0.32, 0.02]),
    cell(Ishigami, 100, 0.1).found(1, [0.63, 0.830], [0.160, 0.039, 0.054, 0.033], [0.25, 0.05]),
    cell(Ishigami, 50, 0.1).found(1, [0.49, 0.503], [0.191, 0.280, 0.248, 0.242], [0.28, 0.37]),
    cell(Friedman, 50, 0.1),
];
