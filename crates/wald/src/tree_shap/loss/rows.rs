//! Shapley values of the loss, row by row.

use crate::counterfactual::Bound;
use crate::error::Error;
use crate::parts::divided;
use crate::run::{Progress, Run};
use crate::threads::ordered;
use crate::tree_shap::loss::pair::{Pair, Side};
use crate::tree_shap::loss::patterns::Patterns;
use crate::tree_shap::loss::squares::{self, Squares};
use crate::tree_shap::loss::subsets::{self, MOST_PLAYERS, Subsets};

/// More steps than this for one pair of rows, some ten seconds, are refused.
const MOST_WORK: f64 = 4e9;

/// By how much values and losses may differ, in units of the largest loss.
const TOLERANCE: f64 = 1e-9;

/// The loss of a forest for the rows of a table, and who is to have its share.
pub(crate) struct LossOfRows<'a> {
    pub(crate) measure: &'static str,
    /// The forest, bound to the rows and to background rows, all of their table.
    pub(crate) bound: &'a Bound<'a>,
    pub(crate) behind: &'a Bound<'a>,
    /// By column of the forest, who plays it.
    pub(crate) player: &'a [u32],
    pub(crate) n_players: usize,
    /// The loss of predicting something for a row.
    pub(crate) loss: &'a (dyn Fn(usize, &[f64]) -> f64 + Sync),
    /// The response of a row in an output, where the loss is the sum of how far predictions are from
    /// it, or of the squares of that; `None` for other losses.
    pub(crate) response: Option<Response<'a>>,
    pub(crate) is_squared: bool,
}

type Response<'a> = &'a (dyn Fn(usize, usize) -> f64 + Sync);

/// How the values of a pair are found.
enum Method {
    /// By all coalitions of its players.
    Subsets,
    /// By all pairs of patterns.
    Squares,
}

/// A background row: its codes, by canonical column, and what the forest predicts for it.
struct BackgroundRow {
    codes: Vec<u32>,
    prediction: Vec<f64>,
}

/// Memory of a thread.
#[derive(Default)]
struct Memory {
    pair: Pair,
    codes: Vec<u32>,
    subsets: Subsets,
    squares: Squares,
    above: Vec<f64>,
}

impl LossOfRows<'_> {
    /// Calls `each` with the rows, in their order, and the values of the players: by how much
    /// knowing a player's values lowers the loss, averaged over background rows. They add up to the
    /// mean over background rows of the loss of predicting for the row what the forest predicts for
    /// them, minus the loss of its own prediction.
    ///
    /// # Errors
    /// [`Error::Measure`] where a row and a background row differ in too many variables for the loss,
    /// [`Error::Cancelled`], and [`Error::Inconsistent`] should values not add up.
    pub(crate) fn run(
        &self,
        n_rows: usize,
        run: &Run,
        mut each: impl FnMut(usize, &[f64]) + Send,
    ) -> Result<(), Error> {
        let background: Vec<BackgroundRow> = (0..self.behind.features().n_rows())
            .map(|row| {
                let codes = codes(self.behind, row);
                let prediction = predicted(self.behind, &codes, self.response.is_some());
                BackgroundRow { codes, prediction }
            })
            .collect();
        let explain =
            |row: usize, memory: &mut Memory| self.explain(row, &background, memory, &run.progress);
        divided(
            n_rows,
            run,
            |_, values: &Vec<f64>| values.len() == self.n_players,
            |rows, found| {
                let explain = |index: usize, memory: &mut _| explain(rows.start + index, memory);
                let merge = |index, values| found(rows.start + index, values);
                ordered(rows.len(), run, Memory::default, explain, merge)
            },
            |row, values| each(row, &values),
        )
    }

    fn explain(
        &self,
        row: usize,
        background: &[BackgroundRow],
        memory: &mut Memory,
        progress: &Progress,
    ) -> Result<Vec<f64>, Error> {
        let Memory { pair, codes: own, subsets, squares, above } = memory;
        *own = codes(self.bound, row);
        let prediction = predicted(self.bound, own, self.response.is_some());
        // If predictions are relative to those of the roots, so are responses.
        let truth: Vec<f64> = self.response.map_or_else(Vec::new, |response| {
            let roots = roots(self.bound).into_iter().enumerate();
            roots.map(|(output, root)| response(row, output) - root).collect()
        });
        let loss = |prediction: &[f64]| match self.response {
            Some(_) => {
                let distances = prediction.iter().zip(&truth).map(|(value, y)| (value - y).abs());
                distances.map(|far| if self.is_squared { far * far } else { far }).sum()
            }
            None => (self.loss)(row, prediction),
        };
        let (own_loss, mut without) = (loss(&prediction), 0.0);
        let mut largest = own_loss.abs();
        let mut values = vec![0.0; self.n_players];
        let share = 1.0 / background.len() as f64;
        let zero = vec![0.0; prediction.len()];
        for other in background {
            progress.check()?;
            let BackgroundRow { codes, prediction: behind } = other;
            let loss_behind = loss(behind);
            without += share * loss_behind;
            let (row, other) =
                (Side { bound: self.bound, codes: own }, Side { bound: self.behind, codes });
            pair.meet(row, other, self.player, self.n_players, self.response.is_none());
            let (players, patterns) = (&pair.players, &pair.patterns);
            let add = |place: usize, fall: f64| values[players[place] as usize] += share * fall;
            let bound = match self.method(patterns, players.len(), behind.len())? {
                Method::Subsets => {
                    let base = if self.response.is_none() { zero.as_slice() } else { behind };
                    subsets.falls(patterns, base, players.len(), loss, add)
                }
                Method::Squares => {
                    above.clear();
                    above.extend(behind.iter().zip(&truth).map(|(value, truth)| value - truth));
                    squares.falls(patterns, above, players.len(), add)
                }
            };
            largest = largest.max(loss_behind.abs()).max(bound);
        }
        let (sum, fall): (f64, f64) = (values.iter().sum(), without - own_loss);
        // Written so that a sum which is not a number is far, too.
        let is_close = (sum - fall).abs() <= TOLERANCE * largest;
        if is_close {
            return Ok(values);
        }
        Err(Error::Inconsistent {
            what: format!(
                "the values of `{}` for row {} add up to {sum}, but the loss falls by {fall}",
                self.measure,
                row + 1
            ),
        })
    }

    /// The cheaper method for the values of a pair.
    fn method(
        &self,
        patterns: &Patterns,
        n_players: usize,
        n_outputs: usize,
    ) -> Result<Method, Error> {
        let by_subsets = subsets::work(patterns, n_players, n_outputs);
        if self.is_squared {
            let by_squares = squares::work(patterns);
            if by_squares.min(by_subsets) > MOST_WORK {
                return Err(self.too_many_patterns(patterns.len(), by_squares));
            }
            return Ok(if by_squares < by_subsets { Method::Squares } else { Method::Subsets });
        }
        if by_subsets.is_infinite() {
            Err(self.too_many_players(n_players))
        } else {
            Ok(Method::Subsets)
        }
    }

    fn too_many_players(&self, n_players: usize) -> Error {
        Error::measure(
            self.measure,
            format!(
                "uses all coalitions of the variables in which a row and a background row \
                 differ, where the loss is not the squared one, and here they differ in \
                 {n_players}, more than {MOST_PLAYERS}: more than a million coalitions for every \
                 pair of rows"
            ),
            "use the squared loss, or sage, which samples coalitions, or take columns together \
                   as one variable (a group)",
        )
    }

    fn too_many_patterns(&self, n_patterns: usize, work: f64) -> Error {
        Error::measure(
            self.measure,
            format!(
                "compares all pairs of leaves that mixtures of a row and a background row come to, \
                 and here {n_patterns} of them ask for different variables: about {:.0} billion \
                 steps for one pair of rows",
                work / 1e9
            ),
            "use sage, which samples coalitions, or a forest of fewer or smaller trees, or \
                   take columns together as one variable (a group)",
        )
    }
}

/// The codes of a row, by canonical column.
fn codes(bound: &Bound<'_>, row: usize) -> Vec<u32> {
    let features = bound.features();
    (0..features.n_columns() as u32).map(|column| features.column(column).codes()[row]).collect()
}

/// What the forest predicts for a row, or by how much that is above [`roots`].
fn predicted(bound: &Bound<'_>, codes: &[u32], from_roots: bool) -> Vec<f64> {
    let mut sums = vec![0.0; bound.stride()];
    for tree in 0..bound.n_trees() {
        let leaf = bound.router(tree).descend(0, |column| codes[column as usize]);
        let node_values = bound.node_values(tree, leaf).iter().zip(bound.node_values(tree, 0));
        let node_values =
            node_values.map(|(value, root)| if from_roots { value - root } else { *value });
        sums.iter_mut().zip(node_values).for_each(|(sum, value)| *sum += value);
    }
    prediction(bound, &sums)
}

/// What the roots of all trees predict. A large offset of the target is in it, and costs no digits of
/// what is counted from there.
fn roots(bound: &Bound<'_>) -> Vec<f64> {
    let mut sums = vec![0.0; bound.stride()];
    for tree in 0..bound.n_trees() {
        sums.iter_mut().zip(bound.node_values(tree, 0)).for_each(|(sum, value)| *sum += value);
    }
    prediction(bound, &sums)
}

fn prediction(bound: &Bound<'_>, sums: &[f64]) -> Vec<f64> {
    let mut prediction = vec![0.0; bound.n_outputs()];
    bound.predict(sums, bound.n_trees(), &mut prediction);
    prediction
}

/// Memory of a thread for the mixtures of a pair, of so many players and outputs.
pub(crate) fn mixture_bytes(n_players: f64, n_outputs: f64) -> f64 {
    subsets::bytes(n_players, n_outputs)
}
