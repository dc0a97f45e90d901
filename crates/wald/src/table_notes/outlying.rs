//! Targets of which a few rows have most of the variance.

use crate::data::{Dataset, Response};
use crate::words::{counted, percent};

/// In fewer rows, three of a skewed distribution often have most of the variance.
const FEWEST_ROWS: usize = 100;

/// The rows that are looked at: the most outlying hundredth, and at least three.
const SHARE_OF_ROWS: f64 = 0.01;
const FEWEST_OUTLYING: usize = 3;

/// Of 400 tables each of 100 to 2000 rows, none has so much there whose target is normal or exponential, or a count
/// with seven tenths of zeros; of Student's distribution with three degrees of freedom 2 to 5 % have.
const MOST_OF_THE_VARIANCE: f64 = 0.7;

/// The note on a number whose variance is nearly that of a few rows. Cost O(n log n).
pub(crate) fn note_on_outlying_targets(data: &Dataset) -> Option<String> {
    let Response::Regression(values) = data.target().response() else { return None };
    let rows = data.rows_of_positive_weight();
    if rows.len() < FEWEST_ROWS {
        return None;
    }
    let weight_of = |row: u32| data.weights().map_or(1.0, |weights| weights[row as usize]);
    let (mut sum, mut total) = (0.0, 0.0);
    for &row in &rows {
        (sum, total) = (sum + weight_of(row) * values[row as usize], total + weight_of(row));
    }
    let mean = sum / total;
    let mut squares: Vec<f64> =
        rows.iter().map(|&row| weight_of(row) * (values[row as usize] - mean).powi(2)).collect();
    squares.sort_by(|one, other| other.total_cmp(one));
    let n_outlying = FEWEST_OUTLYING.max((SHARE_OF_ROWS * rows.len() as f64).ceil() as usize);
    let share = squares[..n_outlying].iter().sum::<f64>() / squares.iter().sum::<f64>();
    // The rarer one of two values is no outlier.
    let mut distinct: Vec<f64> = rows.iter().map(|&row| values[row as usize]).collect();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    (share > MOST_OF_THE_VARIANCE && distinct.len() > 2).then(|| {
        format!(
            "the most outlying {} of {} make up {} of the variance of the target \"{}\": shares of the variance are about these rows; \
             check them, or use ranks or logarithms of the target",
            n_outlying,
            counted(rows.len(), "row"),
            percent(share),
            data.target().name()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target};
    use crate::forest::ForestConfig;
    use crate::measure::MeasureId;
    use crate::run::{Run, Threads};

    /// Numbers from 0 to 1 and, in place of the last rows, others.
    fn table(n_rows: u32, last: &[f64]) -> Dataset {
        let step = |row: u32| f64::from(row * 37 % n_rows) / f64::from(n_rows);
        let x: Vec<f64> = (0..n_rows).map(step).collect();
        let mut y = x.clone();
        let at = y.len() - last.len();
        y[at..].copy_from_slice(last);
        let column = Column::numeric("x", x).expect("finite");
        Dataset::new(vec![column], Target::regression("income", y).expect("finite"))
            .expect("consistent")
    }

    #[test]
    fn rows_that_have_most_of_the_variance_are_noted_with_their_number_and_share() {
        let note = note_on_outlying_targets(&table(500, &[60.0, 80.0, 100.0]));
        let note = note.expect("three rows far off");
        assert!(
            note.starts_with(
                "the most outlying 5 of 500 rows make up 99.2 % of the variance of the target \"income\": "
            ),
            "{note}"
        );
        assert!(note_on_outlying_targets(&table(200, &[-999.0])).is_some(), "a code");
        assert_eq!(note_on_outlying_targets(&table(500, &[])), None, "none far off");
        assert_eq!(note_on_outlying_targets(&table(500, &[1.5, 2.0, 2.5])), None, "not that far");
        assert_eq!(note_on_outlying_targets(&table(99, &[60.0, 80.0, 100.0])), None, "few rows");
        // Rows of weight zero take no part.
        let mut weights = vec![1.0; 500];
        weights[497..].fill(0.0);
        let of_others = table(500, &[60.0, 80.0, 100.0]).with_weights(weights);
        assert_eq!(note_on_outlying_targets(&of_others.expect("positive ones")), None);
    }

    #[test]
    fn the_rarer_one_of_two_values_is_not_outlying() {
        let y = (0..500).map(|row| f64::from(u8::from(row % 250 == 0))).collect();
        let column = Column::numeric("x", (0..500).map(f64::from).collect()).expect("finite");
        let target = Target::regression("event", y).expect("finite");
        let data = Dataset::new(vec![column], target).expect("consistent");
        assert_eq!(note_on_outlying_targets(&data), None);
    }

    #[test]
    fn importances_have_the_note() {
        let run = Run::on(Threads::ONE);
        let config = ForestConfig { n_trees: 5, ..ForestConfig::default() };
        let is_noted = |data: Dataset| {
            let fitted = crate::fit(data, &config, &run).expect("valid settings");
            let found = fitted.measure(&[MeasureId::SobolMda.into()], &run).expect("applies");
            let notes = &found.importances[0].notes;
            notes.iter().any(|note| note.contains("of the variance of the target"))
        };
        assert!(is_noted(table(300, &[60.0, 80.0, 100.0])));
        assert!(!is_noted(table(300, &[])));
    }
}
