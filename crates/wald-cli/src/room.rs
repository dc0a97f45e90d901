//! Refuses work that needs more memory than is free, before it begins.

use wald::explain::{Explainer, Layout};
use wald::memory::check_bytes;
use wald::words::counted;
use wald::{Error, Threads};
use wald_table::free_memory;

/// An error where there is no room for predictions that take `bytes`.
pub(crate) fn check_predicting(n_rows: usize, n_outputs: usize, bytes: u64) -> Result<(), Error> {
    let doing =
        format!("predicting {} with {} each", counted(n_rows, "row"), counted(n_outputs, "number"));
    check_bytes(&doing, bytes, free_memory(), "predict fewer rows at a time")
}

/// An error where there is no room for simulated rows of so many columns that take `bytes`.
pub(crate) fn check_simulating(n_rows: usize, n_columns: usize, bytes: u64) -> Result<(), Error> {
    let doing = format!("drawing {} of {}", counted(n_rows, "row"), counted(n_columns, "column"));
    check_bytes(&doing, bytes, free_memory(), "draw fewer rows (`--rows`)")
}

/// An error where there is no room for explanations of which so many records are held at a time, and take
/// `bytes` per number, besides what the work itself takes.
pub(crate) fn check_explaining(
    explainer: &Explainer<'_>,
    n_held: usize,
    bytes: u64,
    threads: Threads,
) -> Result<(), Error> {
    let working = explainer.working_bytes(threads);
    check_explaining_against(free_memory(), explainer.layout(), n_held, bytes, working)
}

fn check_explaining_against(
    free: Option<u64>,
    layout: &Layout,
    n_held: usize,
    bytes: u64,
    working: u64,
) -> Result<(), Error> {
    let n_values = layout.n_records().min(n_held) as u64 * layout.n_numbers() as u64;
    let needed = n_values.saturating_mul(bytes).saturating_add(working);
    let doing = format!(
        "explaining {} with {} each",
        counted(layout.n_rows, "row"),
        counted(layout.n_values(), "number")
    );
    let help =
        "explain fewer rows (`--rows`) or variables (`--variables`), or use a smaller `--grid`";
    check_bytes(&doing, needed, free, help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::explain::Shape;

    fn layout(shape: Shape, is_mean: bool, n_rows: usize) -> Layout {
        let classes = Some(vec!["a".to_owned(), "b".to_owned()]);
        let variables = (0..5).map(|at| format!("x{at}")).collect();
        Layout { variables, classes, shape, is_mean, has_shares: false, n_rows }
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
            assert!(matches!(refusal, Error::TooLarge { .. }), "{refusal:?}");
            assert!(refusal.help().contains("--rows"), "{}", refusal.help());
        }
        let refusal = check_explaining_against(Some(0), &pairs(), 10, 8, 0).expect_err("nothing");
        assert!(
            refusal.to_string().starts_with("explaining 300 rows with 50 numbers each"),
            "{refusal:?}"
        );
    }
}
