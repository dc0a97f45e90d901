//! Individual conditional expectation: Goldstein, Kapelner, Bleich & Pitkin 2015.

use crate::error::Error;
use crate::explain::curves::Curves;
use crate::explain::{
    ExplanationInfo, ExplanationOption, ExplanationSettings, Layout, Local, Sink, ToExplain,
    UNITS_OF_PREDICTION,
};
use crate::measure::references::GOLDSTEIN_2015;
use crate::run::Run;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "ice",
    name: "Individual conditional expectation curves",
    estimand: "The prediction for a row as a function of one of its variables, with the others \
               fixed: a step function",
    caveat: "With dependent variables, other values may not occur together with the rest of the \
             row, and the curve is an extrapolation there",
    unit: UNITS_OF_PREDICTION,
    source: "Goldstein, Kapelner, Bleich & Pitkin 2015",
    references: &[GOLDSTEIN_2015],
    cost: "a few passes of the rows through the forest for all variables together, and the numbers \
           written",
    options: &[ExplanationOption::Variables, ExplanationOption::OutOfBag, ExplanationOption::Grid],
    regression_losses: &[],
    classification_losses: &[],
};

struct Ice<'a>(Curves<'a>);

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    Ok(Box::new(Ice(Curves::new(INFO.id, settings, subject, false)?)))
}

impl Local for Ice<'_> {
    fn layout(&self) -> &Layout {
        self.0.layout()
    }

    fn run(&self, run: &Run, each: Sink<'_>) -> Result<(), Error> {
        self.0.run(run, |row, values| each(row, &values))
    }
}
