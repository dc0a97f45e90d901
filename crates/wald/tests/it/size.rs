//! Estimated sizes against the sizes of what is really stored.

use wald::data::{Column, Target};
use wald::forest::{Keep, LevelSet, Node, Sampling, Splitting, Tree};
use wald::measure::{MeasureSettings, Permutations, Requirement};
use wald::memory::{Size, SizePart};
use wald::{Dataset, Forest, ForestConfig, Measure, MeasureId, Run, Threads};

use crate::support::{Numbers, all_measures};

const N_ROWS: usize = 5000;

/// Four columns of numbers and one of levels; the target is noise, or the first column.
fn dataset(n_levels: u32, n_classes: u32, is_noise: bool) -> Dataset {
    let mut numbers = Numbers(5);
    let mut uniform = || -> Vec<f64> { (0..N_ROWS).map(|_| numbers.unit()).collect() };
    let values: Vec<Vec<f64>> = (0..4).map(|_| uniform()).collect();
    let response = if is_noise { uniform() } else { values[0].clone() };
    let codes = uniform().iter().map(|u| (u * f64::from(n_levels)) as u32).collect();
    let names = |n: u32| (0..n).map(|code| format!("{code}")).collect::<Vec<String>>();
    let columns = values.into_iter().enumerate();
    let columns = columns.map(|(index, values)| Column::numeric(format!("x{index}"), values));
    let levels = Column::categorical("levels", names(n_levels), codes);
    let columns = columns.chain([levels]).collect::<Result<Vec<_>, _>>().expect("columns");
    let target = if n_classes == 0 {
        Target::regression("y", response)
    } else {
        let class = |u: &f64| (u * f64::from(n_classes)) as u32;
        Target::classification("y", names(n_classes), response.iter().map(class).collect())
    };
    Dataset::new(columns, target.expect("a target")).expect("a data set")
}

fn config(n_trees: usize) -> ForestConfig {
    ForestConfig { n_trees, ..ForestConfig::default() }
}

fn estimate(data: &Dataset, config: &ForestConfig, measures: &[Measure]) -> Size {
    let threads = Threads::new(2).expect("two threads");
    Size::of_growing(data, config, measures, Keep::Trees, threads).expect("settings that fit")
}

fn grown(data: &Dataset, config: &ForestConfig) -> Forest {
    Forest::grow(data, config, &Run::on(Threads::all())).expect("not cancelled")
}

/// Bytes of a forest's nodes, values, statistics, level sets, branches and bags.
fn stored(forest: &Forest) -> f64 {
    let of_set = |set: &LevelSet| {
        size_of::<LevelSet>()
            + match set {
                LevelSet::Bits(words) => 8 * words.len(),
                LevelSet::Listed(levels) | LevelSet::Excepted(levels) => 4 * levels.len(),
            }
    };
    // Of many classes, those that a node has met are listed.
    let of_values = |tree: &Tree| {
        let all = 8 * tree.n_nodes() * tree.n_outputs();
        let is_met = |node| tree.value(node).iter().filter(|share| **share > 0.0).count();
        let listed = (0..tree.n_nodes()).map(|node| 4 + 12 * is_met(node)).sum();
        if tree.n_outputs() < 16 || 2 * listed > all { all } else { listed }
    };
    let of_tree = |tree: &Tree| {
        tree.n_nodes() * (size_of::<Node>() + 16)
            + of_values(tree)
            + tree.level_sets().iter().map(of_set).sum::<usize>()
            + tree.branches().iter().map(|table| 40 + 8 * table.levels.len()).sum::<usize>()
    };
    let bags: usize = forest.bags().expect("bags").iter().map(|bag| 2 * bag.counts().len()).sum();
    (forest.trees().iter().map(of_tree).sum::<usize>() + bags) as f64
}

#[test]
fn trees_on_noise_are_estimated_from_above_within_a_factor_of_two() {
    for (n_levels, n_classes) in [(4, 0), (3000, 0), (4, 2), (4, 5), (3000, 40)] {
        let data = dataset(n_levels, n_classes, true);
        for config in [
            config(4),
            ForestConfig { min_node_size: Some(1), ..config(4) },
            ForestConfig { min_node_size: Some(30), ..config(4) },
            ForestConfig { min_leaf_size: 10, ..config(4) },
            ForestConfig { sample_fraction: Some(0.2), ..config(4) },
        ] {
            let trees = estimate(&data, &config, &[]).trees as f64;
            let ratio = trees / stored(&grown(&data, &config));
            let case = format!("{n_levels} levels, {n_classes} classes, {config:?}");
            assert!((1.0..2.0).contains(&ratio), "{ratio} times as large: {case}");
        }
    }
}

#[test]
fn trees_of_random_divisions_are_estimated_from_above() {
    for (n_levels, n_classes) in [(4, 0), (3000, 0), (4, 5), (3000, 40)] {
        let (data, splitting) = (dataset(n_levels, n_classes, true), Splitting::RandomThreshold);
        for sampling in [Sampling::All, Sampling::Bootstrap] {
            let config = ForestConfig { splitting, sampling, ..config(4) };
            let trees = estimate(&data, &config, &[]).trees as f64;
            let ratio = trees / stored(&grown(&data, &config));
            assert!((1.0..2.0).contains(&ratio), "{ratio} times as large: {config:?}");
        }
    }
}

#[test]
fn conditional_trees_are_estimated_from_above() {
    for (n_levels, n_classes) in [(4, 0), (3000, 0), (4, 2), (4, 5), (3000, 40)] {
        let data = dataset(n_levels, n_classes, true);
        for min_leaf_size in [1, 7] {
            let base = ForestConfig::for_splitting(Splitting::Conditional);
            let config = ForestConfig { n_trees: 4, min_leaf_size, ..base };
            let trees = estimate(&data, &config, &[]).trees as f64;
            let ratio = trees / stored(&grown(&data, &config));
            // Columns of very many levels are split on less often than among the best splits.
            let most = if n_levels > 1000 { 5.0 } else { 3.0 };
            assert!((1.0..most).contains(&ratio), "{ratio} times as large: {config:?}");
        }
    }
}

#[test]
fn branches_are_counted() {
    let mut numbers = Numbers(3);
    let names = |n: u32| (0..n).map(|code| format!("{code}")).collect::<Vec<String>>();
    let columns = [3, 5, 200, 3000].into_iter().map(|n: u32| {
        let codes = (0..N_ROWS).map(|_| numbers.below(n)).collect();
        Column::categorical(format!("x{n}"), names(n), codes).expect("codes with levels")
    });
    let columns = columns.collect();
    let target = Target::regression("y", (0..N_ROWS).map(|_| numbers.unit()).collect());
    let data = Dataset::new(columns, target.expect("finite")).expect("a data set");
    let config = ForestConfig { splitting: Splitting::Multiway, ..config(4) };
    let size = estimate(&data, &config, &[]);
    let forest = grown(&data, &config);
    let ratio = size.trees as f64 / stored(&forest);
    assert!((1.0..3.0).contains(&ratio), "{ratio} times as large");
    let ratio = size.with_trees_like(&forest, 4).trees as f64 / stored(&forest);
    assert!((1.0..2.0).contains(&ratio), "{ratio} times as large");
}

#[test]
fn trees_that_stop_early_are_estimated_by_one_of_them() {
    for (n_levels, n_classes) in [(4, 0), (3000, 2), (4, 5)] {
        let (data, config) = (dataset(n_levels, n_classes, false), config(20));
        let size = estimate(&data, &config, &[]);
        let forest = grown(&data, &config);
        assert!(size.trees as f64 > stored(&forest));
        let like_one =
            size.with_trees_like(&grown(&data, &ForestConfig { n_trees: 1, ..config }), 20);
        let ratio = like_one.trees as f64 / stored(&forest);
        assert!((1.0..2.0).contains(&ratio), "{ratio} times as large");
    }
}

#[test]
fn what_is_not_a_tree_is_counted() {
    let data = dataset(4, 3, true);
    // Those that look at test rows, explain rows one by one, or play games keep the trees.
    let mut measures = all_measures(&data);
    let explains = [
        MeasureId::TreeShap,
        MeasureId::TreeShapInterventional,
        MeasureId::TreeShapLoss,
        MeasureId::TreeShapOob,
        MeasureId::Sage,
        MeasureId::ShapleyEffects,
        MeasureId::DistributionRetrain,
    ];
    measures.retain(|measure| {
        let id = measure.id();
        !id.info().needs.contains(&Requirement::TestRows) && !explains.contains(&id)
    });
    let size = estimate(&data, &config(1000), &measures);
    let about = |size: u64, least: usize| {
        let ratio = size as f64 / least as f64;
        assert!((1.0..1.3).contains(&ratio), "{size} for {least}");
    };
    // Codes and orders of five columns, whose distinct values are few or in the data set, and codes
    // by row; classes, the numbered rows.
    about(size.ranks, N_ROWS * (5 * (4 + 2 + 4) + 4 + 4));
    about(size.per_tree, 1000 * measures.len() * (5 * 8 + 40));
    // The sums of three classes, a weight and a count.
    about(size.out_of_bag, N_ROWS * (3 * 8 + 12));
    let one = Threads::new(1).expect("one thread");
    let alone = Size::of_growing(&data, &config(1000), &measures, Keep::Nothing, one);
    let alone = alone.expect("settings that fit");
    about(size.working, 2 * (alone.working as usize - 1));
    assert_eq!((alone.trees, alone.per_tree), (0, size.per_tree));
}

/// Sums of changes have a place for every row, variable and class; trees are kept up to a limit.
#[test]
fn changes_of_predictions_are_counted() {
    let data = dataset(4, 3, true);
    let size = |id, permutations, n_trees| {
        let settings = MeasureSettings { permutations, ..MeasureSettings::default() };
        let measure = Measure::new(id, settings).expect("valid");
        estimate(&data, &config(n_trees), &[measure]).altered
    };
    let about = |size: u64, least: usize| {
        let ratio = size as f64 / least as f64;
        assert!((1.0..1.1).contains(&ratio), "{size} for {least}");
    };
    let (sobol, ours) = (MeasureId::SobolMda, MeasureId::MdaIshwaranKogalur);
    // Predictions thrice and counts; sums of changes, and of variances.
    let predictions = N_ROWS * (3 * 3 * 8 + 12);
    let (changes, variances) = (N_ROWS * 5 * 3 * 8, N_ROWS * 5 * 8);
    let many = 2000;
    let kept = 256 << 20;
    about(size(sobol, Permutations::Exact, many), predictions + changes + kept);
    about(size(ours, Permutations::Exact, many), predictions + changes + variances + kept);
    about(size(ours, Permutations::Random(50), many), predictions + 50 * changes);
    // Of few trees, all are kept: rows with predictions, and with changes where they are asked.
    let few = size(sobol, Permutations::Exact, 10) as usize;
    let tree = N_ROWS * 36 / 100 * (4 + 3 * 8 + 5 * (8 + 3 * 8));
    about(few as u64, predictions + changes + 10 * tree);
    assert_eq!(size(MeasureId::MdaBreimanCutler, Permutations::Exact, many), 0);
}

#[test]
fn no_size_overflows() {
    let data = dataset(4, 3, true);
    let size = estimate(&data, &config(10_000_000), &[]);
    assert!(size.total() > 1 << 40);
    assert_eq!(size.largest().0, SizePart::Trees);
    let too_many = Size::of_growing(&data, &config(usize::MAX), &[], Keep::Trees, Threads::all());
    assert!(matches!(too_many, Err(wald::Error::TooLarge { .. })));
}
