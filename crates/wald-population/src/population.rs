//! A joint distribution of variables and a target.

use std::collections::BTreeMap;
use wald::setting;

use wald::Error;
use wald::data::{Dataset, Features, Groups, Response as TargetValues};
use wald::forest::Impurity;

use crate::categories::{Categories, distinct_rows};
use crate::limits::check_states;
use crate::response::Response;

/// Impurities that differ by less than this share are equal; sums of probabilities round.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// A joint distribution of input variables and a target.
///
/// Its points are the combinations of categories that have positive probability.
#[derive(Debug, Clone)]
pub struct Population {
    pub(crate) groups: Groups,
    pub(crate) target: String,
    pub(crate) points: Features,
    pub(crate) probabilities: Vec<f64>,
    /// One code per point and variable, point by point.
    pub(crate) codes: Vec<u32>,
    pub(crate) n_categories: Vec<u32>,
    pub(crate) response: Response,
    /// The state of every point.
    pub(crate) states: Vec<f64>,
    /// Point, number of the target's value, and probability; in the order of the points.
    pub(crate) outcomes: Vec<(u32, u32, f64)>,
    pub(crate) n_outcomes: usize,
}

impl Population {
    /// The distribution of a data set whose rows are with probabilities proportional to their
    /// weights (probabilities or counts; equally likely without weights). Rows that are equal
    /// become one, rows of weight zero are left out, and weights need not add up to one.
    ///
    /// The values of columns are categories, those of numbers too, and a missing value is a
    /// category of its own. A group of columns is one variable. The impurity is the variance of
    /// a numeric target and the entropy of classes, unless given.
    ///
    /// Cost: n log n for n rows, per variable.
    ///
    /// # Errors
    /// [`Error::Setting`] when the impurity does not fit the target, [`Error::Data`] when nearly
    /// all numbers of a column differ, [`Error::TooLarge`] when the points with their classes take
    /// more than 8 GiB. Weights that are negative or not finite cannot get here;
    /// see [`Dataset::with_weights`].
    pub fn new(data: &Dataset, impurity: Option<Impurity>) -> Result<Self, Error> {
        let impurity = checked_impurity(data, impurity)?;
        let weight_of = |row: u32| data.weights().map_or(1.0, |weights| weights[row as usize]);
        let rows: Vec<u32> =
            (0..data.n_rows() as u32).filter(|&row| weight_of(row) > 0.0).collect();
        let Categories { codes, n_categories } = Categories::new(data, &rows)?;
        let n_variables = n_categories.len();
        let total: f64 = rows.iter().map(|&row| weight_of(row)).sum();
        let (place, first) = distinct_rows(&codes, n_variables);
        let (values, numbers) = outcomes_of(data, &rows)?;
        let mut masses: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for ((&row, &point), &value) in rows.iter().zip(&place).zip(&values) {
            *masses.entry((point, value)).or_default() += weight_of(row);
        }
        let share = |((point, value), mass): ((u32, u32), f64)| (point, value, mass / total);
        let outcomes: Vec<(u32, u32, f64)> = masses.into_iter().map(share).collect();
        let n_outcomes = numbers.len();
        let stride = if impurity == Impurity::Variance { 3 } else { n_outcomes };
        let response = Response { impurity, stride };
        check_states(first.len(), stride)?;
        let (mut states, mut probabilities) =
            (vec![0.0; first.len() * stride], vec![0.0; first.len()]);
        for &(point, value, mass) in &outcomes {
            let state = &mut states[point as usize * stride..][..stride];
            probabilities[point as usize] += mass;
            if impurity == Impurity::Variance {
                response.merge(state, &[mass, numbers[value as usize], 0.0]);
            } else {
                state[value as usize] += mass;
            }
        }
        let rows_of_points: Vec<u32> = first.iter().map(|&at| rows[at as usize]).collect();
        let columns = data.features().columns().iter();
        let of_point = |at: u32| &codes[at as usize * n_variables..][..n_variables];
        Ok(Self {
            groups: data.groups().clone(),
            target: data.target().name().to_owned(),
            points: Features::new(columns.map(|column| column.select(&rows_of_points)).collect())?,
            probabilities,
            codes: first.iter().flat_map(|&at| of_point(at)).copied().collect(),
            n_categories,
            response,
            states,
            outcomes,
            n_outcomes,
        })
    }

    /// The names of the variables: of columns, or of groups of columns.
    pub fn variables(&self) -> &[String] {
        self.groups.names()
    }

    /// The positions of the columns that make a variable, among those of [`Population::points`].
    pub fn columns_of(&self, variable: usize) -> &[u32] {
        &self.groups.members()[variable]
    }

    /// The name of the target.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// What importances reduce.
    pub fn impurity(&self) -> Impurity {
        self.response.impurity
    }

    /// The number of variables, p.
    pub fn n_variables(&self) -> usize {
        self.groups.n_groups()
    }

    /// The points of positive probability, in the order of their categories; columns as in the
    /// data set.
    pub fn points(&self) -> &Features {
        &self.points
    }

    /// The probability of every point.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The number of different categories of every variable.
    pub fn n_categories(&self) -> &[u32] {
        &self.n_categories
    }

    /// The impurity of the target when nothing is known, in the unit of the impurity.
    pub fn root_impurity(&self) -> f64 {
        self.left_of(&vec![0; self.n_points()], 1)
    }

    /// I(V; Y): the information of all variables about the target (Louppe et al., Equation 4).
    pub fn total(&self) -> f64 {
        self.root_impurity() - self.response.left_of_all(&self.states)
    }

    pub(crate) fn n_points(&self) -> usize {
        self.probabilities.len()
    }

    /// The category of a variable at a point.
    #[inline]
    pub(crate) fn code(&self, point: usize, variable: usize) -> u32 {
        self.codes[point * self.n_categories.len() + variable]
    }

    pub(crate) fn state(&self, point: usize) -> &[f64] {
        &self.states[point * self.response.stride..][..self.response.stride]
    }

    /// No cell is more impure than this.
    pub(crate) fn most_impure(&self) -> f64 {
        match self.impurity() {
            Impurity::Gini => 1.0,
            Impurity::Entropy => (self.n_outcomes.max(2) as f64).log2(),
            // Others are refused before.
            Impurity::Variance | Impurity::Poisson | Impurity::AbsoluteError => {
                let states = self.states.chunks_exact(self.response.stride);
                let within = states.clone().map(|state| state[2] / state[0]).fold(0.0, f64::max);
                let means = states.map(|state| state[1]);
                let most = means.clone().fold(f64::NEG_INFINITY, f64::max);
                let range = most - means.fold(f64::INFINITY, f64::min);
                within + range * range
            }
        }
    }

    /// The states of cells that points belong to.
    pub(crate) fn states_of(&self, cells: &[u32], n_cells: usize) -> Vec<f64> {
        let stride = self.response.stride;
        let mut states = vec![0.0; n_cells * stride];
        for (point, &cell) in cells.iter().enumerate() {
            let state = &mut states[cell as usize * stride..][..stride];
            self.response.merge(state, self.state(point));
        }
        states
    }

    /// The impurity that is left when it is known to which cell a point belongs.
    pub(crate) fn left_of(&self, cells: &[u32], n_cells: usize) -> f64 {
        self.response.left_of_all(&self.states_of(cells, n_cells))
    }
}

fn checked_impurity(data: &Dataset, impurity: Option<Impurity>) -> Result<Impurity, Error> {
    let is_numeric = data.target().classes().is_none();
    match impurity {
        None if is_numeric => Ok(Impurity::Variance),
        None => Ok(Impurity::Entropy),
        Some(impurity)
            if Impurity::OF_DISTRIBUTIONS.contains(&impurity)
                && is_numeric == (impurity == Impurity::Variance) =>
        {
            Ok(impurity)
        }
        Some(_) => Err(Error::bad_setting(
            setting::IMPURITY,
            "the impurity does not fit the target",
            "use `variance` for numbers, `entropy` or `gini` for classes",
        )),
    }
}

/// The value of the target in every row as its place among the distinct ones, and these values from the
/// middle one on; of classes, their codes.
fn outcomes_of(data: &Dataset, rows: &[u32]) -> Result<(Vec<u32>, Vec<f64>), Error> {
    match data.target().response() {
        TargetValues::Classification(classes) => {
            let codes = rows.iter().map(|&row| classes.codes()[row as usize]).collect();
            Ok((codes, (0..classes.levels().len()).map(|class| class as f64).collect()))
        }
        TargetValues::Regression(values) => {
            let numbers: Vec<f64> = rows.iter().map(|&row| values[row as usize] + 0.0).collect();
            let mut distinct = numbers.clone();
            distinct.sort_unstable_by(f64::total_cmp);
            distinct.dedup();
            let place = |number: &f64| distinct.partition_point(|known| known < number) as u32;
            let places = numbers.iter().map(place).collect();
            // Far from zero, means round, and gains that are equal would differ.
            let centre = distinct.get(distinct.len() / 2).copied().unwrap_or_default();
            distinct.iter_mut().for_each(|number| *number -= centre);
            Ok((places, distinct))
        }
        TargetValues::Several(_) => Err(data.target().not_one()),
    }
}
