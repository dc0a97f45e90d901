//! The measures that take others apart, and the terms made of them.

use wald::Error;
use wald::Importance;
use wald::data::Dataset;
use wald::forest::{Forest, Impurity};
use wald::measure::{Measure, MeasureId, MeasureSettings};
use wald::work::{Term as TermOf, response_variance};

/// A number with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Term {
    pub(super) value: f64,
    pub(super) error: f64,
}

impl Term {
    fn scaled(self, factor: f64) -> Self {
        Self { value: factor * self.value, error: factor * self.error }
    }

    /// Errors that go together make that of the difference smaller than this.
    fn minus(self, other: Self) -> Self {
        Self { value: self.value - other.value, error: self.error.hypot(other.error) }
    }
}

/// One measure by variable, with the standard errors that are known.
#[derive(Debug, Clone)]
pub(super) struct Values<'a> {
    pub(super) importance: &'a Importance,
    /// Over trees and samples of rows; `None` for those over trees alone.
    pub(super) errors: Option<&'a [Option<f64>]>,
}

impl Values<'_> {
    fn term(&self, at: usize) -> Option<Term> {
        let errors = self.errors.or(self.importance.standard_errors.as_deref())?;
        Some(Term { value: self.importance.values[at]?, error: errors[at]? })
    }
}

/// What a measure is in formulas that take other measures apart.
pub(super) fn term_of(id: MeasureId) -> Option<TermOf> {
    id.info().facts.term
}

/// What was measured of these; those that do not apply are missing.
#[derive(Debug, Clone)]
pub(super) struct Terms<'a> {
    pub(super) mdi: Option<Values<'a>>,
    pub(super) mdi_oob: Option<Values<'a>>,
    pub(super) breiman_cutler: Option<Values<'a>>,
    pub(super) ishwaran_kogalur: Option<Values<'a>>,
    pub(super) sobol_mda: Option<Values<'a>>,
    /// Of the target, divisor n.
    impurity: f64,
    /// Of the target, divisor n - 1.
    variance: f64,
    /// Independent rows, or clusters of them, that errors over samples of rows are from.
    units_of_samples: Option<usize>,
}

/// The three terms of the permutation importance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Parts {
    pub(super) total_sobol: Term,
    pub(super) full_total_sobol: Term,
    pub(super) third: Term,
}

/// The measures that terms are made of, with the settings that terms need: variance or Gini, and the
/// squared loss.
pub(super) fn needed(forest: &Forest) -> Result<Vec<Measure>, Error> {
    // Out-of-bag decreases of entropy are not defined.
    let impurity = (forest.impurity() == Impurity::Entropy).then_some(Impurity::Gini);
    // The nodes of other losses do not tell how much their splits decrease the variance.
    let is_other = matches!(forest.impurity(), Impurity::Poisson | Impurity::AbsoluteError);
    let settings = |id| match term_of(id)? {
        TermOf::InBag if is_other => None,
        TermOf::InBag | TermOf::OutOfBag => {
            Some(MeasureSettings { impurity, ..MeasureSettings::default() })
        }
        _ => Some(MeasureSettings::default()),
    };
    let all = MeasureId::ALL.iter();
    all.filter_map(|&id| Some(Measure::new(id, settings(id)?))).collect()
}

impl<'a> Terms<'a> {
    /// Sorts out what was measured.
    pub(super) fn new(
        data: &Dataset,
        found: &[(&'a Measure, Values<'a>)],
        needed: &[Measure],
        units_of_samples: Option<usize>,
    ) -> Self {
        let of = |term: TermOf| {
            let wanted = needed.iter().find(|measure| term_of(measure.id()) == Some(term))?;
            let values = found.iter().find(|(measure, _)| is_same(measure, wanted))?;
            Some(values.1.clone())
        };
        let n = data.rows_of_positive_weight().len() as f64;
        let impurity = response_variance(data);
        Self {
            mdi: of(TermOf::InBag),
            mdi_oob: of(TermOf::OutOfBag),
            breiman_cutler: of(TermOf::ErrorOfTrees),
            ishwaran_kogalur: of(TermOf::ErrorOfForest),
            sobol_mda: of(TermOf::TotalSobol),
            impurity,
            variance: impurity * n / (n - 1.0).max(1.0),
            units_of_samples,
        }
    }

    /// Share of the target's impurity.
    pub(super) fn in_bag(&self, at: usize) -> Option<Term> {
        self.share(self.mdi.as_ref(), at)
    }

    /// Share of the target's impurity.
    pub(super) fn out_of_bag(&self, at: usize) -> Option<Term> {
        self.share(self.mdi_oob.as_ref(), at)
    }

    fn share(&self, values: Option<&Values<'_>>, at: usize) -> Option<Term> {
        let term = values?.term(at)?;
        (self.impurity > 0.0).then(|| term.scaled(1.0 / self.impurity))
    }

    /// Share of the target's variance.
    pub(super) fn total_sobol(&self, at: usize) -> Option<Term> {
        self.sobol_mda.as_ref()?.term(at)
    }

    /// Bénard et al. 2022, Proposition 2 and Remark 1, in shares of the target's variance.
    pub(super) fn decomposition(&self, at: usize) -> Option<Parts> {
        if self.variance <= 0.0 {
            return None;
        }
        let share =
            |values: Option<&Values<'_>>| Some(values?.term(at)?.scaled(1.0 / self.variance));
        let of_trees = share(self.breiman_cutler.as_ref())?;
        let of_forest = share(self.ishwaran_kogalur.as_ref())?;
        let total_sobol = self.total_sobol(at)?;
        Some(Parts {
            total_sobol,
            full_total_sobol: of_trees.minus(of_forest),
            third: of_forest.minus(total_sobol),
        })
    }

    /// Independent units that errors are from: those of trees alone count as those of many.
    pub(super) fn n_units(&self) -> usize {
        self.units_of_samples.unwrap_or(usize::MAX)
    }

    pub(super) fn about_errors(&self) -> &'static str {
        if self.units_of_samples.is_some() {
            "Errors are those of a finite number of trees and those of the rows in the table together."
        } else {
            "Errors are those of a finite number of trees only: other rows of the same population may \
             give other ranks."
        }
    }

    /// What the terms are.
    pub(super) fn about(&self) -> Vec<String> {
        let mut about = Vec::new();
        if self.mdi.is_some() && self.mdi_oob.is_some() {
            about.push(
                "In-bag against out-of-bag: the decrease in impurity at the splits on a variable in the \
                 rows a tree was grown on (mdi) and in those it has not seen (mdi_oob; Li et al. 2019), \
                 in shares of the target's impurity."
                    .to_owned(),
            );
        }
        if let (Some(_), Some(of_forest), Some(_)) =
            (&self.breiman_cutler, &self.ishwaran_kogalur, &self.sobol_mda)
        {
            let from = sample(of_forest.importance)
                .map_or(String::new(), |sample| format!(" Ishwaran-Kogalur is computed {sample}."));
            about.push(format!(
                "The permutation importance of Breiman and Cutler tends to the sum of three terms (Bénard, \
                 Da Veiga & Scornet 2022, Proposition 2), here in shares of the target's variance: the \
                 total Sobol index (Sobol-MDA), the full total Sobol index (Breiman-Cutler minus \
                 Ishwaran-Kogalur; strongly biased, because trees err more than forests) and a third term \
                 without meaning for rankings (Ishwaran-Kogalur minus Sobol-MDA), which is zero in the \
                 limit where variables are independent or the target is a sum of functions of single \
                 variables.{from}"
            ));
        }
        about
    }
}

/// The rows and trees that a measure was computed from, in words that begin with "from"; `None` for all.
pub(super) fn sample(importance: &Importance) -> Option<&str> {
    importance.notes.iter().map(String::as_str).find(|note| note.starts_with("from "))
}

/// Whether measures estimate the same values: seeds do not matter to exact ones, and part of a forest
/// stands for all of it.
pub(super) fn is_same(one: &Measure, other: &Measure) -> bool {
    let settings = |measure: &Measure| MeasureSettings {
        seed: 0,
        per_class: false,
        by_degree: false,
        second_order: false,
        part: None,
        ..measure.settings().clone()
    };
    one.id() == other.id() && settings(one) == settings(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::measure::Part;

    /// Else a report would measure all of a forest again beside the part that it shows.
    #[test]
    fn part_of_a_forest_stands_for_all_of_it() {
        let measure = |id| Measure::new(id, MeasureSettings::default()).expect("defaults");
        let whole = measure(MeasureId::MdaBreimanCutler);
        let part = whole.with_part(Part { n_trees: 30, n_rows: 100 });
        assert!(part != whole && is_same(&part, &whole));
        assert!(!is_same(&part, &measure(MeasureId::SobolMda)));
    }
}
