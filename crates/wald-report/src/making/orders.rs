//! Which variables come first.

use crate::making::input::Making;
use crate::making::parts::{Parts, leading};
use wald::Importance;

/// Orders of the variables, as places among the values of measures.
#[derive(Debug)]
pub(super) struct Orders {
    /// By decreasing importance by the measure that the report leads with.
    pub(super) lead: Vec<usize>,
    /// By the best rank that any measure of the report gives them. The leading measure alone may put
    /// irrelevant variables above those that others can replace.
    prominent: Vec<usize>,
}

impl Orders {
    pub(super) fn new(input: &Making<'_>, lead: usize) -> Self {
        let rankings: Vec<Vec<usize>> =
            input.study.measured.importances.iter().map(Importance::order).collect();
        let n_variables = input.study.measured.groups.n_groups();
        let lead = rankings.get(lead).cloned().unwrap_or_else(|| (0..n_variables).collect());
        let mut best = vec![usize::MAX; n_variables];
        for ranking in &rankings {
            ranking.iter().enumerate().for_each(|(rank, &at)| best[at] = best[at].min(rank));
        }
        let mut prominent = lead.clone();
        prominent.sort_by_key(|&at| best[at]);
        Self { lead, prominent }
    }

    /// The `n` most prominent variables, in the order of the leading measure.
    pub(super) fn first(&self, n: usize) -> Vec<usize> {
        let mut is_first = vec![false; self.lead.len()];
        self.prominent.iter().take(n).for_each(|&at| is_first[at] = true);
        self.lead.iter().copied().filter(|&at| is_first[at]).collect()
    }
}

/// Orders by the measure that leads.
pub(super) fn orders(input: &Making<'_>, parts: &Parts) -> Orders {
    Orders::new(input, leading(parts, &input.study.measures))
}
