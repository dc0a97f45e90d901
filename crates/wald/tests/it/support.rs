//! Small data sets, and a router that knows values only: an independent reading of a tree.

use std::sync::Arc;

use wald::data::{Column, ColumnData, MISSING_LEVEL, Response, Target};
use wald::explain::Rows;
use wald::forest::{Bag, Forest, Node, Rule, Side, Split, Splitting, Tree};
use wald::measure::{MeasureSettings, Permutations};
use wald::{
    Dataset, Error, ExplanationId, ExplanationSettings, ForestConfig, Importance, Measure,
    MeasureId, Run, Threads,
};

pub fn threads() -> Threads {
    Threads::new(2).expect("two threads")
}

/// A linear congruential generator (Knuth's MMIX constants), independent of wald's streams.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn unit(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        (self.unit() * f64::from(bound)) as u32
    }
}

/// What a test data set contains.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub n_rows: usize,
    /// 0 for regression.
    pub n_classes: u32,
    pub missing: bool,
    pub weights: bool,
    pub seed: u64,
}

/// Two continuous columns, one with ties, a constant one, two categorical ones.
pub fn dataset(shape: Shape) -> Dataset {
    let mut numbers = Numbers(shape.seed);
    let n = shape.n_rows;
    let hole = |numbers: &mut Numbers| shape.missing && numbers.unit() < 0.15;
    let mut continuous = || -> Vec<f64> {
        (0..n)
            .map(|_| if hole(&mut numbers) { f64::NAN } else { numbers.unit() * 4.0 - 2.0 })
            .collect()
    };
    let (one, two) = (continuous(), continuous());
    let tied: Vec<f64> = (0..n)
        .map(|_| if hole(&mut numbers) { f64::NAN } else { f64::from(numbers.below(6)) })
        .collect();
    let mut levels = |count: u32| -> Vec<u32> {
        (0..n)
            .map(|_| if hole(&mut numbers) { MISSING_LEVEL } else { numbers.below(count) })
            .collect()
    };
    let (few, more) = (levels(3), levels(7));
    let zero = |value: f64| if value.is_nan() { 0.5 } else { value };
    let signal: Vec<f64> = (0..n)
        .map(|row| {
            zero(one[row]) * 2.0
                + zero(two[row]) * zero(tied[row]) * 0.3
                + f64::from(more[row].min(9) * 7 % 5)
                + numbers.unit()
        })
        .collect();
    let names = |count: u32| (0..count).map(|level| format!("L{level}")).collect::<Vec<_>>();
    let columns = vec![
        Column::numeric("one", one).expect("finite"),
        Column::numeric("two", two).expect("finite"),
        Column::numeric("tied", tied).expect("finite"),
        Column::numeric("constant", vec![3.0; n]).expect("finite"),
        Column::categorical("few", names(3), few).expect("valid codes"),
        Column::categorical("more", names(7), more).expect("valid codes"),
    ];
    let target = if shape.n_classes == 0 {
        Target::regression("y", signal).expect("finite")
    } else {
        let codes = signal
            .iter()
            .map(|value| ((value + 4.0).max(0.0) / 2.5) as u32 % shape.n_classes)
            .collect();
        Target::classification("y", names(shape.n_classes), codes).expect("valid codes")
    };
    let data = Dataset::new(columns, target).expect("consistent");
    if shape.weights {
        let weights = (0..n).map(|_| f64::from(numbers.below(4)) * 0.75).collect();
        data.with_weights(weights).expect("valid weights")
    } else {
        data
    }
}

/// Every measure with its defaults; the data themselves are test rows.
pub fn all_measures(data: &Dataset) -> Vec<Measure> {
    let test = Some(Arc::new(data.clone()));
    let settings = MeasureSettings { test, ..MeasureSettings::default() };
    let measure = |id: &MeasureId| {
        let mut settings = settings.clone();
        // A hundred background rows would take longer than all other measures together.
        let is_long = matches!(id, MeasureId::TreeShapLoss | MeasureId::TreeShapInterventional);
        settings.background_rows = is_long.then_some(10);
        Measure::new(*id, settings).expect("sensible settings")
    };
    MeasureId::ALL.iter().map(measure).collect()
}

/// The same, and measures by random permutations.
pub fn all_measures_and_random(data: &Dataset) -> Vec<Measure> {
    let mut measures = all_measures(data);
    let random = [MeasureId::MdaBreimanCutler, MeasureId::ConditionalPermutation];
    for id in random.into_iter().chain([MeasureId::MdaTrainTest]) {
        let test = Some(Arc::new(data.clone()));
        let permutations = Permutations::Random(3);
        let settings = MeasureSettings { permutations, test, ..MeasureSettings::default() };
        measures.push(Measure::new(id, settings).expect("valid"));
    }
    let permutations = Permutations::Random(3);
    let settings = MeasureSettings { permutations, blocks: 4, ..MeasureSettings::default() };
    measures.push(Measure::new(MeasureId::MdaIshwaranKogalur, settings).expect("valid"));
    measures
}

pub fn grow(data: &Dataset, config: &ForestConfig) -> Forest {
    let threads = Threads::new(2).expect("two threads");
    Forest::grow(data, config, &Run::on(threads)).expect("valid settings")
}

/// One measure of a forest, on two threads.
pub fn measure(
    data: &Dataset,
    forest: &Forest,
    id: MeasureId,
    settings: MeasureSettings,
) -> Importance {
    try_measure((data, forest), id, settings, 2).expect("applies")
}

/// One measure of a forest, on so many threads, or why there is none.
pub fn try_measure(
    (data, forest): (&Dataset, &Forest),
    id: MeasureId,
    settings: MeasureSettings,
    threads: usize,
) -> Result<Importance, Error> {
    let measure = Measure::new(id, settings)?;
    let run = &Run::on(Threads::new(threads).expect("a sensible number"));
    let measured = forest.measure(data, &[measure], run)?;
    Ok(measured.importances.into_iter().next().expect("one measure was requested"))
}

/// The segments of a display that show a digit (Louppe et al. 2013, Table 1): 1 where lit.
pub fn segments(digit: usize) -> [u32; 7] {
    const DIGITS: [&[u8; 7]; 10] = [
        b"1110111", b"0010010", b"1011101", b"1011011", b"0111010", b"1101011", b"1101111",
        b"1010010", b"1111111", b"1111011",
    ];
    DIGITS[digit].map(|lit| u32::from(lit == b'1'))
}

/// The target of a table whose rows are the ten digits.
pub fn digit() -> Target {
    let names = (0..10).map(|digit| digit.to_string()).collect();
    Target::classification("digit", names, (0..10).collect()).expect("valid codes")
}

/// Records of a local measure, in the order of the rows.
pub fn explained(
    (data, forest): (&Dataset, &Forest),
    rows: Rows<'_>,
    asked: (ExplanationId, &ExplanationSettings),
    threads: usize,
) -> Vec<Vec<f64>> {
    let explainer = forest.explainer(data, rows, asked.0, asked.1).expect("applies");
    let threads = Threads::new(threads).expect("few");
    let mut records = Vec::new();
    let run = &Run::on(threads);
    explainer.run(run, |_, record| records.push(record.to_vec())).expect("not cancelled");
    assert_eq!(records[0].len(), explainer.layout().n_numbers());
    records
}

/// Rows of positive weight: others are as if they were not there.
pub fn n_that_count(data: &Dataset) -> f64 {
    (0..data.n_rows()).filter(|&row| weight(data, row) > 0.0).count() as f64
}

/// Case weight of a row.
pub fn weight(data: &Dataset, row: usize) -> f64 {
    data.weights().map_or(1.0, |weights| weights[row])
}

/// Multiplicity times case weight.
pub fn in_bag_weight(data: &Dataset, bag: &Bag, row: usize) -> f64 {
    f64::from(bag.counts()[row]) * weight(data, row)
}

/// The child (counted from 0) that `row` goes to, judged by values alone; `donor` names the
/// row whose values of the variable `replaced` are looked at instead.
pub fn child(
    data: &Dataset,
    tree: &Tree,
    split: &Split,
    row: usize,
    replaced: Option<(usize, usize)>,
) -> usize {
    let feature = split.feature as usize;
    let row = match replaced {
        Some((column, donor)) if column == feature => donor,
        _ => row,
    };
    if let (ColumnData::Categorical(categories), Rule::Multiway { table }) =
        (data.features().columns()[feature].data(), split.rule)
    {
        let branches = &tree.branches()[table as usize];
        return match categories.codes()[row] {
            MISSING_LEVEL => branches.missing,
            level => match branches.levels.iter().position(|&listed| listed == level) {
                Some(place) => branches.children[place],
                None => branches.others,
            },
        } as usize;
    }
    let left = match (data.features().columns()[feature].data(), split.rule) {
        (ColumnData::Numeric(values), Rule::AtMost { threshold, missing }) => {
            if values[row].is_nan() { missing == Side::Left } else { values[row] <= threshold }
        }
        (ColumnData::Numeric(values), Rule::Present) => !values[row].is_nan(),
        (ColumnData::Categorical(categories), Rule::Levels { set, missing }) => {
            match categories.codes()[row] {
                MISSING_LEVEL => missing == Side::Left,
                level => tree.level_sets()[set as usize].contains(level),
            }
        }
        (ColumnData::Categorical(categories), Rule::Present) => {
            categories.codes()[row] != MISSING_LEVEL
        }
        (_, rule) => panic!("rule {rule:?} on column {feature}"),
    };
    usize::from(!left)
}

/// The leaf of a row, with one column's value taken from another row given by `replaced`.
pub fn leaf(data: &Dataset, tree: &Tree, row: usize, replaced: Option<(usize, usize)>) -> usize {
    let mut node = 0;
    while let Node::Split(split) = &tree.nodes()[node] {
        node = split.first_child as usize + child(data, tree, split, row, replaced);
    }
    node
}

/// One row of the response matrix: the number, or one-hot classes.
pub fn response(data: &Dataset, row: usize) -> Vec<f64> {
    match data.target().response() {
        Response::Regression(values) => vec![values[row]],
        Response::Classification(classes) => {
            let mut one_hot = vec![0.0; classes.levels().len()];
            one_hot[classes.codes()[row] as usize] = 1.0;
            one_hot
        }
        Response::Several(outputs) => outputs.row(row).to_vec(),
    }
}

pub fn assert_close(found: f64, expected: f64, what: &str) {
    let tolerance = 1e-10 * expected.abs().max(1.0);
    assert!((found - expected).abs() <= tolerance, "{what}: {found} is not {expected}");
}

/// Random permutations scatter around their expectation with their spread.
pub fn assert_scattered(random: &Importance, exact: &Importance) {
    let n = random.repeats.len() as f64;
    for (column, exact) in exact.values.iter().enumerate() {
        let mean = random.values[column].expect("defined");
        let squares = random.repeats.iter().map(|repeat| (repeat[column] - mean).powi(2));
        let error = (squares.sum::<f64>() / (n - 1.0) / n).sqrt();
        let gap = (mean - exact.expect("defined")).abs();
        assert!(gap <= 4.0 * error + 1e-12, "column {column}: {gap} against {error}");
    }
}

/// Data of both kinds with forests of few trees to be grown on them: best splits, and branches.
pub fn best_and_multiway(
    shape: Shape,
    mtry: usize,
    n_trees: usize,
) -> [(Dataset, ForestConfig); 2] {
    let config =
        ForestConfig { n_trees, mtry: Some(mtry), max_depth: Some(4), ..ForestConfig::default() };
    let multiway =
        ForestConfig { splitting: Splitting::Multiway, max_depth: Some(2), ..config.clone() };
    [(dataset(shape), config), (levels_only(shape), multiway)]
}

/// [`dataset`] with numbers cut into levels, some of which nothing has.
pub fn levels_only(shape: Shape) -> Dataset {
    let data = dataset(shape);
    let names = |count: u32| (0..count).map(|level| format!("L{level}")).collect::<Vec<_>>();
    let cut = |column: &Column| match column.data() {
        ColumnData::Categorical(_) => column.clone(),
        ColumnData::Numeric(values) => {
            let level = |value: &f64| {
                if value.is_nan() { MISSING_LEVEL } else { (value + 4.0).floor() as u32 }
            };
            let codes = values.iter().map(level).collect();
            Column::categorical(column.name(), names(12), codes).expect("valid codes")
        }
    };
    let columns = data.features().columns().iter().map(cut).collect();
    let levels = Dataset::new(columns, data.target().clone()).expect("consistent");
    match data.weights() {
        Some(weights) => levels.with_weights(weights.to_vec()).expect("valid weights"),
        None => levels,
    }
}
