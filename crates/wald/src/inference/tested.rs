//! The p-values of one measure.

use crate::table_notes::MOST_NAMED;
use crate::words::some_of;

/// The p-values of one measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Tested {
    /// Identifier of the measure.
    pub id: &'static str,
    /// One per variable; `None` where its importance is undefined or has no null distribution.
    pub p_values: Vec<Option<f64>>,
    /// The number of importances of irrelevant variables with which each was compared.
    pub null_sizes: Vec<u32>,
    /// What the reader must know about the p-values.
    pub notes: Vec<String>,
}

/// Adjusted p-values above this are no evidence by convention.
const LEVEL: f64 = 0.05;

impl Tested {
    /// The note on variables that no importance of an irrelevant one is as large as, but whose adjusted p-value is large,
    /// because there are few of these.
    pub(super) fn note_on_smallest(
        &self,
        adjusted: &[Option<f64>],
        name: impl Fn(usize) -> String,
    ) -> Option<String> {
        let smallest = |at: usize| 1.0 / (1.0 + f64::from(self.null_sizes[at]));
        let is_hidden = |at: &usize| match (self.p_values[*at], adjusted[*at]) {
            // The p-value is this quotient, rounded in the same way.
            (Some(p), Some(adjusted)) => p <= smallest(*at) && p <= LEVEL && adjusted > LEVEL,
            _ => false,
        };
        let found: Vec<usize> = (0..self.p_values.len()).filter(is_hidden).collect();
        let largest = found.iter().copied().max_by(|a, b| smallest(*a).total_cmp(&smallest(*b)))?;
        let names: Vec<String> = found.iter().map(|at| name(*at)).collect();
        Some(format!(
            "of {} all importances of irrelevant variables are smaller, and p is the smallest that these allow \
             ({:.4} for {} of them); that adjusted p-values are above {LEVEL} is due to their number: more null \
             forests allow smaller ones",
            some_of(&names, MOST_NAMED),
            smallest(largest),
            self.null_sizes[largest],
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_that_could_not_be_smaller_are_noted() {
        let of = |p: [f64; 3], null_sizes: [u32; 3], adjusted: [f64; 3]| {
            let (p_values, notes) = (p.map(Some).to_vec(), Vec::new());
            let tested = Tested { id: "mdi", p_values, null_sizes: null_sizes.to_vec(), notes };
            tested.note_on_smallest(&adjusted.map(Some), |at| ["a", "b", "c"][at].to_owned())
        };
        let note = of([1.0 / 41.0, 1.0 / 121.0, 0.3], [40, 120, 120], [0.073, 0.025, 0.3]);
        let note = note.expect("of a alone");
        assert!(note.starts_with("of a all ") && note.contains("(0.0244 for 40 of"), "{note}");
        let note = of([1.0 / 41.0, 1.0 / 31.0, 1.0 / 41.0], [40, 30, 40], [0.073; 3]);
        assert!(note.is_some_and(|note| note.starts_with("of a, b and c all ")));
        // A smaller one was possible, it is small enough, or the p-value itself is large.
        assert_eq!(of([2.0 / 41.0, 0.3, 0.3], [40; 3], [0.15, 0.9, 0.9]), None);
        assert_eq!(of([1.0 / 1000.0, 0.3, 0.3], [999; 3], [0.003, 0.6, 0.6]), None);
        assert_eq!(of([0.1, 0.3, 0.3], [9; 3], [0.3, 0.6, 0.6]), None);
    }
}
