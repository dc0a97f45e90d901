//! The cells that sets of variables divide the points into.

use std::collections::HashMap;

use crate::population::Population;

/// The cells of one set of variables.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    /// The cell of every point; cells are numbered in the order of their first points.
    ids: Ids,
    /// The impurity of every cell times its probability.
    pub(crate) left: Vec<f64>,
    /// The probability of every cell.
    pub(crate) weights: Vec<f64>,
    /// The first point of every cell.
    pub(crate) points: Vec<u32>,
}

/// Numbers of cells, in half the memory where that is enough.
#[derive(Debug, Clone)]
enum Ids {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

/// Divides cells by a variable: the new cell of every point, and the first point of every cell.
pub(crate) fn divided(
    population: &Population,
    cell_of: impl Fn(usize) -> u32,
    n_cells: usize,
    variable: usize,
) -> (Vec<u32>, Vec<u32>) {
    let n_points = population.n_points();
    let n_categories = population.n_categories[variable] as usize;
    let mut points = Vec::new();
    let mut cells = Vec::with_capacity(n_points);
    // Where few of the possible cells can occur, they are looked up instead of listed.
    if n_cells * n_categories <= 8 * n_points + 1024 {
        let mut known = vec![u32::MAX; n_cells * n_categories];
        for point in 0..n_points {
            let code = population.code(point, variable) as usize;
            let cell = &mut known[cell_of(point) as usize * n_categories + code];
            if *cell == u32::MAX {
                *cell = points.len() as u32;
                points.push(point as u32);
            }
            cells.push(*cell);
        }
    } else {
        let mut known = HashMap::new();
        for point in 0..n_points {
            let key = (cell_of(point), population.code(point, variable));
            let cell = *known.entry(key).or_insert_with(|| {
                points.push(point as u32);
                points.len() as u32 - 1
            });
            cells.push(cell);
        }
    }
    (cells, points)
}

impl Cells {
    /// One cell of all points.
    pub(crate) fn root(population: &Population) -> Self {
        Self::new(population, vec![0; population.n_points()], vec![0])
    }

    /// The cells divided by one variable more.
    pub(crate) fn divided(&self, population: &Population, variable: usize) -> Self {
        let (ids, points) =
            divided(population, |point| self.of(point), self.points.len(), variable);
        Self::new(population, ids, points)
    }

    fn new(population: &Population, ids: Vec<u32>, points: Vec<u32>) -> Self {
        let response = population.response;
        let states = population.states_of(&ids, points.len());
        let states = states.chunks_exact(response.stride);
        Self {
            left: states.clone().map(|state| response.left(state)).collect(),
            weights: states.map(|state| response.weight(state)).collect(),
            points,
            ids: Ids::new(ids),
        }
    }

    /// The cell of a point.
    #[inline]
    pub(crate) fn of(&self, point: usize) -> u32 {
        match &self.ids {
            Ids::Short(ids) => u32::from(ids[point]),
            Ids::Long(ids) => ids[point],
        }
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// The impurity of a cell.
    pub(crate) fn impurity(&self, cell: usize) -> f64 {
        self.left[cell] / self.weights[cell]
    }
}

impl Ids {
    fn new(ids: Vec<u32>) -> Self {
        if u16::try_from(ids.len().saturating_sub(1)).is_ok() {
            Self::Short(ids.into_iter().map(|id| id as u16).collect())
        } else {
            Self::Long(ids)
        }
    }
}
