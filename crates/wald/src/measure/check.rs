//! Whether a measure applies: to a forest, to its settings, its training rows and its bags.

use crate::data::{Dataset, Task};
use crate::error::Error;
use crate::forest::{Forest, ForestConfig};
use crate::loss::Loss;
use crate::measure::Measure;
use crate::measure::definition::check_loss;
use crate::message;
use crate::message::Message;
use crate::setting;

impl Measure {
    /// Why the measure cannot be computed on a forest; `Ok` if it can.
    ///
    /// ```
    /// use wald::forest::Sampling;
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Measure, MeasureId, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 3, sampling: Sampling::All, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// let refused = Measure::from(MeasureId::SobolMda).check(&forest).unwrap_err();
    /// assert!(refused.to_string().ends_with("needs out-of-bag rows, but every tree sees all rows"));
    /// assert!(Measure::from(MeasureId::Mdi).check(&forest).is_ok());
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Measure`] with the reason and what to do instead.
    pub fn check(&self, forest: &Forest) -> Result<(), Error> {
        let info = self.id.info();
        let refuse = |why: &str, help: Message| Err(Error::measure(info.id, why, help));
        let losses = match forest.task() {
            Task::Regression => info.regression_losses,
            Task::Classification => info.classification_losses,
        };
        check_loss(info.id, losses, self.settings.loss)?;
        let n_classes = forest.target().classes.as_ref().map_or(0, Vec::len);
        if self.settings.loss == Some(Loss::Auc) && n_classes != 2 {
            return refuse(
                &format!("has the loss `auc` for two classes, but the target has {n_classes}"),
                "use the loss `log`, which takes any number of classes".into(),
            );
        }
        if self.settings.per_class && n_classes == 0 {
            return refuse(
                "has values per class where the target has classes, but it is a number",
                message!("leave out ", setting::PER_CLASS),
            );
        }
        let needs = || info.needs.iter().find_map(|needs| needs.unmet(forest, &self.settings));
        let unmet = info.unmet_by_targets(forest, &self.settings).or_else(needs);
        unmet.map_or(Ok(()), |unmet| Err(unmet.refusal(info)))
    }

    /// Why the measure cannot be computed on a forest that is to be grown, as far as its settings
    /// determine; `Ok` if it can.
    ///
    /// # Errors
    /// [`Error::Measure`] with the reason and what to do instead.
    pub fn check_config(&self, config: &ForestConfig) -> Result<(), Error> {
        let info = self.id.info();
        let mut needs = info.needs.iter();
        let unmet = needs.find_map(|needs| needs.unmet_when_grown(config, &self.settings));
        unmet.map_or(Ok(()), |unmet| Err(unmet.refusal(info)))
    }

    /// Why the measure cannot be computed on training rows, whatever the forest; `Ok` if it can.
    ///
    /// # Errors
    /// [`Error::Measure`] with the reason and what to do instead.
    pub fn check_rows(&self, data: &Dataset) -> Result<(), Error> {
        let info = self.id.info();
        let unmet = info.needs.iter().find_map(|needs| needs.unmet_by_rows(data));
        unmet.map_or(Ok(()), |unmet| Err(unmet.refusal(info)))
    }

    /// Why the measure cannot be computed on a forest by the bags that it drew of these training rows;
    /// `Ok` if it can.
    ///
    /// # Errors
    /// [`Error::Measure`] with the reason and what to do instead.
    pub fn check_bags(&self, forest: &Forest, data: &Dataset) -> Result<(), Error> {
        self.check_favoured(forest.config(), || forest.favours_classes(data))
    }

    /// Why the measure cannot be computed on a forest by the bags that its settings draw of these
    /// training rows; `Ok` if it can.
    ///
    /// # Errors
    /// [`Error::Measure`] with the reason and what to do instead.
    pub fn check_draws(&self, config: &ForestConfig, data: &Dataset) -> Result<(), Error> {
        self.check_favoured(Some(config), || config.favours_classes(data))
    }

    /// Looks at bags only where the measure depends on them.
    fn check_favoured(
        &self,
        config: Option<&ForestConfig>,
        favours: impl FnOnce() -> bool,
    ) -> Result<(), Error> {
        let info = self.id.info();
        let mut needs = info.needs.iter();
        match needs.find_map(|needs| needs.unmet_by_favoured(&self.settings, config)) {
            Some(unmet) if favours() => Err(unmet.refusal(info)),
            _ => Ok(()),
        }
    }
}
