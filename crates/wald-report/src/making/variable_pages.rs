//! Single variables: their values, and what the forest makes of them.

use std::collections::HashMap;
use wald::message;
use wald::message::Procedure;

use crate::making::distribution::level_counts;
use crate::making::input::Making;
use crate::parts::{Curve, CurvePlaces, Distribution, VariablePage};
use wald::data::{Column, Dataset, Features, Response};
use wald::explain::{ExplanationId, ExplanationSettings, Grid, GridSize, GridValues, Rows, Shape};
use wald::forest::Forest;
use wald::work::{Purpose, Stream};
use wald::{Error, Run};

/// Variables with a page, and those with curves on it.
pub(super) const MOST_PAGES: usize = 100;
const MOST_CURVES: usize = 30;

/// Curves over all outputs.
const MOST_PICTURES: usize = 36;

/// Places of a curve; of levels, the most frequent ones. Fewer where there is a curve per class.
const MOST_PLACES: usize = 40;
const PLACES_OF_CLASSES: usize = 24;

/// Curves of single rows, over all outputs; and outputs.
const MOST_LINES: usize = 20;
const MOST_OUTPUTS: usize = 3;

/// Rows that a curve averages over: all where they are few; fewer where there are many trees.
const MOST_ROWS: usize = 1000;
const FEWEST_ROWS: usize = 100;
const MOST_ROWS_OF_TREES: usize = 200_000;
const MOST_ROWS_OF_LEAVES: usize = 3_000_000_000;

/// The pages, and what was left out of them, in sentences.
pub(super) struct Pages {
    pub(super) pages: Vec<VariablePage>,
    pub(super) notices: Vec<String>,
}

/// Variables that have curves: all classes of a variable are shown or none.
pub(super) fn most_curves(data: &Dataset, forest: Option<&Forest>) -> usize {
    let n_outputs = forest.map_or(1, |forest| outputs(forest, data).len());
    MOST_CURVES.min(MOST_PICTURES / n_outputs.max(1))
}

/// Pages of the variables named (groups of columns: of each column), in their order, some with curves.
/// Curves are those of `pdp` and `ice` by all trees, on a grid of at most 40 values, or 24 where there are
/// more than two classes; of more than 1000 rows, over a random sample. Cost O(rows * trees * depth) and
/// the size of the curves for every row.
pub(super) fn variable_pages(
    input: &Making<'_>,
    names: &[&str],
    with_curves: &[&str],
    run: &Run,
) -> Result<Pages, Error> {
    let (data, forest) = (input.data(), input.study.forest());
    let groups = data.groups();
    let place: HashMap<&str, usize> = groups.names().iter().map(String::as_str).zip(0..).collect();
    let columns = |names: &[&str], most: usize| -> Vec<&Column> {
        let known = names.iter().filter_map(|name| place.get(name));
        let members = known.flat_map(|&group| &groups.members()[group]).take(most);
        members.map(|&member| &data.features().columns()[member as usize]).collect()
    };
    let drawn = columns(with_curves, most_curves(data, forest));
    let columns = columns(names, MOST_PAGES);
    let (curves, notices) = match forest {
        Some(forest) => {
            let sample = Sample::new(data, forest, input.content.seed)?;
            let about = sample.rows.as_ref().map(|rows| {
                message!(
                    "curves of single variables are averaged over a random sample of ",
                    rows.len(),
                    " of the ",
                    data.n_rows(),
                    " rows; ",
                    Procedure::of("explain", "pdp"),
                    " averages over all"
                )
                .worded(input.wording())
            });
            let (n_shown, n_classes) = (outputs(forest, data).len(), forest.target().n_outputs());
            // Of two classes one suffices.
            let is_part = n_classes > 2 && n_shown < n_classes && !drawn.is_empty();
            let of_classes = is_part.then(|| {
                format!(
                    "curves of single variables are those of the {n_shown} most frequent of \
                     {n_classes} classes"
                )
            });
            let notices = about.into_iter().chain(of_classes).collect();
            (sample.curves(forest, &drawn, run)?, notices)
        }
        None => (HashMap::new(), Vec::new()),
    };
    let mut curves = curves;
    let page = |column: &&Column| VariablePage {
        name: column.name().to_owned(),
        distribution: Distribution::of(column),
        curves: curves.remove(column.name()).unwrap_or_default(),
    };
    Ok(Pages { pages: columns.iter().map(page).collect(), notices })
}

/// The rows that curves average over.
struct Sample<'a> {
    data: &'a Dataset,
    /// `None` for all.
    rows: Option<Vec<u32>>,
    features: Option<Features>,
}

impl<'a> Sample<'a> {
    fn new(data: &'a Dataset, forest: &Forest, seed: u64) -> Result<Self, Error> {
        let n_leaves: usize = forest.trees().iter().map(|tree| tree.nodes().len() / 2 + 1).sum();
        let n_cheap = MOST_ROWS_OF_TREES / forest.trees().len().max(1);
        let n_wanted =
            n_cheap.min(MOST_ROWS_OF_LEAVES / n_leaves.max(1)).clamp(FEWEST_ROWS, MOST_ROWS);
        if data.n_rows() <= n_wanted {
            return Ok(Self { data, rows: None, features: None });
        }
        let mut rows: Vec<u32> = (0..data.n_rows() as u32).collect();
        Stream::new(seed, 0, Purpose::PicturedRows).shuffle(&mut rows);
        rows.truncate(n_wanted);
        rows.sort_unstable();
        let columns = data.features().columns().iter().map(|column| column.select(&rows)).collect();
        Ok(Self { data, features: Some(Features::new(columns)?), rows: Some(rows) })
    }

    fn weight(&self, row: usize) -> f64 {
        let row = self.rows.as_ref().map_or(row, |rows| rows[row] as usize);
        self.data.weights().map_or(1.0, |weights| weights[row])
    }

    /// The curves of every column by its name.
    fn curves(
        &self,
        forest: &Forest,
        columns: &[&Column],
        run: &Run,
    ) -> Result<HashMap<String, Vec<Curve>>, Error> {
        let features = self.features.as_ref().unwrap_or(self.data.features());
        let outputs = outputs(forest, self.data);
        let chosen = chosen(&forest.predict(features, run)?, forest.target().n_outputs(), &outputs);
        let settings = ExplanationSettings {
            variables: columns.iter().map(|column| column.name().to_owned()).collect(),
            grid: GridSize::Few(most_places(outputs.len())),
            ..ExplanationSettings::default()
        };
        let rows = self.features.as_ref().map_or(Rows::Training, Rows::Other);
        let explainer = forest.explainer(self.data, rows, ExplanationId::Ice, &settings)?;
        let layout = explainer.layout();
        let (mut sums, mut total) = (vec![0.0; layout.n_values()], 0.0);
        let mut lines: HashMap<usize, Vec<f64>> = HashMap::new();
        explainer.run(run, |row, values| {
            if chosen.iter().flatten().any(|&of_output| of_output == row) {
                lines.insert(row, values.to_vec());
            }
            let weight = self.weight(row);
            if weight > 0.0 {
                total += weight;
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
            }
        })?;
        sums.iter_mut().for_each(|sum| *sum /= total);
        let Shape::Curves(grids) = &layout.shape else { return Ok(HashMap::new()) };
        let n_outputs = layout.n_outputs();
        let mut start = 0;
        let mut found = HashMap::with_capacity(grids.len());
        for (name, grid) in layout.variables.iter().zip(grids) {
            let (places, shown) = places(grid);
            let curve = |(&output, rows): (&usize, &Vec<usize>)| {
                let along = |values: &[f64]| -> Vec<f64> {
                    shown.iter().map(|place| values[(start + place) * n_outputs + output]).collect()
                };
                Curve {
                    class: layout.classes.as_ref().map(|classes| classes[output].clone()),
                    places: places.clone(),
                    mean: along(&sums),
                    rows: rows
                        .iter()
                        .filter_map(|row| lines.get(row))
                        .map(|line| along(line))
                        .collect(),
                }
            };
            found.insert(name.clone(), outputs.iter().zip(&chosen).map(curve).collect());
            start += grid.len();
        }
        Ok(found)
    }
}

fn most_places(n_outputs: usize) -> usize {
    if n_outputs > 1 { PLACES_OF_CLASSES } else { MOST_PLACES }
}

/// The outputs shown: the number, the second of two classes, the most frequent of more.
fn outputs(forest: &Forest, data: &Dataset) -> Vec<usize> {
    match (forest.target().n_outputs(), data.target().response()) {
        (1, _) => vec![0],
        (2, _) => vec![1],
        (n_outputs, Response::Classification(classes)) => {
            let known = forest.target().classes.as_deref().unwrap_or_default();
            let counts = level_counts(classes.levels().len(), classes.codes());
            let of_forest = |&(level, _): &(usize, usize)| {
                known.iter().position(|class| *class == classes.levels()[level])
            };
            counts.iter().filter_map(of_forest).take(MOST_OUTPUTS.min(n_outputs)).collect()
        }
        (_, Response::Regression(_) | Response::Several(_)) => vec![0],
    }
}

/// For every output shown, rows that are evenly spread over their predictions, the smallest first.
fn chosen(predictions: &[f64], n_outputs: usize, outputs: &[usize]) -> Vec<Vec<usize>> {
    let n_rows = predictions.len() / n_outputs;
    let n_lines = (MOST_LINES / outputs.len().max(1)).min(n_rows);
    let of_output = |&output: &usize| {
        let mut order: Vec<usize> = (0..n_rows).collect();
        let prediction = |row: usize| predictions[row * n_outputs + output];
        order.sort_by(|&a, &b| prediction(a).total_cmp(&prediction(b)));
        let last = n_lines.saturating_sub(1).max(1);
        (0..n_lines).map(|line| order[line * (n_rows - 1) / last]).collect()
    };
    outputs.iter().map(of_output).collect()
}

/// Where a grid has values that are shown, and their places on it: not the missing one.
fn places(grid: &Grid) -> (CurvePlaces, Vec<usize>) {
    let places = match &grid.values {
        GridValues::Numbers(values) => {
            CurvePlaces::Numeric { values: values.clone(), steps_from: None }
        }
        GridValues::Levels(levels) => CurvePlaces::Categorical { levels: levels.clone() },
    };
    (places, (0..grid.len() - usize::from(grid.has_missing)).collect())
}
