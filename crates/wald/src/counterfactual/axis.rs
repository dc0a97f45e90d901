//! What may be put in place of the values of a group of columns.

use std::cmp::Ordering;
use std::ops::Range;

use crate::counterfactual::bound::Bound;
use crate::data::{Groups, MISSING_CODE};

/// The axes of the groups that are looked at.
#[derive(Debug)]
pub(crate) struct Axes {
    /// One per group.
    axes: Vec<Axis>,
    /// The group of each canonical column.
    group_of: Vec<u32>,
}

/// The values that a group of columns may take: those of some rows of the table, the donors. A
/// place on the axis stands for donors that no split of the forest separates.
#[derive(Debug)]
pub(crate) enum Axis {
    /// The group is not looked at.
    None,
    /// One column of numbers. Places are cells between the forest's thresholds, increasing;
    /// missing values are besides.
    Ordered {
        column: u32,
        /// The cell in which a code lies; of a threshold, the cell that it begins.
        cell_of_code: Vec<u32>,
        n_cells: u32,
        has_missing: bool,
    },
    /// One column of levels, or several columns. Places are the distinct donors.
    Points {
        /// A row for every place.
        rows: Vec<u32>,
        /// The place of every row of the table that is a donor.
        place_of_row: Vec<u32>,
    },
}

impl Axes {
    /// Axes of the groups that have donors. Cost O(nodes + columns * rows), and a sort of the
    /// donors of groups of several columns.
    pub(crate) fn new(
        bound: &Bound<'_>,
        groups: &Groups,
        donors: impl Fn(usize) -> Range<u32>,
    ) -> Self {
        let n_columns = bound.features().n_columns() as u32;
        let group_of = |column| groups.of_column()[bound.features().original(column) as usize];
        let group_of: Vec<u32> = (0..n_columns).map(group_of).collect();
        let is_needed = |column: u32| !donors(group_of[column as usize] as usize).is_empty();
        let mut cells = Cells::new(bound, is_needed);
        let axes = groups.members().iter().enumerate().map(|(group, members)| {
            let donors = donors(group);
            let canonical = |&column: &u32| bound.features().canonical(column);
            let columns: Vec<u32> = members.iter().map(canonical).collect();
            match columns.as_slice() {
                _ if donors.is_empty() => Axis::None,
                &[column] if bound.is_ordered(column) => {
                    let codes = bound.features().column(column).codes();
                    let has_missing =
                        donors.into_iter().any(|row| codes[row as usize] == MISSING_CODE);
                    let (cell_of_code, n_cells) = cells.take(column);
                    Axis::Ordered { column, cell_of_code, n_cells, has_missing }
                }
                columns => points(bound, columns, &cells, donors),
            }
        });
        Self { axes: axes.collect(), group_of }
    }

    /// Places of all axes of points.
    pub(super) fn n_points(&self) -> usize {
        let points = self.axes.iter().filter(|axis| matches!(axis, Axis::Points { .. }));
        points.map(Axis::n_places).sum()
    }

    pub(crate) fn axis(&self, group: usize) -> &Axis {
        &self.axes[group]
    }

    pub(crate) fn n_groups(&self) -> usize {
        self.axes.len()
    }

    /// The group of a canonical column.
    pub(super) fn group(&self, column: u32) -> u32 {
        self.group_of[column as usize]
    }

    /// The place of a donor on the axis of a group; [`MISSING_CODE`] for missing numbers.
    pub(crate) fn place(&self, bound: &Bound<'_>, group: usize, row: u32) -> u32 {
        match &self.axes[group] {
            Axis::None => 0,
            Axis::Ordered { column, cell_of_code, .. } => {
                match bound.features().column(*column).codes()[row as usize] {
                    MISSING_CODE => MISSING_CODE,
                    code => cell_of_code[code as usize],
                }
            }
            Axis::Points { place_of_row, .. } => place_of_row[row as usize],
        }
    }
}

impl Axis {
    /// Number of places, missing numbers not counted.
    pub(crate) fn n_places(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Ordered { n_cells, .. } => *n_cells as usize,
            Self::Points { rows, .. } => rows.len(),
        }
    }
}

/// For every code of the columns of numbers, the number of thresholds up to it.
struct Cells(Vec<Vec<u32>>);

impl Cells {
    fn new(bound: &Bound<'_>, is_needed: impl Fn(u32) -> bool) -> Self {
        let features = bound.features();
        let empty = |column| {
            let is_ordered = bound.is_ordered(column) && is_needed(column);
            if is_ordered { vec![0; features.column(column).n_codes() + 1] } else { Vec::new() }
        };
        let mut cells: Vec<Vec<u32>> = (0..features.n_columns() as u32).map(empty).collect();
        for (column, below) in bound.cuts() {
            if let Some(mark) = cells[column as usize].get_mut(below as usize) {
                *mark = 1;
            }
        }
        for cells in cells.iter_mut().filter(|cells| !cells.is_empty()) {
            // No code is below the first one, and all are below the one after the last.
            cells[0] = 0;
            let last = cells.len() - 1;
            cells[last] = 1;
            let mut n_thresholds = 0;
            for cell in cells {
                n_thresholds += *cell;
                *cell = n_thresholds;
            }
        }
        Self(cells)
    }

    fn take(&mut self, column: u32) -> (Vec<u32>, u32) {
        let cells = std::mem::take(&mut self.0[column as usize]);
        let n_cells = cells.last().copied().unwrap_or(0);
        (cells, n_cells)
    }

    /// What the forest sees of a code.
    fn seen(&self, column: u32, code: u32) -> u32 {
        self.0[column as usize].get(code as usize).copied().unwrap_or(code)
    }
}

/// The distinct donors, as far as the forest distinguishes their values.
fn points(bound: &Bound<'_>, columns: &[u32], cells: &Cells, donors: Range<u32>) -> Axis {
    let compare = |&one: &u32, &other: &u32| {
        let unequal = columns.iter().map(|&column| {
            let codes = bound.features().column(column).codes();
            let seen = |row: u32| cells.seen(column, codes[row as usize]);
            seen(one).cmp(&seen(other))
        });
        unequal.fold(Ordering::Equal, Ordering::then)
    };
    let mut sorted: Vec<u32> = donors.collect();
    // Rows that are equal keep their order, so that the first one stands for all.
    sorted.sort_by(compare);
    let mut rows = Vec::new();
    let mut place_of_row = vec![0; bound.features().n_rows()];
    for row in sorted {
        if rows.last().is_none_or(|last| compare(last, &row) != Ordering::Equal) {
            rows.push(row);
        }
        place_of_row[row as usize] = rows.len() as u32 - 1;
    }
    Axis::Points { rows, place_of_row }
}
