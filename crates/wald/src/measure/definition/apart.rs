//! Settings that take values apart: by class, by degree of interaction, or by pair of variables.

use crate::error::Error;
use crate::measure::{Measure, MeasureSettings};
use crate::message;
use crate::message::{Procedure, Setting};
use crate::setting;

impl MeasureSettings {
    /// The setting that takes values apart, where one is given.
    ///
    /// ```
    /// use wald::measure::MeasureSettings;
    /// use wald::setting;
    ///
    /// let settings = MeasureSettings { by_degree: true, ..MeasureSettings::default() };
    /// assert_eq!(settings.taken_apart_by(), Some(setting::BY_DEGREE));
    /// assert_eq!(MeasureSettings::default().taken_apart_by(), None);
    /// ```
    pub fn taken_apart_by(&self) -> Option<Setting> {
        let given = [
            (self.per_class, setting::PER_CLASS),
            (self.by_degree, setting::BY_DEGREE),
            (self.second_order, setting::SECOND_ORDER),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, setting)| setting)
    }
}

impl Measure {
    /// Refuses what takes values apart, where a result has one value for every variable.
    pub(crate) fn refuse_apart(&self) -> Result<(), Error> {
        let Some(setting) = self.settings().taken_apart_by() else { return Ok(()) };
        let help = message!(
            "leave out ",
            setting,
            "; ",
            Procedure::new("importance"),
            " shows what it adds"
        );
        let why = message!("is given ", setting, ", but here every variable has one value");
        Err(Error::measure(self.id().info().id, why, help))
    }
}
