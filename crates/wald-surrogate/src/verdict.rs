//! Which importances to believe: those of the forest of the runs, or of a sample of the process.

use serde::Serialize;
use wald::words::percent;
use wald_gp::Judgement;

/// From this share of explained variance on, a process is believed.
const LEAST_EXPLAINED: f64 = 0.8;

/// Leave-one-out predictions, whose lengths and noise were fitted to all runs, may explain this much
/// more than those of processes that were fitted without the runs.
const MOST_OPTIMISM: f64 = 0.06;

/// Below this share of explained variance, no importance is to be believed.
const HARDLY_ANY: f64 = 0.5;

/// The way from runs to importances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// A forest of the runs.
    Direct,
    /// A process of the runs, a large sample of it, and the forest of that.
    TwoStep,
    /// None: runs are too few, or have too much noise.
    Neither,
}

impl Way {
    /// The advice as a sentence.
    pub fn advice(self) -> &'static str {
        match self {
            Self::TwoStep => "Believe the two steps, not the forest of the runs",
            Self::Direct => "Believe the forest of the runs, not the two steps",
            Self::Neither => "Believe neither the two steps nor the forest of the runs",
        }
    }
}

/// Shares of the variance of the output that are explained.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Explained {
    /// By the process, leaving out one run at a time with lengths and noise of all runs.
    pub leave_one_out: f64,
    /// By processes that were fitted, lengths and noise included, without a tenth of the runs.
    pub cross_validated: f64,
    /// By the forest of the runs, out of bag.
    pub forest: Option<f64>,
}

/// Which way to believe, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// The way to believe; others are doubtful.
    pub believed: Way,
    /// One sentence, without a final full stop.
    pub reason: String,
}

impl Verdict {
    /// A process is believed if it explains 80 % of the variance of runs that it was not fitted to, no
    /// less than the forest, and if its closed-form leave-one-out predictions are not much better than
    /// that: otherwise its lengths depend on single runs.
    pub(crate) fn of(explained: &Explained) -> Self {
        let Explained { leave_one_out, cross_validated, forest } = *explained;
        let percent = |share: f64| percent(share.max(0.0));
        let of_process = percent(cross_validated);
        let forest_share = forest.unwrap_or(0.0);
        let of_forest = forest
            .map_or_else(|| "a share that is not known (no row is out of bag)".to_owned(), percent);
        let found = if cross_validated < LEAST_EXPLAINED {
            Err(format!(
                "the process explains {of_process} of the variance of runs that it was not fitted to; \
                 80 % are needed"
            ))
        } else if leave_one_out - cross_validated > MOST_OPTIMISM {
            Err(format!(
                "the process depends on single runs: it explains {} of the variance if only the \
                 prediction leaves out a run, but {of_process} if the fit does so too",
                percent(leave_one_out)
            ))
        } else if forest_share > cross_validated {
            Err(format!(
                "the forest explains more of the variance, {of_forest}, than the process, {of_process}"
            ))
        } else {
            Ok(format!(
                "the process explains {of_process} of the variance of runs that it was not fitted to, \
                 the forest of the runs {of_forest}"
            ))
        };
        match found {
            Ok(reason) => Self { believed: Way::TwoStep, reason },
            Err(reason) if forest_share < HARDLY_ANY.max(cross_validated) => {
                let nearer = if cross_validated > forest_share.max(0.0) {
                    "; of the two, the two steps are nearer"
                } else {
                    ""
                };
                Self {
                    believed: Way::Neither,
                    reason: format!(
                        "{reason}; the forest of the runs explains {of_forest}; more runs, or runs with \
                         less noise, are needed{nearer}"
                    ),
                }
            }
            Err(reason) => Self {
                believed: Way::Direct,
                reason: if forest_share > cross_validated && cross_validated < LEAST_EXPLAINED {
                    format!("{reason}; the forest of the runs explains {of_forest}")
                } else {
                    reason
                },
            },
        }
    }
}

impl Verdict {
    /// The same of a sample whose inputs come from a law that was estimated from the runs: the reader is not to
    /// take intervals around two steps for those of all errors.
    pub(crate) fn of_estimated_law(self) -> Self {
        match self.believed {
            Way::TwoStep => Self {
                reason: format!(
                    "{}; intervals leave out the error of the law of inputs, which is estimated from the runs",
                    self.reason
                ),
                ..self
            },
            Way::Direct | Way::Neither => self,
        }
    }
}

/// All judgements of a process.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// Shares of variance.
    pub explained: Explained,
    /// Predictive variance adequacy of leave-one-out predictions, 0 where perfect.
    pub pva: f64,
    /// Integrated absolute error of the coverage of leave-one-out intervals, 0 where perfect.
    pub iae_alpha: f64,
    /// Which way to believe.
    pub verdict: Verdict,
}

impl Judged {
    pub(crate) fn new(judgement: &Judgement, cross_validated: f64, forest: Option<f64>) -> Self {
        let explained = Explained { leave_one_out: judgement.q2, cross_validated, forest };
        Self {
            explained,
            pva: judgement.pva,
            iae_alpha: judgement.iae_alpha,
            verdict: Verdict::of(&explained),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn believed(leave_one_out: f64, cross_validated: f64, forest: f64) -> Way {
        Verdict::of(&Explained { leave_one_out, cross_validated, forest: Some(forest) }).believed
    }

    #[test]
    fn a_process_is_believed_where_it_predicts_runs_it_was_not_fitted_to() {
        assert_eq!(believed(0.95, 0.93, 0.6), Way::TwoStep);
        assert_eq!(believed(0.82, 0.79, 0.8), Way::Direct, "too little is explained");
        assert_eq!(believed(0.91, 0.81, 0.9), Way::Direct, "lengths depend on single runs");
        assert_eq!(believed(0.90, 0.88, 0.95), Way::Direct, "the forest is better");
    }

    #[test]
    fn a_forest_that_explains_less_than_a_process_is_not_believed_in_its_place() {
        assert_eq!(believed(0.70, 0.68, 0.55), Way::Neither);
        assert_eq!(believed(0.91, 0.81, 0.6), Way::Neither);
        let explained = Explained { leave_one_out: 0.7, cross_validated: 0.68, forest: Some(0.55) };
        let reason = Verdict::of(&explained).reason;
        assert!(reason.contains("the forest of the runs explains 55 %"), "{reason}");
        assert!(reason.ends_with("the two steps are nearer"), "{reason}");
    }

    #[test]
    fn an_estimated_law_is_named_where_its_sample_is_believed() {
        let of = |cross_validated| {
            let explained =
                Explained { leave_one_out: cross_validated, cross_validated, forest: Some(0.6) };
            (Verdict::of(&explained), Verdict::of(&explained).of_estimated_law())
        };
        let (of_law, estimated) = of(0.93);
        assert_eq!(estimated.believed, Way::TwoStep);
        assert!(!of_law.reason.contains("law of inputs"), "{of_law:?}");
        assert!(estimated.reason.contains("the error of the law of inputs"), "{estimated:?}");
        let (of_law, estimated) = of(0.3);
        assert_eq!(of_law, estimated, "its intervals are not believed anyway");
    }

    #[test]
    fn the_reader_learns_where_both_are_doubtful() {
        let explained = |forest| Explained { leave_one_out: 0.3, cross_validated: 0.2, forest };
        assert_eq!(Verdict::of(&explained(Some(0.3))).believed, Way::Neither);
        assert_eq!(Verdict::of(&explained(None)).believed, Way::Neither);
        assert_eq!(Verdict::of(&explained(Some(0.7))).believed, Way::Direct);
    }
}
