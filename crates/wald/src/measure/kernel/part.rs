//! Some of the trees and rows of a forest, which stand for all of them.

use crate::forest::Placement;
use crate::importance::Importance;
use crate::measure::definition::{MeasureSettings, Part};
use crate::pass::{Fold, Outcome, Subject, TreeView};
use crate::random::{Purpose, Stream};
use crate::words::thousands;

/// The part of one forest.
#[derive(Debug, Clone)]
pub(crate) struct Taken {
    pub(crate) n_trees: usize,
    pub(crate) of_trees: usize,
    pub(crate) n_rows: usize,
    pub(crate) of_rows: usize,
    /// Empty where all rows are taken.
    includes: Vec<bool>,
}

impl Taken {
    /// `None` where the part is all of the forest.
    pub(crate) fn of(settings: &MeasureSettings, subject: Subject<'_>) -> Option<Self> {
        let part = settings.part?;
        let (of_trees, of_rows) = (subject.n_trees, subject.training.n_rows());
        let (n_trees, n_rows) = (part.n_trees.min(of_trees), part.n_rows.min(of_rows));
        if (n_trees, n_rows) == (of_trees, of_rows) {
            return None;
        }
        let mut includes = Vec::new();
        if n_rows < of_rows {
            let mut rows: Vec<u32> = (0..of_rows as u32).collect();
            Stream::new(settings.seed, 0, Purpose::PartOfRows).shuffle(&mut rows);
            includes.resize(of_rows, false);
            rows[..n_rows].iter().for_each(|&row| includes[row as usize] = true);
        }
        Some(Self { n_trees, of_trees, n_rows, of_rows, includes })
    }

    /// The same for a measure that always looks at all rows of a tree.
    pub(crate) fn of_trees(settings: &MeasureSettings, subject: Subject<'_>) -> Option<Self> {
        let part = settings.part.map(|part| Part { n_rows: usize::MAX, ..part });
        Self::of(
            &MeasureSettings { part, seed: settings.seed, ..MeasureSettings::default() },
            subject,
        )
    }

    /// Whether a tree is looked at.
    pub(crate) fn has_tree(&self, index: usize) -> bool {
        index < self.n_trees
    }

    /// Whether a row is looked at.
    pub(crate) fn has_row(&self, row: usize) -> bool {
        self.includes.is_empty() || self.includes[row]
    }

    /// The out-of-bag rows that are looked at, in a tree; `None` where these are all.
    pub(crate) fn placed(&self, view: &TreeView<'_>) -> Option<Placement> {
        if self.includes.is_empty() {
            return None;
        }
        let mut placement = Placement::default();
        let rows = view.out_of_bag.all().iter().copied();
        placement.place(&view.router(), rows.filter(|&row| self.includes[row as usize]));
        Some(placement)
    }

    /// In words that follow "from".
    pub(crate) fn words(&self) -> String {
        in_words(self.n_rows, self.of_rows, self.n_trees, self.of_trees)
    }
}

/// A measure of some of the trees: a mean over them, or that of the forest that they make.
#[derive(Debug)]
pub(crate) struct SomeTrees<F> {
    pub(crate) fold: F,
    pub(crate) taken: Taken,
}

impl<F: Fold> Fold for SomeTrees<F> {
    type Part = Option<F::Part>;
    type Total = F::Total;

    fn tree(&self, view: &TreeView<'_>) -> Self::Part {
        self.taken.has_tree(view.index).then(|| self.fold.tree(view))
    }

    fn fits(&self, tree: usize, part: &Self::Part) -> bool {
        part.as_ref().is_none_or(|part| self.fold.fits(tree, part))
    }

    fn merge(&self, total: &mut Self::Total, part: Self::Part) {
        if let Some(part) = part {
            self.fold.merge(total, part);
        }
    }

    fn finish(&self, total: Self::Total, outcome: Outcome<'_>) -> Importance {
        let mut found = self.fold.finish(total, outcome);
        found.notes.insert(0, format!("from {}", self.taken.words()));
        found
    }
}

/// Which rows and trees, as "20,000 of 53,940 rows, 150 of 500 trees".
fn in_words(n_rows: usize, of_rows: usize, n_trees: usize, of_trees: usize) -> String {
    let of = |some: usize, all: usize, what: &str| {
        if some == all {
            format!("all {} {what}", thousands(all))
        } else {
            format!("{} of {} {what}", thousands(some), thousands(all))
        }
    };
    format!("{}, {}", of(n_rows, of_rows, "rows"), of(n_trees, of_trees, "trees"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_trees_are_counted_in_words() {
        assert_eq!(in_words(20_000, 53_940, 150, 500), "20,000 of 53,940 rows, 150 of 500 trees");
        assert_eq!(in_words(999, 999, 20, 1_000_000), "all 999 rows, 20 of 1,000,000 trees");
    }
}
