//! The noise identification of Table 1 for measures that the paper has no numbers of: simulated
//! data, shallow and deep trees, classes and numbers.

use wald::data::Task;
use wald::forest::Sampling;
use wald::measure::MeasureSettings;
use wald::simulate::LiIdentification;
use wald::{ForestConfig, Measure, MeasureId};

use crate::estimate::Estimate;
use crate::exhibit::Claim;
use crate::failure::Failure;
use crate::li::areas::area;
use crate::li::table_1::{DISTINCT, SHALLOW};
use crate::study::Study;

/// How deep trees are, and what they predict.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition {
    is_deep: bool,
    task: Task,
    pub(super) name: &'static str,
}

pub(super) const CONDITIONS: [Condition; 4] = [
    Condition { is_deep: false, task: Task::Classification, name: "shallow, C" },
    Condition { is_deep: false, task: Task::Regression, name: "shallow, R" },
    Condition { is_deep: true, task: Task::Classification, name: "deep, C" },
    Condition { is_deep: true, task: Task::Regression, name: "deep, R" },
];

/// The deep trees of two classes and of numbers.
pub(super) const DEEP: [usize; 2] = [2, 3];

/// Differences of areas that are larger than so many standard errors differ from zero.
pub(super) const LIMIT: f64 = 3.0;

/// By measure, the areas under the curve of all repetitions of a condition.
pub(super) fn areas_of(
    study: &Study,
    condition: Condition,
    sampling: Sampling,
    measures: &[MeasureId],
) -> Result<Vec<Vec<f64>>, Failure> {
    let measures = measures.iter().map(|&id| Measure::new(id, MeasureSettings::default()));
    let measures: Vec<Measure> = measures.collect::<Result<_, _>>()?;
    let design = LiIdentification::of(condition.task);
    let smallest = match (condition.is_deep, sampling) {
        (true, _) => 1.0,
        // Leaves are counted in draws, of which a bootstrap sample has several per row.
        (false, Sampling::Bootstrap) => SHALLOW / DISTINCT,
        (false, _) => SHALLOW,
    };
    let config = ForestConfig {
        sampling,
        sample_fraction: (sampling == Sampling::Subsample).then_some(0.5),
        mtry: Some(10),
        min_node_size: Some(1),
        min_leaf_size: smallest.round() as usize,
        ..ForestConfig::default()
    };
    let draw = |n_rows, seed| design.draw(n_rows, seed);
    let values = study.run(draw, &config, &measures)?.values;
    let area_of = |measure: usize| {
        let of_repetition = |(repetition, of): (usize, &Vec<Vec<f64>>)| {
            area(&of[measure], &design.relevant(study.seed_of(repetition)))
        };
        values.iter().enumerate().map(of_repetition).collect()
    };
    Ok((0..measures.len()).map(area_of).collect())
}

/// Of areas of the same data, one less another.
pub(super) fn difference(one: &[f64], other: &[f64]) -> Estimate {
    let pairs: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
    Estimate::of(&pairs)
}

/// The claim that areas are larger in every cell that is compared.
pub(super) fn larger(statement: &str, found: [Estimate; 2]) -> Claim {
    let is_larger = |of: &Estimate| of.mean > LIMIT * of.standard_error();
    Claim::new(statement, found.iter().all(is_larger), in_words(&found))
}

/// The claim that areas are not smaller in any cell that is compared.
pub(super) fn not_smaller(statement: &str, found: [Estimate; 2]) -> Claim {
    let is_not = |of: &Estimate| of.mean > -LIMIT * of.standard_error();
    Claim::new(statement, found.iter().all(is_not), in_words(&found))
}

/// The claim that areas do not differ in any cell that is compared.
pub(super) fn equal(statement: &str, found: [Estimate; 2]) -> Claim {
    let is_small = |of: &Estimate| of.mean.abs() <= LIMIT * of.standard_error();
    Claim::new(statement, found.iter().all(is_small), in_words(&found))
}

fn in_words([of_classes, of_numbers]: &[Estimate; 2]) -> String {
    let words =
        |of: &Estimate| format!("a difference of {:.3} ± {:.3}", of.mean, of.standard_error());
    format!("C: {}; R: {}", words(of_classes), words(of_numbers))
}
