//! Suggested groups: one-hot columns by name and value, clusters of dependent columns.

use wald::data::{Column, ColumnData, MISSING_LEVEL, Target};
use wald::grouping::{GroupRule, Suggestion, dependences, suggest_groups};
use wald::{Dataset, Error, Run, Threads};

use crate::support::Numbers;

fn suggested(columns: Vec<Column>, rule: GroupRule) -> Result<Vec<Suggestion>, Error> {
    let n_rows = columns[0].len();
    let y = (0..n_rows).map(|row| row as f64).collect();
    let data = Dataset::new(columns, Target::regression("y", y).expect("finite"));
    let data = data.expect("consistent");
    let found = |threads| {
        let threads = Threads::new(threads).expect("few");
        suggest_groups(&data, rule, &Run::on(threads))
    };
    assert_eq!(found(1), found(3), "any number of threads");
    let groups = found(1);
    if let Ok(groups) = &groups {
        let pairs: Vec<(String, Vec<String>)> =
            groups.iter().map(|group| (group.name.clone(), group.columns.clone())).collect();
        data.with_groups(&pairs).expect("every suggestion can be followed");
    }
    groups
}

fn names(found: &[Suggestion]) -> Vec<(&str, Vec<&str>)> {
    found
        .iter()
        .map(|group| (group.name.as_str(), group.columns.iter().map(String::as_str).collect()))
        .collect()
}

fn numeric(name: &str, values: Vec<f64>) -> Column {
    Column::numeric(name, values).expect("finite or NaN")
}

/// One where the row has the level.
fn indicator(name: &str, levels: &[u32], level: u32) -> Column {
    numeric(name, levels.iter().map(|&other| f64::from(u8::from(other == level))).collect())
}

#[test]
fn one_hot_columns_are_recognised_by_name_and_value() {
    let mut numbers = Numbers(1);
    let mut draw = |count: u32| -> Vec<u32> { (0..120).map(|_| numbers.below(count)).collect() };
    let (colour, size, shape, mood, flags) = (draw(3), draw(4), draw(3), draw(3), draw(2));
    let truth = |name: &str, level: u32| {
        let words = ["False", "True"].map(str::to_owned).to_vec();
        let codes = mood.iter().map(|&other| u32::from(other == level)).collect();
        Column::categorical(name, words, codes).expect("valid")
    };
    let columns = vec![
        indicator("my_colour_red", &colour, 0),
        indicator("my_colour_dark_blue", &colour, 1),
        numeric("my_weight", (0..120).map(f64::from).collect()),
        indicator("my_colour_dark_green", &colour, 2),
        // The first level is left out, as regressions want it.
        indicator("size[T.m]", &size, 1),
        indicator("size[T.l]", &size, 2),
        indicator("size[T.xl]", &size, 3),
        indicator("shape=round", &shape, 0),
        indicator("shape=flat", &shape, 1),
        indicator("shape=long", &shape, 2),
        truth("mood.good", 0),
        truth("mood.bad", 1),
        truth("mood.none", 2),
        // Flags that rows may have together.
        indicator("has_roof", &flags, 0),
        indicator("has_door", &colour, 0),
        // A number that happens to be small.
        numeric("count_one", colour.iter().map(|&level| f64::from(level)).collect()),
        numeric("count_two", size.iter().map(|&level| f64::from(level)).collect()),
    ];
    let found = suggested(columns, GroupRule::Names).expect("names never fail");
    let expected = vec![
        ("my_colour", vec!["my_colour_red", "my_colour_dark_blue", "my_colour_dark_green"]),
        ("size", vec!["size[T.m]", "size[T.l]", "size[T.xl]"]),
        ("shape", vec!["shape=round", "shape=flat", "shape=long"]),
        ("mood", vec!["mood.good", "mood.bad", "mood.none"]),
    ];
    assert_eq!(names(&found), expected);
}

#[test]
fn a_family_that_does_not_hold_together_is_looked_at_in_parts() {
    let mut numbers = Numbers(2);
    let mut draw = |count: u32| -> Vec<u32> { (0..120).map(|_| numbers.below(count)).collect() };
    let (one, other) = (draw(2), draw(3));
    let columns = vec![
        indicator("a_yes", &one, 0),
        indicator("a_no", &one, 1),
        indicator("a_b_low", &other, 0),
        indicator("a_b_middle", &other, 1),
        indicator("a_b_high", &other, 2),
        // A column of the table has the name already.
        numeric("a", (0..120).map(f64::from).collect()),
    ];
    let found = suggested(columns, GroupRule::Names).expect("names never fail");
    let expected = vec![
        ("a (group)", vec!["a_yes", "a_no"]),
        ("a_b", vec!["a_b_low", "a_b_middle", "a_b_high"]),
    ];
    assert_eq!(names(&found), expected);
}

/// Two rare flags exclude each other by chance.
#[test]
fn rare_flags_are_no_variable() {
    let mut first = vec![0.0; 100];
    let mut second = vec![0.0; 100];
    (first[3], first[50], second[7], second[80]) = (1.0, 1.0, 1.0, 1.0);
    let columns = vec![numeric("had_stroke", first), numeric("had_cancer", second)];
    assert_eq!(suggested(columns, GroupRule::Names).expect("names never fail"), []);
}

/// Average linkage written down naively: merge the two clusters of largest mean similarity.
fn naive(similarity: &[Vec<f64>], threshold: f64) -> Vec<Vec<usize>> {
    let mut clusters: Vec<Vec<usize>> = (0..similarity.len()).map(|column| vec![column]).collect();
    loop {
        let mut best = (threshold, None);
        for a in 0..clusters.len() {
            for b in 0..a {
                let pairs =
                    clusters[a].iter().flat_map(|&i| clusters[b].iter().map(move |&j| (i, j)));
                let sum: f64 = pairs.map(|(i, j)| similarity[i][j]).sum();
                let mean = sum / (clusters[a].len() * clusters[b].len()) as f64;
                if mean >= best.0 {
                    best = (mean, Some((a, b)));
                }
            }
        }
        let Some((a, b)) = best.1 else { break };
        let moved = clusters.remove(a);
        clusters[b].extend(moved);
        clusters[b].sort_unstable();
    }
    clusters.retain(|cluster| cluster.len() > 1);
    clusters.sort();
    clusters
}

/// Spearman's correlation over the rows where both are present, ranks among all present values.
fn rank_correlation(a: &[f64], b: &[f64]) -> f64 {
    let rank = |values: &[f64], row: usize| -> f64 {
        let below = values.iter().filter(|value| **value < values[row]).count();
        let equal = values.iter().filter(|value| **value == values[row]).count();
        below as f64 + (equal as f64 - 1.0) / 2.0
    };
    let rows: Vec<usize> =
        (0..a.len()).filter(|&row| !a[row].is_nan() && !b[row].is_nan()).collect();
    let pairs: Vec<(f64, f64)> = rows.iter().map(|&row| (rank(a, row), rank(b, row))).collect();
    let n = pairs.len() as f64;
    let (x, y) = (
        pairs.iter().map(|pair| pair.0).sum::<f64>() / n,
        pairs.iter().map(|pair| pair.1).sum::<f64>() / n,
    );
    let sum = |term: &dyn Fn(&(f64, f64)) -> f64| -> f64 { pairs.iter().map(term).sum() };
    let product = sum(&|pair| (pair.0 - x) * (pair.1 - y));
    let squares = sum(&|pair| (pair.0 - x).powi(2)) * sum(&|pair| (pair.1 - y).powi(2));
    if squares > 0.0 { product / squares.sqrt() } else { 0.0 }
}

#[test]
fn clusters_are_those_of_average_linkage() {
    for (seed, missing) in [(1, false), (2, true), (3, false), (4, true)] {
        let mut numbers = Numbers(seed);
        let factors: Vec<Vec<f64>> =
            (0..4).map(|_| (0..80).map(|_| numbers.unit()).collect()).collect();
        let columns: Vec<Column> = (0..18)
            .map(|column| {
                let noise = 0.2 + 0.1 * f64::from(column % 7);
                let values = factors[column as usize % 4].iter().map(|factor| {
                    let value = factor + noise * numbers.unit();
                    if missing && numbers.unit() < 0.1 { f64::NAN } else { value }
                });
                // Falling ones depend as much.
                let sign = if column % 3 == 0 { -1.0 } else { 1.0 };
                numeric(&format!("x{column}"), values.map(|value| sign * value).collect())
            })
            .collect();
        let of = |column: &Column| match column.data() {
            ColumnData::Numeric(values) => values.to_vec(),
            ColumnData::Categorical(_) => panic!("numbers"),
        };
        let similarity: Vec<Vec<f64>> = columns
            .iter()
            .map(|a| columns.iter().map(|b| rank_correlation(&of(a), &of(b)).abs()).collect())
            .collect();
        let mut n_groups = 0;
        for threshold in [0.3, 0.5, 0.7, 0.85] {
            let rule = GroupRule::Dependence { threshold };
            let found = suggested(columns.clone(), rule).expect("few columns");
            let expected: Vec<Vec<String>> = naive(&similarity, threshold)
                .iter()
                .map(|cluster| cluster.iter().map(|column| format!("x{column}")).collect())
                .collect();
            let found: Vec<Vec<String>> = found.into_iter().map(|group| group.columns).collect();
            assert_eq!(found, expected, "seed {seed}, threshold {threshold}");
            n_groups += found.len();
        }
        assert!(n_groups > 8, "{n_groups}");
    }
}

#[test]
fn levels_cluster_with_what_they_depend_on() {
    let mut numbers = Numbers(5);
    let region: Vec<u32> = (0..300).map(|_| numbers.below(5)).collect();
    let words: Vec<String> = (0..5).map(|level| format!("L{level}")).collect();
    let rainfall: Vec<f64> =
        region.iter().map(|&region| f64::from(region * 3 % 5) + 0.3 * numbers.unit()).collect();
    let zone = region.iter().map(|&region| (region + 2) % 5).collect();
    let mut other: Vec<u32> = (0..300).map(|_| numbers.below(5)).collect();
    other[4] = MISSING_LEVEL;
    let noise = (0..300).map(|_| numbers.unit()).collect();
    let categorical = |name: &str, codes| Column::categorical(name, words.clone(), codes);
    let columns = vec![
        categorical("region", region).expect("valid"),
        numeric("noise", noise),
        numeric("rainfall", rainfall),
        categorical("other", other).expect("valid"),
        categorical("zone", zone).expect("valid"),
        numeric("constant", vec![2.0; 300]),
    ];
    let rule = GroupRule::Dependence { threshold: 0.7 };
    let found = suggested(columns, rule).expect("few columns");
    assert_eq!(names(&found), [("region+rainfall+zone", vec!["region", "rainfall", "zone"])]);
}

#[test]
fn limits_are_said() {
    let columns = |n: usize| (0..n).map(|i| numeric(&format!("x{i}"), vec![0.0, 1.0])).collect();
    let found = suggested(columns(2001), GroupRule::Dependence { threshold: 0.7 });
    assert!(matches!(&found, Err(Error::TooLarge { what, .. }) if what.contains("at most 2000")));
    for threshold in [0.0, 1.5, f64::NAN] {
        let found = suggested(columns(2), GroupRule::Dependence { threshold });
        assert!(matches!(found, Err(Error::Setting { .. })), "{threshold}");
    }
}

#[test]
fn dependences_are_those_of_ranks_and_merge_by_their_means() {
    // Ranks 1 to 5 of `a` and `b`; 5, 1, 4, 2, 3 of `c`: Spearman's rho is 1 - 6 * 26 / 120.
    let columns = vec![
        numeric("a", vec![1.0, 2.0, 3.0, 4.0, 5.0]),
        numeric("b", vec![1.0, 8.0, 27.0, 64.0, 125.0]),
        numeric("c", vec![5.0, 1.0, 4.0, 2.0, 3.0]),
    ];
    let y = Target::regression("y", vec![0.0, 1.0, 2.0, 3.0, 4.0]).expect("finite");
    let data = Dataset::new(columns, y).expect("consistent");
    let found = dependences(&data, &Run::on(Threads::all())).expect("few columns");
    let expected = [1.0, 1.0, 0.3, 1.0, 1.0, 0.3, 0.3, 0.3, 1.0];
    let is_near = |(found, expected): (&f64, f64)| (found - expected).abs() < 1e-12;
    assert!(found.values.iter().zip(expected).all(is_near), "{:?}", found.values);
    let [(one, other, close), (_, _, far)] = found.merges[..] else {
        panic!("two merges: {:?}", found.merges)
    };
    assert_eq!((one.min(other), one.max(other)), (0, 1));
    assert!((close - 1.0).abs() < 1e-12 && (far - 0.3).abs() < 1e-12);
}

/// Rows that weigh nothing make two columns equal which are independent in all others.
/// In rows of even places both columns rise, in the others one falls: over all they do not depend on each other, and
/// of every other row one would follow the other.
#[test]
fn dependence_does_not_follow_the_order_of_the_table() {
    let column = |name, falls: bool| {
        let value = |row: usize| {
            let value = (row / 2) as f64;
            if falls && row % 2 == 1 { -value } else { value }
        };
        numeric(name, (0..4000).map(value).collect())
    };
    let columns = vec![column("a", false), column("b", true)];
    let target = Target::regression("y", (0..4000).map(f64::from).collect()).expect("finite");
    let data = Dataset::new(columns, target).expect("consistent");
    let found = dependences(&data, &Run::on(Threads::new(1).expect("one"))).expect("a pair");
    assert!(found.values[1] < 0.1, "{:?}", found.values);
}

#[test]
fn rows_of_weight_zero_do_not_make_columns_depend_on_each_other() {
    let mut numbers = Numbers(5);
    let n_rows = 300;
    let is_counted = |row: usize| row < 100;
    let a: Vec<f64> = (0..n_rows).map(|_| f64::from(numbers.below(1000))).collect();
    let others: Vec<f64> = (0..n_rows).map(|_| f64::from(numbers.below(1000))).collect();
    let b = (0..n_rows).map(|row| if is_counted(row) { others[row] } else { a[row] }).collect();
    let columns = vec![numeric("a", a), numeric("b", b)];
    let y = (0..n_rows).map(|row| row as f64).collect();
    let data = Dataset::new(columns, Target::regression("y", y).expect("finite"));
    let data = data.expect("consistent");
    let rule = GroupRule::Dependence { threshold: 0.4 };
    let run = Run::on(Threads::ONE);
    assert_eq!(suggest_groups(&data, rule, &run).expect("few columns").len(), 1);
    let weights = (0..n_rows).map(|row| f64::from(u8::from(is_counted(row)))).collect();
    let data = data.with_weights(weights).expect("some are positive");
    assert_eq!(suggest_groups(&data, rule, &run), Ok(Vec::new()));
    assert!(dependences(&data, &run).expect("few columns").values[1] < 0.4);
}
