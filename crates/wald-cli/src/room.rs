//! Refuses work that needs more memory than is free, before it begins.

use wald::explain::{Explainer, Layout};
use wald::forest::Keep;
use wald::inference::UncertaintyConfig;
use wald::memory::{Size, SizePart};
use wald::words::counted;
use wald::{Dataset, Forest, ForestConfig, Measure, Progress, Run, SelectionConfig, Threads};

use crate::failure::Failure;
use crate::memory;
use crate::progress::with_progress;

/// A forest that is about to be grown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Growing<'a> {
    pub(crate) data: &'a Dataset,
    pub(crate) config: &'a ForestConfig,
    pub(crate) measures: &'a [Measure],
    pub(crate) keep: Keep,
    /// Whether the trees become a model file.
    pub(crate) is_written: bool,
    pub(crate) threads: Threads,
}

impl Growing<'_> {
    /// An error where there is no room for it; `Ok` where that is not known.
    pub(crate) fn check(self, quiet: bool) -> Result<(), Failure> {
        match memory::free() {
            Some(free) => self.check_against(free, quiet),
            None => Ok(()),
        }
    }

    fn check_against(self, free: u64, quiet: bool) -> Result<(), Failure> {
        let Self { data, config, measures, keep, threads, .. } = self;
        let written = |size: Size| if self.is_written { size.with_model_file() } else { size };
        let mut size = written(Size::of_growing(data, config, measures, keep, threads)?);
        let n_trees = config.n_trees;
        let one_fits = size.besides_trees().saturating_add(size.trees / n_trees as u64) <= free;
        if size.total() > free && size.trees > 0 && one_fits {
            // The estimate is that of trees on noise. One of these trees shows its error.
            let progress = Progress::new();
            let config = ForestConfig { n_trees: 1, ..config.clone() };
            let grow = || Forest::grow(data, &config, &Run::new(threads, &progress));
            let one = with_progress("estimating the size of the trees", &progress, quiet, grow)?;
            size = written(size.with_trees_like(&one, n_trees));
        }
        refuse(&format!("growing {}", counted(n_trees, "tree")), size, n_trees, threads, free)
    }
}

/// As [`Growing::check`], for measuring a forest that exists.
pub(crate) fn check_measuring(
    forest: &Forest,
    data: &Dataset,
    measures: &[Measure],
    threads: Threads,
) -> Result<(), Failure> {
    let Some(free) = memory::free() else { return Ok(()) };
    let n_trees = forest.trees().len();
    let size = Size::of_measuring(forest, data, measures, threads);
    refuse(&format!("measuring {}", counted(n_trees, "tree")), size, n_trees, threads, free)
}

/// As [`Growing::check`], for a selection of variables.
pub(crate) fn check_selecting(
    data: &Dataset,
    config: &SelectionConfig,
    threads: Threads,
) -> Result<(), Failure> {
    let size = config.size(data, threads)?;
    let Some(free) = memory::free() else { return Ok(()) };
    let n_trees = config.forest.n_trees;
    refuse(
        &format!("selecting variables with {}", counted(n_trees, "tree")),
        size,
        n_trees,
        threads,
        free,
    )
}

/// As [`Growing::check`], for the further forests of an uncertainty analysis.
pub(crate) fn check_uncertainty(
    asked: &UncertaintyConfig,
    data: &Dataset,
    config: &ForestConfig,
    measures: &[Measure],
    threads: Threads,
) -> Result<(), Failure> {
    let Some(free) = memory::free() else { return Ok(()) };
    match asked.size_of_more(data, config, measures, threads)? {
        Some(size) => refuse("growing further forests", size, config.n_trees, threads, free),
        None => Ok(()),
    }
}

/// As [`Growing::check`], for predictions that take `bytes`.
pub(crate) fn check_predicting(n_rows: usize, n_outputs: usize, bytes: u64) -> Result<(), Failure> {
    let doing =
        format!("predicting {} with {} each", counted(n_rows, "row"), counted(n_outputs, "number"));
    check_bytes(memory::free(), &doing, bytes, "predict fewer rows at a time")
}

/// As [`Growing::check`], for simulated rows of so many columns that take `bytes`.
pub(crate) fn check_simulating(n_rows: usize, n_columns: usize, bytes: u64) -> Result<(), Failure> {
    let doing = format!("drawing {} of {}", counted(n_rows, "row"), counted(n_columns, "column"));
    check_bytes(memory::free(), &doing, bytes, "draw fewer rows (`--rows`)")
}

/// As [`Growing::check`], for explanations of which so many records are held at a time, and take
/// `bytes` per number, besides what the work itself takes.
pub(crate) fn check_explaining(
    explainer: &Explainer<'_>,
    n_held: usize,
    bytes: u64,
    threads: Threads,
) -> Result<(), Failure> {
    let working = explainer.working_bytes(threads);
    check_explaining_against(memory::free(), explainer.layout(), n_held, bytes, working)
}

fn check_explaining_against(
    free: Option<u64>,
    layout: &Layout,
    n_held: usize,
    bytes: u64,
    working: u64,
) -> Result<(), Failure> {
    let n_values = layout.n_records().min(n_held) as u64 * layout.n_values() as u64;
    let needed = n_values.saturating_mul(bytes).saturating_add(working);
    let doing = format!(
        "explaining {} with {} each",
        counted(layout.n_rows, "row"),
        counted(layout.n_values(), "number")
    );
    let help =
        "explain fewer rows (`--rows`) or variables (`--variables`), or use a smaller `--grid`";
    check_bytes(free, &doing, needed, help)
}

fn check_bytes(free: Option<u64>, doing: &str, needed: u64, help: &str) -> Result<(), Failure> {
    match free {
        Some(free) if needed > free => {
            let (needed, free) = (amount(needed), amount(free));
            let what = format!("{doing} needs about {needed} of memory, but {free} is free");
            Err(Failure::too_large(what, help))
        }
        _ => Ok(()),
    }
}

fn refuse(
    doing: &str,
    size: Size,
    n_trees: usize,
    threads: Threads,
    free: u64,
) -> Result<(), Failure> {
    if size.total() <= free {
        return Ok(());
    }
    let (part, bytes) = match size.largest() {
        (SizePart::Trees, trees) => (SizePart::Trees, trees.saturating_add(size.model_file)),
        largest => largest,
    };
    // What is left for that part, and how many trees or threads that would do for.
    let others = match part {
        SizePart::Trees => size.besides_trees(),
        _ => size.total() - bytes,
    };
    let share = free.saturating_sub(others) as f64 / bytes as f64;
    let n_threads = (share * threads.get().min(n_trees) as f64) as usize;
    let fewer_trees = match (share * n_trees as f64) as usize {
        0 => "ask for fewer trees".to_owned(),
        n_fit => format!("ask for fewer trees (about {} fit)", rounded(n_fit)),
    };
    let (for_what, help) = match part {
        SizePart::Ranks => {
            ("for the columns as ranks", "use a sample of the rows, or fewer columns".to_owned())
        }
        SizePart::Working if n_threads > 0 => {
            ("for the work of all threads", format!("use fewer threads (`--threads {n_threads}`)"))
        }
        SizePart::Working => (
            "for the work of all threads",
            "make trees smaller (`--min-node-size`, `--max-depth`, `--sample-fraction`), or use \
             fewer threads (`--threads`), rows or classes"
                .to_owned(),
        ),
        SizePart::OutOfBag => (
            "for the out-of-bag predictions",
            "use fewer rows or classes: merge rare classes, or predict a number \
             (`--task regression`)"
                .to_owned(),
        ),
        SizePart::Altered => (
            "for the changes of out-of-bag predictions",
            "measure fewer things at a time (`--measure`), fewer random permutations, rows or \
             classes, or put columns together (`--group`)"
                .to_owned(),
        ),
        SizePart::PerTree => (
            "for the importances in every single tree",
            format!(
                "{fewer_trees}, measures or columns; a few thousand trees are enough for stable \
                 rankings"
            ),
        ),
        SizePart::Trees => (
            if size.model_file > 0 { "for the trees and their file" } else { "for the trees" },
            format!(
                "{fewer_trees}, or make them smaller (`--min-node-size`, `--max-depth`); `wald \
                 importance` and `wald report` need not keep trees"
            ),
        ),
    };
    let needed = amount(size.total());
    let (bytes, free) = (amount(bytes), amount(free));
    Err(Failure::too_large(
        format!(
            "{doing} needs about {needed} of memory besides the table, {bytes} {for_what}, but {free} \
             is free"
        ),
        help,
    ))
}

/// Bytes in words, with three digits.
fn amount(bytes: u64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
    let mut number = bytes as f64;
    let mut unit = 0;
    while number >= 999.5 && unit + 1 < units.len() {
        number /= 1000.0;
        unit += 1;
    }
    let decimals = match number {
        _ if unit == 0 => 0,
        10.0.. => 0,
        _ => 1,
    };
    format!("{number:.decimals$} {}", units[unit])
}

/// Two digits are all that an estimate is worth.
fn rounded(number: usize) -> usize {
    let unit = 10_usize.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(1));
    number / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::data::{Column, Target};
    use wald::explain::Shape;

    fn dataset() -> Dataset {
        let x: Vec<f64> = (0..400).map(f64::from).collect();
        let classes = (0..400).map(|row| u32::from(row >= 200)).collect();
        let target = Target::classification("y", vec!["a".to_owned(), "b".to_owned()], classes);
        let column = Column::numeric("x", x).expect("finite");
        Dataset::new(vec![column], target.expect("two classes")).expect("a data set")
    }

    #[test]
    fn small_trees_are_not_refused_for_what_they_might_have_been() {
        let (data, config) = (dataset(), ForestConfig { n_trees: 1000, ..Default::default() });
        let threads = Threads::new(1).expect("one thread");
        let (measures, keep): (&[Measure], _) = (&[], Keep::Trees);
        let growing =
            Growing { data: &data, config: &config, measures, keep, is_written: true, threads };
        let size = Size::of_growing(&data, &config, &[], Keep::Trees, threads);
        let size = size.expect("settings that fit");
        // Two leaves a tree instead of a hundred.
        assert_eq!(growing.check_against(size.trees / 2, true), Ok(()));
        let refusal = growing.check_against(size.trees / 20, true).expect_err("too little");
        assert_eq!(refusal.exit_code, 6);
        assert!(refusal.what.starts_with("growing 1000 trees needs about "), "{}", refusal.what);
        assert!(refusal.help.contains("trees (about "), "{}", refusal.help);
        let refusal = growing.check_against(1000, true).expect_err("nothing");
        assert!(refusal.help.starts_with("ask for fewer trees, or"), "{}", refusal.help);
    }

    fn layout(shape: Shape, is_mean: bool, n_rows: usize) -> Layout {
        let classes = Some(vec!["a".to_owned(), "b".to_owned()]);
        let variables = (0..5).map(|at| format!("x{at}")).collect();
        Layout { variables, classes, shape, is_mean, n_rows }
    }

    /// Numbers of two classes: of rows that are held, not of all rows; one record for all is one.
    #[test]
    fn explanations_take_what_is_held_of_them() {
        let values = || layout(Shape::Values(5), false, 1_000_000);
        let pairs = || layout(Shape::Pairs(5), false, 300);
        let mean = layout(Shape::Values(5), true, 1_000_000);
        for (layout, n_held, bytes, needed) in [
            (values(), usize::MAX, 8, 80_000_000),
            (values(), 4_000, 8, 320_000),
            (values(), usize::MAX, 168, 1_680_000_000),
            (pairs(), usize::MAX, 8, 120_000),
            (mean, usize::MAX, 8, 80),
        ] {
            let check = |free| check_explaining_against(free, &layout, n_held, bytes, 7);
            let needed = needed + 7;
            assert_eq!(check(Some(needed)), Ok(()), "{needed}");
            assert_eq!(check(None), Ok(()), "nobody knows");
            let refusal = check(Some(needed - 1)).expect_err("a byte too little");
            assert_eq!(refusal.exit_code, 6);
            let about = format!("needs about {} of memory", amount(needed));
            assert!(refusal.what.contains(&about), "{}", refusal.what);
            assert!(refusal.help.contains("--rows"), "{}", refusal.help);
        }
        let refusal = check_explaining_against(Some(0), &pairs(), 10, 8, 0).expect_err("nothing");
        assert!(
            refusal.what.starts_with("explaining 300 rows with 50 numbers each"),
            "{refusal:?}"
        );
    }

    #[test]
    fn amounts_are_short() {
        let bytes = [0, 999, 1_000, 9_949, 10_400, 999_600, 22_100_000_000, u64::MAX];
        let words =
            ["0 bytes", "999 bytes", "1.0 kB", "9.9 kB", "10 kB", "1.0 MB", "22 GB", "18 EB"];
        assert_eq!(bytes.map(amount), words);
        assert_eq!([0, 7, 99, 123, 98_765].map(rounded), [0, 7, 99, 120, 98_000]);
    }
}
