//! The curves of rows along the grids of variables.

use crate::message::Message;
use crate::{message, setting};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::counterfactual::{Axes, Block, Bound, Walker};
use crate::data::{Column, ColumnData, Features, Groups, MISSING_LEVEL, RankedFeatures};
use crate::error::Error;
use crate::explain::grid::{Grid, GridSize, GridValues, exact, quantiles, thresholds};
use crate::explain::{ExplanationSettings, Layout, Rows, Shape, ToExplain, unknown_variable};
use crate::forest::{Aggregation, Bag, Forest, Sampling, align};
use crate::run::Run;
use crate::threads::ordered;

/// Rows and grids, in one table of which the grids are the last rows.
pub(super) struct Curves<'a> {
    forest: &'a Forest,
    table: Features,
    weights: Option<&'a [f64]>,
    /// Bags, where only trees that did not see a row explain it.
    bags: Option<&'a [Bag]>,
    layout: Layout,
}

impl<'a> Curves<'a> {
    pub(super) fn new(
        measure: &'static str,
        settings: &ExplanationSettings,
        subject: ToExplain<'a>,
        is_mean: bool,
    ) -> Result<Self, Error> {
        let ToExplain { forest, training, rows } = subject;
        let (rows, weights) = match rows {
            Rows::Training => (training.features(), training.weights()),
            Rows::Other(features) => (features, None),
            Rows::WithTarget(rows) => (rows.features(), None),
        };
        let bags = if settings.out_of_bag {
            Some(bags(measure, without_out_of_bag, subject)?)
        } else {
            None
        };
        let wanted = wanted(forest, &settings.variables)?;
        let reference = align(training.features(), forest.features())?;
        let thresholds = match settings.grid {
            GridSize::Exact => thresholds(forest, &wanted),
            GridSize::AtMost(_) | GridSize::Few(_) => vec![Vec::new(); wanted.len()],
        };
        let grids = wanted.iter().zip(thresholds).map(|(&feature, thresholds)| {
            let (info, column) = (&forest.features()[feature], &*reference[feature]);
            Grid::new(feature, info, column, settings.grid, |values| match settings.grid {
                GridSize::Exact => exact(thresholds, values),
                GridSize::AtMost(size) | GridSize::Few(size) => quantiles(values, size),
            })
        });
        let grids: Vec<Grid> = grids.collect();
        let columns = align(rows, forest.features())?;
        let n_added = grids.iter().map(Grid::len).max().unwrap_or(0);
        let mut of_feature = vec![None; columns.len()];
        grids.iter().for_each(|grid| of_feature[grid.feature] = Some(grid));
        let columns = columns
            .iter()
            .zip(of_feature)
            .map(|(column, grid)| extended(column, grid, n_added))
            .collect::<Result<_, _>>()?;
        let shape = Shape::Curves(grids);
        let layout = Layout { is_mean, ..Layout::of_rows(forest, &wanted, shape, rows.n_rows()) };
        let table = Features::new(columns)?;
        Ok(Self { forest, table, weights, bags, layout })
    }

    /// The same for numbers alone, without missing values.
    pub(super) fn of_numbers(mut self) -> Self {
        let Shape::Curves(grids) = &mut self.layout.shape else { return self };
        let mut is_number = grids.iter().map(|grid| matches!(grid.values, GridValues::Numbers(_)));
        self.layout.variables.retain(|_| is_number.next().unwrap_or(false));
        grids.retain(|grid| matches!(grid.values, GridValues::Numbers(_)));
        grids.iter_mut().for_each(|grid| grid.has_missing = false);
        self
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// By variable of the layout, the values of the rows.
    pub(super) fn numbers(&self) -> Vec<&[f64]> {
        let values = |grid: &Grid| match self.table.columns()[grid.feature].data() {
            ColumnData::Numeric(values) => &values[..self.layout.n_rows],
            ColumnData::Categorical(_) => &[],
        };
        self.grids().iter().map(values).collect()
    }

    /// Case weight of a row.
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }

    fn grids(&self) -> &[Grid] {
        match &self.layout.shape {
            Shape::Curves(grids) => grids,
            Shape::Values(_) | Shape::Pairs(_) => &[],
        }
    }

    /// Predictions of the rows where the variable at a place of the layout has these values. NaN for rows
    /// that no tree explains.
    pub(super) fn predict(
        &self,
        at: usize,
        values: Vec<f64>,
        run: &Run,
    ) -> Result<Vec<f64>, Error> {
        let feature = self.grids()[at].feature;
        let mut columns: Vec<Cow<'_, Column>> =
            self.table.columns().iter().map(Cow::Borrowed).collect();
        columns[feature] = Cow::Owned(Column::numeric(columns[feature].name(), values)?);
        self.forest.predict_aligned(&columns, self.layout.n_rows, self.bags, run)
    }

    /// Calls `each` with every row and its values on all grids, in the order of the rows.
    pub(super) fn run(
        &self,
        run: &Run,
        mut each: impl FnMut(usize, Vec<f64>) + Send,
    ) -> Result<(), Error> {
        let columns: Vec<&Column> = self.table.columns().iter().collect();
        let features = RankedFeatures::new(&columns, run.threads);
        let bound = &Bound::new(self.forest, &features, self.forest.aggregation(), run)?;
        let first = self.layout.n_rows as u32;
        let mut donors = vec![0..0; columns.len()];
        for grid in self.grids() {
            donors[grid.feature] = first..first + grid.len() as u32;
        }
        let axes = &Axes::new(bound, &Groups::singles(&self.table), |group| donors[group].clone());
        let place = |grid: &Grid, rows: Range<u32>| -> Vec<u32> {
            rows.map(|row| axes.place(bound, grid.feature, row)).collect()
        };
        let places: Vec<Vec<u32>> =
            self.grids().iter().map(|grid| place(grid, donors[grid.feature].clone())).collect();
        let places = &places;
        let (n_rows, together) = (self.layout.n_rows, Block::n_rows(bound, axes));
        let counts = |row: u32, tree: usize| {
            self.bags.is_none_or(|bags| bags[tree].counts()[row as usize] == 0)
        };
        let values = |index: usize, block: &mut Block<'_>| {
            let rows = index * together..n_rows.min((index + 1) * together);
            let walked =
                block.walk(rows.start as u32..rows.end as u32, &run.progress, |_, _| {}, counts)?;
            Ok(walked.map(|(_, walker)| self.values(bound, walker, places)).collect())
        };
        ordered(
            n_rows.div_ceil(together),
            run,
            || Block::new(bound, axes),
            values,
            |index, values: Vec<Vec<f64>>| {
                (index * together..).zip(values).for_each(|(row, values)| each(row, values));
            },
        )
    }

    /// The values of the row just walked.
    fn values(&self, bound: &Bound<'_>, walker: &mut Walker<'_>, places: &[Vec<u32>]) -> Vec<f64> {
        let n_outputs = bound.n_outputs();
        let n_trees = walker.n_trees();
        let mut values = vec![f64::NAN; self.layout.n_values()];
        if n_trees == 0 {
            return values;
        }
        let mut slots = values.chunks_exact_mut(n_outputs);
        for (grid, places) in self.grids().iter().zip(places) {
            let profile = walker.profile(grid.feature);
            for (&place, slot) in places.iter().zip(&mut slots) {
                bound.predict(profile.at(place), n_trees, slot);
            }
        }
        values
    }
}

/// Why there are no out-of-bag trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoBags {
    /// The rows are not those of training.
    OtherRows,
    /// The trees are summed.
    Summed,
    /// The file does not name the bags.
    NotNamed,
    /// Every tree has seen all rows, as the settings say if the forest is wald's own.
    AllRows { is_own: bool },
    /// Every tree has drawn all rows, though its settings would have left some out.
    DrewAll,
}

/// What to do without out-of-bag trees where they were requested.
pub(super) fn without_out_of_bag(_: NoBags) -> Message {
    message!("leave out ", setting::OUT_OF_BAG)
}

/// The bags by which trees that saw a row are left out.
pub(super) fn bags<'a>(
    measure: &'static str,
    help: fn(NoBags) -> Message,
    subject: ToExplain<'a>,
) -> Result<&'a [Bag], Error> {
    let refuse = |cause: NoBags, why: &str| Error::measure(measure, why, help(cause));
    if !subject.rows.are_training() {
        let why = "has no out-of-bag trees for rows besides the training data";
        return Err(refuse(NoBags::OtherRows, why));
    }
    if subject.forest.aggregation() == Aggregation::Sum {
        let why = "needs trees that each predict the target, but these are summed";
        return Err(refuse(NoBags::Summed, why));
    }
    let bags = subject.forest.bags().ok_or_else(|| {
        let why = "needs out-of-bag trees, but the forest file does not name the bags";
        refuse(NoBags::NotNamed, why)
    })?;
    if bags.iter().all(|bag| !bag.counts().contains(&0)) {
        let why = "needs out-of-bag trees, but every row is in every bag";
        let config = subject.forest.config();
        let is_drawn = config.is_some_and(|config| config.sampling != Sampling::All);
        let all_rows = NoBags::AllRows { is_own: config.is_some() };
        return Err(refuse(if is_drawn { NoBags::DrewAll } else { all_rows }, why));
    }
    let n_rows = subject.training.n_rows();
    if bags.iter().any(|bag| bag.counts().len() != n_rows) {
        let why = "needs the training data, but the forest was grown on another number of rows";
        return Err(Error::measure(measure, why, "give the table that the forest was grown on"));
    }
    Ok(bags)
}

/// Positions of the variables named, in the order of the forest; of all if none is.
pub(super) fn wanted(forest: &Forest, names: &[String]) -> Result<Vec<usize>, Error> {
    let features = forest.features();
    if names.is_empty() {
        return Ok((0..features.len()).collect());
    }
    let position = |name: &String| {
        let position = features.iter().position(|feature| feature.name == *name);
        position.ok_or_else(|| {
            let known: Vec<String> = features.iter().map(|feature| feature.name.clone()).collect();
            unknown_variable(name, &known)
        })
    };
    let mut wanted: Vec<usize> = names.iter().map(position).collect::<Result<_, _>>()?;
    wanted.sort_unstable();
    wanted.dedup();
    Ok(wanted)
}

/// The column with the values of its grid below, and as many rows in all as the other columns.
fn extended(column: &Column, grid: Option<&Grid>, n_added: usize) -> Result<Column, Error> {
    let is_missing =
        |place: usize| grid.is_some_and(|grid| grid.has_missing && place == grid.len() - 1);
    match column.data() {
        ColumnData::Numeric(values) => {
            let numbers = match grid.map(|grid| &grid.values) {
                Some(GridValues::Numbers(numbers)) => numbers.as_slice(),
                _ => &[],
            };
            let added = (0..n_added).map(|place| {
                // Rows below the grid are not looked at.
                if is_missing(place) { f64::NAN } else { *numbers.get(place).unwrap_or(&values[0]) }
            });
            Column::numeric(column.name(), values.iter().copied().chain(added).collect())
        }
        ColumnData::Categorical(categories) => {
            let code_of: HashMap<&str, u32> =
                categories.levels().iter().map(String::as_str).zip(0..).collect();
            let known: Vec<u32> = match grid.map(|grid| &grid.values) {
                Some(GridValues::Levels(levels)) => {
                    let code = |level: &String| code_of.get(level.as_str()).copied();
                    levels.iter().map(|level| code(level).unwrap_or(MISSING_LEVEL)).collect()
                }
                _ => Vec::new(),
            };
            let added = (0..n_added).map(|place| {
                let code = known.get(place).filter(|_| !is_missing(place));
                code.copied().unwrap_or(MISSING_LEVEL)
            });
            let codes = categories.codes().iter().copied().chain(added).collect();
            Column::categorical(column.name(), categories.levels().to_vec(), codes)
        }
    }
}
