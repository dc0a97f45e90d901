//! Partial dependence: Friedman 2001.

use crate::error::Error;
use crate::explain::curves::Curves;
use crate::explain::{
    ExplanationInfo, ExplanationOption, ExplanationSettings, Layout, Local, Sink, ToExplain,
    UNITS_OF_PREDICTION,
};
use crate::measure::references::FRIEDMAN_2001;
use crate::run::Run;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "pdp",
    name: "Partial dependence",
    estimand: "The mean prediction over the rows as a function of one variable, set to the same \
               value in all rows, with the others fixed",
    caveat: "With dependent variables, other values may not occur together with the rest of a \
             row, and the curve is an extrapolation there; a flat mean may hide opposite effects \
             in different rows, which ice shows",
    unit: UNITS_OF_PREDICTION,
    source: "Friedman 2001, section 8.2",
    references: &[FRIEDMAN_2001],
    cost: "a few passes of the rows through the forest for all variables together, and the size of \
           the grid for every row",
    options: &[ExplanationOption::Variables, ExplanationOption::OutOfBag, ExplanationOption::Grid],
    regression_losses: &[],
    classification_losses: &[],
};

struct Pdp<'a>(Curves<'a>);

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    Ok(Box::new(Pdp(Curves::new(INFO.id, settings, subject, true)?)))
}

impl Local for Pdp<'_> {
    fn layout(&self) -> &Layout {
        self.0.layout()
    }

    fn run(&self, run: &Run, each: Sink<'_>) -> Result<(), Error> {
        let mut sums = vec![0.0; self.layout().n_values()];
        let mut total = 0.0;
        self.0.run(run, |row, values| {
            let weight = self.0.weight(row);
            // Rows that no tree explains, and rows that do not count.
            if weight == 0.0 || values.first().is_some_and(|value| value.is_nan()) {
                return;
            }
            total += weight;
            sums.iter_mut().zip(&values).for_each(|(sum, value)| *sum += weight * value);
        })?;
        sums.iter_mut().for_each(|sum| *sum /= total);
        each(0, &sums);
        Ok(())
    }
}
