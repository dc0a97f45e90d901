//! What the records of a local measure hold, and where.

use std::ops::Range;

use crate::explain::grid::Grid;
use crate::forest::Forest;

/// What the records of a local measure hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The variables, in the order of the forest.
    pub variables: Vec<String>,
    /// Names of the classes; `None` for numbers.
    pub classes: Option<Vec<String>>,
    /// The numbers of one record.
    pub shape: Shape,
    /// True when there is one record for all rows.
    pub is_mean: bool,
    /// True when the values of a record are followed by as many shares of the variance of predictions,
    /// by which lines are sorted.
    pub has_shares: bool,
    /// Number of rows.
    pub n_rows: usize,
}

/// The numbers of one record; the last index, which is not named here, is that of the class.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// `[variable][place of its grid]`.
    Curves(Vec<Grid>),
    /// `[variable]`, of so many variables.
    Values(usize),
    /// `[variable][variable]`, of so many variables.
    Pairs(usize),
}

impl Layout {
    /// That of records for rows: of the variables of a forest at these positions, with its classes.
    pub(super) fn of_rows(forest: &Forest, wanted: &[usize], shape: Shape, n_rows: usize) -> Self {
        let name = |&feature: &usize| forest.features()[feature].name.clone();
        Self {
            variables: wanted.iter().map(name).collect(),
            classes: forest.target().classes.clone(),
            shape,
            is_mean: false,
            has_shares: false,
            n_rows,
        }
    }

    /// Numbers per variable and place: 1, or the number of classes.
    pub fn n_outputs(&self) -> usize {
        self.classes.as_ref().map_or(1, Vec::len)
    }

    /// The grids of curves, by variable, with where their numbers are in each record; none where
    /// records are no curves.
    pub fn curves(&self) -> Vec<(&Grid, Range<usize>)> {
        let Shape::Curves(grids) = &self.shape else { return Vec::new() };
        let mut end = 0;
        let with_span = |grid| {
            let start = end;
            end += Grid::len(grid) * self.n_outputs();
            (grid, start..end)
        };
        grids.iter().map(with_span).collect()
    }

    /// Values of one record, without shares.
    pub fn n_values(&self) -> usize {
        let n_places = match &self.shape {
            Shape::Curves(grids) => grids.iter().map(Grid::len).sum(),
            Shape::Values(n_variables) => *n_variables,
            Shape::Pairs(n_variables) => n_variables * n_variables,
        };
        n_places * self.n_outputs()
    }

    /// Numbers of one record: values, and shares where there are any.
    pub fn n_numbers(&self) -> usize {
        (1 + usize::from(self.has_shares)) * self.n_values()
    }

    /// The values of a record, and its shares.
    pub fn parts<'a>(&self, record: &'a [f64]) -> (&'a [f64], &'a [f64]) {
        record.split_at(self.n_values())
    }

    /// Number of records.
    pub fn n_records(&self) -> usize {
        if self.is_mean { 1 } else { self.n_rows }
    }
}
