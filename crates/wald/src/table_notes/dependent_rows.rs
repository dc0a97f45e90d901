//! Whether rows that stand next to each other in a table have similar residuals.

use std::collections::HashSet;

use crate::association::{MATERIAL, STANDARD_ERRORS, changes_slowly, serial_correlation, trend};
use crate::data::{ColumnData, Dataset, Response, Target};

/// Fewer residuals are not compared.
const FEWEST_ROWS: usize = 50;

/// One-sided p .05 of the values themselves: ranks of the residuals of rare classes and of many zeros are those of
/// predictions, which are smooth where the table is sorted by a variable.
const OF_VALUES: f64 = 1.645;

/// A rank correlation of targets and row numbers from which on a table counts as sorted by its target.
const SORTED: f64 = 0.8;

/// Targets of so many values are classes, of which a sorted table has few runs.
const MOST_LEVELS: usize = 20;
const RUNS_OF_A_LEVEL: usize = 3;

/// What residuals of neighbouring rows have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowDependence {
    /// Rank correlation of residuals of neighbouring rows, the strongest one of several classes or targets; `None`
    /// where it does not show whether rows depend on each other: of few rows, of tables that are sorted by their
    /// target, whose residuals are sorted, too, and of residuals that are all equal.
    pub correlation: Option<f64>,
    /// Whether it is beyond chance, and large enough to matter.
    pub is_found: bool,
    /// Whether the table is sorted by its target.
    pub is_sorted: bool,
}

impl RowDependence {
    const UNKNOWN: Self = Self { correlation: None, is_found: false, is_sorted: false };
}

/// Compares the residuals of neighbouring rows, of predictions by trees that have not seen them; `target` has the
/// order of classes of the predictions. `None` where rows are in clusters, which take dependence into account. Cost
/// O(outputs * rows log rows).
pub fn row_dependence(
    data: &Dataset,
    target: &Target,
    prediction: impl Fn(usize) -> Option<Vec<f64>>,
) -> Option<RowDependence> {
    if data.clusters().is_some() {
        return None;
    }
    let predicted: Vec<(usize, Vec<f64>)> = data
        .rows_of_positive_weight()
        .into_iter()
        .filter_map(|row| Some((row as usize, prediction(row as usize)?)))
        .collect();
    if predicted.len() < FEWEST_ROWS {
        return Some(RowDependence::UNKNOWN);
    }
    let rows: Vec<usize> = predicted.iter().map(|(row, _)| *row).collect();
    let is_ordered = is_sorted_by_a_column(data, &rows);
    let mut found = RowDependence::UNKNOWN;
    for output in 0..target.n_outputs() {
        let values: Vec<f64> = rows.iter().map(|&row| value(target, row, output)).collect();
        if is_sorted(&values) {
            return Some(RowDependence { is_sorted: true, ..RowDependence::UNKNOWN });
        }
        let predictions: Vec<f64> =
            predicted.iter().map(|(_, prediction)| prediction[output]).collect();
        let residuals = residuals(&values, &predictions, is_ordered);
        let Some(of_output) = serial_correlation(&residuals) else { continue };
        let is_found = of_output.correlation > MATERIAL
            && of_output.standard_errors > STANDARD_ERRORS
            && of_output.of_values > OF_VALUES;
        let is_stronger =
            (is_found, Some(of_output.correlation)) > (found.is_found, found.correlation);
        if is_stronger {
            found = RowDependence { correlation: Some(of_output.correlation), is_found, ..found };
        }
    }
    Some(found)
}

/// The variables, by their places, of which a column changes little from row to row: they seem to matter where rows
/// depend on their neighbours, as they tell them apart. Cost O(columns * rows log rows).
pub fn slow_variables(data: &Dataset) -> Vec<usize> {
    let rows = data.rows_of_positive_weight();
    let columns = data.features().columns();
    let is_slow = |column: &u32| changes_slowly(&columns[*column as usize], &rows);
    let members = data.groups().members().iter().enumerate();
    members.filter(|(_, columns)| columns.iter().any(is_slow)).map(|(at, _)| at).collect()
}

/// The note on residuals that neighbouring rows share.
pub(crate) fn note_on_dependent_rows(
    data: &Dataset,
    target: &Target,
    prediction: impl Fn(usize) -> Option<Vec<f64>>,
) -> Option<String> {
    let found = row_dependence(data, target, prediction)?;
    let correlation = found.correlation.filter(|_| found.is_found)?;
    Some(format!(
        "neighbouring rows of the table have similar residuals (rank correlation {correlation:.2}), as repeated \
         measurements of persons or a time series have: errors, intervals and p-values, which take rows to be \
         independent, are too small, and variables that are constant in persons or change slowly are found though \
         irrelevant; name the column of persons as clusters, or of a series a column that numbers blocks of 25 to 50 \
         consecutive rows"
    ))
}

fn value(target: &Target, row: usize, output: usize) -> f64 {
    match target.response() {
        Response::Regression(values) => values[row],
        Response::Classification(classes) => {
            f64::from(u8::from(classes.codes()[row] as usize == output))
        }
        Response::Several(outputs) => outputs.row(row)[output],
    }
}

/// Targets minus predictions. Forests shrink their predictions where they try few of many variables: rows that are
/// sorted by a variable of effect share what is missing, so that `is_ordered` stretches predictions to what fits best.
fn residuals(values: &[f64], predictions: &[f64], is_ordered: bool) -> Vec<f64> {
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let (mean_value, mean_prediction) = (mean(values), mean(predictions));
    let pairs = values.iter().zip(predictions).map(|(y, p)| (y - mean_value, p - mean_prediction));
    let squares: f64 = pairs.clone().map(|(_, p)| p * p).sum();
    let products: f64 = pairs.clone().map(|(y, p)| y * p).sum();
    let slope =
        if is_ordered && products > squares && squares > 0.0 { products / squares } else { 1.0 };
    pairs.map(|(y, p)| y - slope * p).collect()
}

/// Whether values hardly do anything but grow or fall from row to row, or come level by level.
fn is_sorted(values: &[f64]) -> bool {
    let mut levels = HashSet::new();
    let has_few = values.iter().all(|value| {
        levels.contains(&value.to_bits()) || {
            levels.insert(value.to_bits()) && levels.len() <= MOST_LEVELS
        }
    });
    let n_runs = 1 + values.windows(2).filter(|pair| pair[0] != pair[1]).count();
    trend(values).abs() >= SORTED
        || (has_few && levels.len() > 1 && n_runs <= RUNS_OF_A_LEVEL * levels.len())
}

/// Whether a column of mostly different or of few values is sorted: one that numbers persons has neither.
fn is_sorted_by_a_column(data: &Dataset, rows: &[usize]) -> bool {
    let n_steps = |differ: &dyn Fn(usize, usize) -> bool| {
        rows.windows(2).filter(|pair| differ(pair[0], pair[1])).count()
    };
    data.features().columns().iter().any(|column| match column.data() {
        ColumnData::Numeric(values) => {
            let n_steps = n_steps(&|one, next| values[one] != values[next]);
            let steps = || rows.windows(2).map(|pair| values[pair[1]] - values[pair[0]]);
            ((1..MOST_LEVELS).contains(&n_steps) || 2 * n_steps > rows.len())
                && (steps().all(|step| step >= 0.0) || steps().all(|step| step <= 0.0))
        }
        ColumnData::Categorical(levels) => {
            let n_steps = n_steps(&|one, next| levels.codes()[one] != levels.codes()[next]);
            (1..MOST_LEVELS).contains(&n_steps)
        }
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::data::Column;
    use crate::forest::ForestConfig;
    use crate::inference::{ConditionalConfig, conditional_test};
    use crate::measure::MeasureId;
    use crate::random::{Purpose, Stream};
    use crate::run::{Run, Threads};

    /// What 40 persons are measured to have ten times: a constant of no effect, another variable with an effect, and
    /// a target that differs between persons by so many of its deviations within them.
    fn persons(of_person: f64, seed: u64) -> ([Vec<f64>; 2], Vec<f64>) {
        let mut stream = Stream::new(seed, 0, Purpose::Signs);
        let mut uniform = || 2.0 * stream.unit() - 1.0;
        let (mut age, mut dose, mut response) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..40 {
            let (years, person) = (uniform(), uniform());
            for _ in 0..10 {
                age.push(years);
                dose.push(uniform());
                response.push(dose[dose.len() - 1] + of_person * person + uniform());
            }
        }
        ([age, dose], response)
    }

    fn table([age, dose]: [Vec<f64>; 2], target: Target) -> Dataset {
        let column = |name: &str, values| Column::numeric(name, values).expect("finite");
        Dataset::new(vec![column("age", age), column("dose", dose)], target).expect("consistent")
    }

    pub(crate) fn numbers(of_person: f64, seed: u64) -> Dataset {
        let (columns, response) = persons(of_person, seed);
        table(columns, Target::regression("response", response).expect("finite"))
    }

    /// The same, where only whether the response exceeds a bound is known.
    fn classes(of_person: f64, bound: f64, seed: u64) -> Dataset {
        let (columns, response) = persons(of_person, seed);
        let codes = response.iter().map(|y| u32::from(*y > bound)).collect();
        let levels = ["low", "high"].map(str::to_owned).to_vec();
        table(columns, Target::classification("response", levels, codes).expect("codes"))
    }

    fn config() -> ForestConfig {
        ForestConfig { n_trees: 40, ..ForestConfig::default() }
    }

    /// Whether the importances of a table, and the tests of it, have the note.
    fn are_noted(data: &Dataset) -> [bool; 2] {
        let run = Run::on(Threads::ONE);
        let is_note = |note: &String| note.starts_with("neighbouring rows of the table have ");
        let fitted = crate::fit(data.clone(), &config(), &run).expect("valid settings");
        let found = fitted.measure(&[MeasureId::SobolMda.into()], &run).expect("applies");
        let forest = ForestConfig { n_trees: 10, ..config() };
        let tested = conditional_test(data, &ConditionalConfig::new(forest), &run);
        let tested = tested.expect("valid settings").notes;
        [found.importances[0].notes.iter().any(is_note), tested.iter().any(is_note)]
    }

    /// Without a difference between persons rows are independent given the variables, although these are not.
    #[test]
    fn repeated_measurements_are_noted_but_not_where_they_are_clusters() {
        assert_eq!(are_noted(&numbers(2.0, 1)), [true, true]);
        assert_eq!(are_noted(&numbers(0.0, 1)), [false, false]);
        assert_eq!(are_noted(&classes(3.0, 0.0, 1)), [true, true]);
        let clusters = (0..400).map(|row| row / 10).collect();
        let of_persons = numbers(2.0, 1).with_clusters(clusters).expect("one per row");
        assert_eq!(are_noted(&of_persons), [false, false]);
        // In random order no row has neighbours of its person.
        let mut order: Vec<u32> = (0..400).collect();
        Stream::new(5, 0, Purpose::Signs).shuffle(&mut order);
        let shuffled = numbers(2.0, 1).select(&order).expect("rows");
        assert_eq!(are_noted(&shuffled), [false, false]);
    }

    /// Of predictions by mean targets, whose residuals are those of the rows around.
    fn dependence(data: &Dataset) -> RowDependence {
        let fitted = crate::fit(data.clone(), &config(), &Run::on(Threads::ONE));
        let measured = fitted.expect("valid settings").measure(&[], &Run::on(Threads::ONE));
        let out_of_bag = measured.expect("nothing to refuse").out_of_bag;
        row_dependence(data, data.target(), |row| out_of_bag.prediction(row)).expect("no clusters")
    }

    /// A class of few rows: residuals of the other rows are their predictions, equal within persons.
    #[test]
    fn independent_rows_of_rare_classes_are_not_found() {
        let n_found = (0..20)
            .map(|seed| {
                let (columns, _) = persons(0.0, seed);
                let mut stream = Stream::new(seed, 1, Purpose::Signs);
                let rare = |age: &f64| u32::from(stream.unit() < 0.05 + 0.05 * age);
                let codes = columns[0].iter().map(rare).collect();
                let levels = ["no", "yes"].map(str::to_owned).to_vec();
                let target = Target::classification("event", levels, codes).expect("codes");
                usize::from(dependence(&table(columns, target)).is_found)
            })
            .sum::<usize>();
        assert!(n_found <= 1, "{n_found} of 20");
    }

    #[test]
    fn sorted_and_small_tables_do_not_show_whether_rows_are_independent() {
        let data = numbers(0.0, 3);
        let Response::Regression(response) = data.target().response() else { panic!("numbers") };
        let mut order: Vec<u32> = (0..400).collect();
        order.sort_by(|a, b| response[*a as usize].total_cmp(&response[*b as usize]));
        let sorted = dependence(&data.select(&order).expect("rows"));
        assert_eq!((sorted.correlation, sorted.is_found, sorted.is_sorted), (None, false, true));
        let few =
            dependence(&numbers(2.0, 3).select(&(0..49).collect::<Vec<u32>>()).expect("rows"));
        assert_eq!(few, RowDependence::UNKNOWN);
        // Classes one after the other.
        let of_classes = classes(0.0, 0.0, 3);
        let Response::Classification(found) = of_classes.target().response() else {
            panic!("classes")
        };
        order.sort_by_key(|row| found.codes()[*row as usize]);
        assert!(dependence(&of_classes.select(&order).expect("rows")).is_sorted);
    }

    /// Predictions that are half of what they should be leave residuals that grow with the variable.
    #[test]
    fn what_forests_shrink_is_no_dependence_where_rows_are_sorted_by_a_variable() {
        let mut stream = Stream::new(4, 0, Purpose::Signs);
        let x: Vec<f64> = (0..400).map(|row| f64::from(row) / 400.0).collect();
        let y: Vec<f64> = x.iter().map(|x| 2.0 * x + 2.0 * stream.unit()).collect();
        let target = Target::regression("y", y).expect("finite");
        let found = |scale: f64| {
            let columns = [x.iter().map(|x| scale * x).map(f64::floor).collect(), x.clone()];
            let mut order: Vec<u32> = (0..400).collect();
            // The second column is not sorted where rows are exchanged with the next one.
            order.chunks_mut(2).for_each(<[u32]>::reverse);
            let data = table(columns, target.clone()).select(&order).expect("rows");
            let half = |row: usize| Some(vec![x[order[row] as usize]]);
            row_dependence(&data, data.target(), half).expect("no clusters").is_found
        };
        assert!(!found(5.0), "of five values");
        assert!(found(100.0), "one in four rows a value, as persons have");
    }
}
