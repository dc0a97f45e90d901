//! Hashes by which stored work is known to be of the same data and settings.

use crate::data::{ColumnData, Dataset, Features, RankedFeatures, Response};
use crate::forest::{Forest, Impurity};
use crate::loss::Loss;
use crate::measure::{Measure, MeasureOption, MeasureSettings, Permutations};
use crate::options::Options as _;
use crate::parts::Work;

/// Values that are hashed at a time.
const BLOCK: usize = 4096;

/// Bytes of a hash.
pub(crate) const HASH: usize = 32;

/// A hash of the settings of a measure: of the options that are set, by name, with their values. What
/// is not set does not count, so that options may come and be renamed in the source.
pub(crate) fn of_settings(settings: &MeasureSettings) -> [u8; HASH] {
    let mut hash = Fields(blake3::Hasher::new());
    let mut options: Vec<MeasureOption> = MeasureOption::ALL.to_vec();
    options.retain(|option| option.is_set(settings));
    options.sort_by_key(|option| option.id());
    for option in options {
        hash.text(option.id());
        hash.option(option, settings);
    }
    hash.text("seed");
    hash.text(&settings.seed.to_string());
    if let Some(part) = settings.part {
        hash.text("part");
        hash.whole(Some(part.n_trees));
        hash.whole(Some(part.n_rows));
    }
    *hash.0.finalize().as_bytes()
}

/// A hash of all that the data consist of, names included: they distinguish groups and levels.
pub(crate) fn of_data(data: &Dataset) -> [u8; HASH] {
    let mut hash = Fields(blake3::Hasher::new());
    hash.data(data);
    *hash.0.finalize().as_bytes()
}

/// A hash of all that growing reads of a table, row by row; groups of variables are no part of it. Ranking has
/// hashed the columns.
pub(crate) fn of_table(data: &Dataset, ranked: &RankedFeatures) -> [u8; HASH] {
    let mut hash = Fields(blake3::Hasher::new());
    for (column, cells) in data.features().columns().iter().zip(ranked.hashes()) {
        hash.text(column.name());
        if let ColumnData::Categorical(categories) = column.data() {
            categories.levels().iter().for_each(|level| hash.text(level));
        }
        hash.bytes(cells);
    }
    hash.response(data);
    *hash.0.finalize().as_bytes()
}

/// What some work is of: the data, the measures with their settings, and how else the work is done.
pub(crate) fn of_work(data: &Dataset, measures: &[Measure], how: &[u8]) -> Work {
    let mut settings = blake3::Hasher::new();
    settings.update(blake3::hash(how).as_bytes());
    for measure in measures {
        settings.update(blake3::hash(measure.id().info().id.as_bytes()).as_bytes());
        settings.update(&of_settings(measure.settings()));
    }
    Work { data: of_data(data), settings: *settings.finalize().as_bytes() }
}

/// A hash of a forest that exists: of its trees and bags, and of how it predicts.
pub(crate) fn of_forest(forest: &Forest) -> [u8; HASH] {
    let Forest {
        features,
        target,
        trees,
        bags,
        aggregation,
        float32_inputs,
        impurity,
        config,
        mtry,
        // Trees and bags show what counts, and stored work of forests is known without it.
        table: _,
    } = forest;
    let mut hash = Fields(blake3::Hasher::new());
    hash.text(&format!("{features:?} {target:?} {aggregation:?} {float32_inputs} {impurity:?}"));
    hash.text(&format!("{config:?} {mtry:?}"));
    // One after the other: all of them as bytes are as large as the forest.
    trees.iter().for_each(|tree| hash.bytes(&postcard::to_allocvec(tree).unwrap_or_default()));
    let bags = bags.iter().flatten();
    bags.for_each(|bag| hash.bytes(&postcard::to_allocvec(bag).unwrap_or_default()));
    *hash.0.finalize().as_bytes()
}

/// Fields that each begin with a kind and a length, so that none can be taken for another.
struct Fields(blake3::Hasher);

impl Fields {
    fn begin(&mut self, kind: u8, length: usize) {
        self.0.update(&[kind]);
        self.0.update(&(length as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.begin(b't', text.len());
        self.0.update(text.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.begin(b'b', bytes.len());
        self.0.update(bytes);
    }

    fn numbers(&mut self, numbers: &[f64]) {
        self.begin(b'n', numbers.len());
        self.blocks(numbers, |number| {
            let bits = if number.is_nan() { u64::MAX } else { number.to_bits() };
            bits.to_le_bytes()
        });
    }

    fn codes(&mut self, codes: &[u32]) {
        self.begin(b'c', codes.len());
        self.blocks(codes, u32::to_le_bytes);
    }

    /// Bytes of many values at a time are hashed much faster than those of one.
    fn blocks<T: Copy, const N: usize>(&mut self, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
        let mut block = Vec::with_capacity(N * BLOCK);
        for values in values.chunks(BLOCK) {
            block.clear();
            values.iter().for_each(|value| block.extend(bytes(*value)));
            self.0.update(&block);
        }
    }

    fn classes(&mut self, names: &[String], codes: &[u32]) {
        self.begin(b'l', names.len());
        names.iter().for_each(|name| self.text(name));
        self.codes(codes);
    }

    fn features(&mut self, features: &Features) {
        for column in features.columns() {
            self.text(column.name());
            match column.data() {
                ColumnData::Numeric(values) => self.numbers(values),
                ColumnData::Categorical(levels) => self.classes(levels.levels(), levels.codes()),
            }
        }
    }

    fn data(&mut self, data: &Dataset) {
        self.features(data.features());
        self.response(data);
        data.groups().names().iter().for_each(|name| self.text(name));
        self.codes(data.groups().of_column());
    }

    /// Target, weights and clusters.
    fn response(&mut self, data: &Dataset) {
        self.text(data.target().name());
        match data.target().response() {
            Response::Regression(values) => self.numbers(values),
            Response::Classification(classes) => self.classes(classes.levels(), classes.codes()),
            Response::Several(outputs) => {
                self.begin(b't', outputs.n_targets());
                outputs.names().iter().for_each(|name| self.text(name));
                self.numbers(outputs.values());
            }
        }
        self.numbers(data.weights().unwrap_or_default());
        self.codes(data.clusters().unwrap_or_default());
    }

    /// The value of an option that is set.
    fn option(&mut self, option: MeasureOption, settings: &MeasureSettings) {
        match option {
            MeasureOption::Loss => self.text(settings.loss.map_or("", Loss::id)),
            MeasureOption::Permutations => {
                self.text(&settings.permutations.describe());
                if let Permutations::Given(trees) = &settings.permutations {
                    for variables in trees.iter() {
                        self.begin(b'v', variables.len());
                        variables.iter().for_each(|permutation| self.codes(permutation));
                    }
                }
            }
            MeasureOption::ConditioningThreshold => {
                self.numbers(settings.conditioning_threshold.as_slice());
            }
            MeasureOption::Normalise => self.text(settings.normalise.id()),
            MeasureOption::Impurity => self.text(settings.impurity.map_or("", Impurity::id)),
            MeasureOption::Blocks => self.text(&settings.blocks.to_string()),
            MeasureOption::Aggregate => self.text(settings.aggregate.id()),
            MeasureOption::PerClass
            | MeasureOption::ByDegree
            | MeasureOption::SecondOrder
            | MeasureOption::ExcludeSelf => {}
            MeasureOption::TestRows => {
                settings.test.iter().for_each(|rows| self.data(rows));
            }
            MeasureOption::Background => {
                settings.background.iter().for_each(|rows| self.features(rows));
            }
            MeasureOption::BackgroundRows => self.whole(settings.background_rows),
            MeasureOption::Quantile => self.numbers(settings.quantile.as_slice()),
            MeasureOption::Precision => self.numbers(settings.precision.as_slice()),
            MeasureOption::Samples => self.whole(settings.samples),
            MeasureOption::TimeBudget => {
                let seconds = settings.time_budget.map(|time| time.as_secs_f64());
                self.numbers(seconds.as_slice());
            }
        }
    }

    fn whole(&mut self, number: Option<usize>) {
        self.text(&number.map_or_else(String::new, |number| number.to_string()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Normalise, Part};

    /// Pinned, so that states stay readable where the source is arranged anew.
    #[test]
    fn settings_are_known_by_the_names_of_their_options() {
        let hex = |settings: &MeasureSettings| {
            blake3::Hash::from_bytes(of_settings(settings)).to_hex()[..16].to_owned()
        };
        let default = MeasureSettings::default();
        assert_eq!(hex(&default), "40883ee02c711573");
        let one = MeasureSettings { normalise: Normalise::Sum, ..MeasureSettings::default() };
        assert_eq!(hex(&one), "3963c34afcee9a89");
    }

    #[test]
    fn every_setting_counts() {
        let default = MeasureSettings::default;
        let two = |first, second| vec![vec![vec![0, 1], vec![first, second]]].into();
        let several = [
            default(),
            MeasureSettings { seed: 1, ..default() },
            MeasureSettings { part: Some(Part { n_trees: 1, n_rows: 2 }), ..default() },
            MeasureSettings { part: Some(Part { n_trees: 2, n_rows: 1 }), ..default() },
            MeasureSettings { loss: Some(Loss::Log), ..default() },
            MeasureSettings { per_class: true, ..default() },
            MeasureSettings { by_degree: true, ..default() },
            MeasureSettings { second_order: true, ..default() },
            MeasureSettings { precision: Some(0.1), ..default() },
            MeasureSettings { conditioning_threshold: Some(0.1), ..default() },
            MeasureSettings { samples: Some(9), ..default() },
            MeasureSettings { background_rows: Some(9), ..default() },
            MeasureSettings { permutations: Permutations::Random(2), ..default() },
            MeasureSettings { permutations: Permutations::Given(two(0, 1)), ..default() },
            MeasureSettings { permutations: Permutations::Given(two(1, 0)), ..default() },
        ];
        for (at, one) in several.iter().enumerate() {
            assert_eq!(of_settings(one), of_settings(&one.clone()));
            for other in &several[..at] {
                assert_ne!(of_settings(one), of_settings(other), "{one:?} {other:?}");
            }
        }
    }
}
