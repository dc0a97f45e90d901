//! The answer where rows depend on their neighbours.

use crate::answer::words::{MOST_NAMES, listed};
use crate::answer::{Adds, AnswerEntry};

/// Neighbouring rows whose residuals are similar.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DependentRows {
    /// Rank correlation of residuals of neighbouring rows.
    pub(crate) correlation: f64,
    /// Variables that change little from row to row.
    pub(crate) slow: Vec<String>,
    /// What makes errors those of dependent rows.
    pub(crate) remedy: String,
}

impl DependentRows {
    /// Variables that change little from row to row seem to matter because they tell persons or times apart.
    pub(super) fn doubt(&self, entries: &mut [AnswerEntry]) {
        let is_slow = |entry: &AnswerEntry| {
            entry.variables().iter().any(|name| self.slow.iter().any(|slow| slow == name))
        };
        let found = entries.iter_mut().filter(|entry| entry.finding == Adds::Something);
        found.filter(|entry| is_slow(entry)).for_each(|entry| entry.finding = Adds::Unclear);
    }

    /// What the shares do not show.
    pub(super) fn sentence(&self) -> String {
        let slow: Vec<&str> = self.slow.iter().map(String::as_str).collect();
        let of_slow = match slow[..] {
            [] => String::new(),
            [_] => format!(
                ", and {} changes so little from row to row that it can have a share without any effect",
                listed(&slow, MOST_NAMES)
            ),
            _ => format!(
                ", and {} change so little from row to row that they can have shares without any effect",
                listed(&slow, MOST_NAMES)
            ),
        };
        format!(
            "Neighbouring rows of the table have similar residuals (rank correlation {:.2}), as repeated \
             measurements of persons or a time series have: the intervals, which take rows to be independent, \
             are too narrow{of_slow}; {}.",
            self.correlation, self.remedy
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Subject, by_rank, in_sentences, judged};
    use wald::data::Task;

    fn about(dependent: &DependentRows) -> Subject<'_> {
        Subject {
            target: "y",
            task: Task::Regression,
            n_rows: 600,
            n_trees: 500,
            n_regrown: 0,
            sample: None,
            explained: Some(0.52),
            has_splits: true,
            n_clusters: None,
            first: &[],
            dependent: Some(dependent),
            without_groups: None,
        }
    }

    fn entry(name: &str, share: f64) -> AnswerEntry {
        AnswerEntry::new(name.to_owned(), Some(share), Some(0.01), None, (3, 600))
    }

    fn of(slow: &[&str]) -> DependentRows {
        let slow = slow.iter().map(|name| (*name).to_owned()).collect();
        DependentRows { correlation: 0.416, slow, remedy: "name clusters".to_owned() }
    }

    const FIRST: &str = "Neighbouring rows of the table have similar residuals (rank correlation 0.42), as \
                         repeated measurements of persons or a time series have: the intervals, which take \
                         rows to be independent, are too narrow";

    #[test]
    fn a_variable_that_changes_slowly_is_not_reported_to_add_anything() {
        let both = of(&["age"]);
        let mut entries = vec![entry("dose", 0.3), entry("age", 0.2), entry("noise", 0.0)];
        judged(&mut entries, false, Some(&both));
        let findings: Vec<Adds> = entries.iter().map(|entry| entry.finding).collect();
        assert_eq!(findings, [Adds::Something, Adds::Unclear, Adds::Nothing]);
        let sentences = in_sentences(&entries, about(&both));
        assert_eq!(
            sentences[0],
            "Of the variance of y, dose accounts for 0.30 [0.28, 0.32]; whether age adds anything is not clear; \
             what noise adds beyond the others is not distinguishable from zero."
        );
        let of_age = ", and age changes so little from row to row that it can have a share without any effect";
        assert_eq!(sentences[1], format!("{FIRST}{of_age}; name clusters."));
        let ranks = by_rank("Split count", &["age"], "y", true, Some(&both), "no bags");
        assert_eq!(ranks[1], sentences[1]);
    }

    #[test]
    fn groups_of_which_a_member_changes_slowly_are_in_doubt_too() {
        let both = of(&["age", "bmi"]);
        let members = vec![entry("dose", 0.1), entry("bmi", 0.1)];
        let mut entries =
            vec![entry("age", 0.2), AnswerEntry { members, ..entry("dose, bmi", 0.15) }];
        judged(&mut entries, false, Some(&both));
        let sentences = in_sentences(&entries, about(&both));
        assert_eq!(
            sentences[0],
            "The forest explains 0.52 of the variance of y; whether age and the group (dose, bmi) add anything \
             is not clear."
        );
        let of_both = ", and age and bmi change so little from row to row that they can have shares without any \
                       effect";
        assert_eq!(sentences[1], format!("{FIRST}{of_both}; name clusters."));
    }

    #[test]
    fn only_intervals_are_too_narrow_where_all_variables_change_from_row_to_row() {
        let none = of(&[]);
        let mut entries = vec![entry("dose", 0.3)];
        judged(&mut entries, false, Some(&none));
        let sentences = in_sentences(&entries, about(&none));
        assert!(sentences[0].contains("dose accounts for 0.30"), "{sentences:?}");
        assert_eq!(sentences[1], format!("{FIRST}; name clusters."));
    }
}
