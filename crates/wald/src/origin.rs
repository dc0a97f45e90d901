//! Where the trees come from.

use std::sync::Arc;

use crate::data::Dataset;
use crate::error::Error;
use crate::fitted::Fitted;
use crate::forest::{Forest, ForestConfig, Keep};
use crate::measure::{Measure, MeasureId, Requirement};
use crate::memory::Size;
use crate::pass::Measured;
use crate::run::{Run, Threads};

/// A forest that is yet to be grown, or one that exists.
#[derive(Debug, Clone, Copy)]
pub enum Origin<'a> {
    /// The settings of a forest that is yet to be grown.
    Settings(&'a ForestConfig),
    /// A forest that exists.
    Forest(&'a Arc<Forest>),
    /// A forest that exists, with its training data and their ranks.
    Fitted(&'a Arc<Fitted>),
}

impl<'a> Origin<'a> {
    /// The forest, where it exists.
    pub fn forest(self) -> Option<&'a Arc<Forest>> {
        match self {
            Self::Settings(_) => None,
            Self::Forest(forest) => Some(forest),
            Self::Fitted(fitted) => Some(fitted.forest()),
        }
    }

    /// How it is, or was, grown; `None` for a forest of another program.
    pub fn config(self) -> Option<&'a ForestConfig> {
        match self {
            Self::Settings(config) => Some(config),
            Self::Forest(_) | Self::Fitted(_) => self.forest()?.config(),
        }
    }

    /// Number of trees.
    pub fn n_trees(self) -> usize {
        match self {
            Self::Settings(config) => config.n_trees,
            Self::Forest(_) | Self::Fitted(_) => {
                self.forest().map_or(0, |forest| forest.trees().len())
            }
        }
    }

    /// Whether a measure applies to a forest of these training rows, as far as that is known before
    /// it is grown.
    ///
    /// # Errors
    /// As [`Measure::check_rows`], [`Measure::check_config`] or [`Measure::check`], and
    /// [`Measure::check_draws`] or [`Measure::check_bags`].
    pub fn check(self, measure: &Measure, data: &Dataset) -> Result<(), Error> {
        measure.check_rows(data)?;
        match self {
            Self::Settings(config) => {
                measure.check_config(config)?;
                measure.check_draws(config, data)
            }
            Self::Forest(forest) => {
                measure.check(forest)?;
                measure.check_bags(forest, data)
            }
            Self::Fitted(fitted) => fitted.check(measure),
        }
    }

    /// The measures that apply to a forest of these training rows with their default settings.
    pub fn allowed(self, data: &Dataset) -> Vec<MeasureId> {
        let mut allowed = match self {
            Self::Settings(config) => MeasureId::allowed_when_grown(config),
            Self::Forest(forest) => MeasureId::allowed_by(forest),
            Self::Fitted(fitted) => MeasureId::allowed_by(fitted.forest()),
        };
        let favours = match self.forest() {
            Some(forest) => forest.favours_classes(data),
            None => self.config().is_some_and(|config| config.favours_classes(data)),
        };
        let needs_fair = |id: MeasureId| id.info().needs.contains(&Requirement::SharesOfClasses);
        allowed.retain(|&id| Measure::from(id).check_rows(data).is_ok());
        allowed.retain(|&id| !(favours && needs_fair(id)));
        allowed
    }

    /// The memory that measuring takes, with growing where that is yet to be done. Trees are kept
    /// only as far as the measures need them.
    ///
    /// # Errors
    /// As [`Size::of_growing`].
    pub fn size(
        self,
        data: &Dataset,
        measures: &[Measure],
        threads: Threads,
    ) -> Result<Size, Error> {
        match self {
            Self::Settings(config) => {
                Size::of_growing(data, config, measures, Keep::Nothing, threads)
            }
            Self::Forest(forest) => Ok(Size::of_measuring(forest, data, measures, threads)),
            Self::Fitted(fitted) => {
                Ok(Size::of_measuring(fitted.forest(), data, measures, threads))
            }
        }
    }

    /// Measures the variables, and grows the forest before where it does not exist. It is returned
    /// unless it was grown and [`Keep::Nothing`] was asked for.
    ///
    /// # Errors
    /// As [`Forest::grow_and_measure`] and [`Forest::measure`].
    pub fn measure(
        self,
        data: &Arc<Dataset>,
        measures: &[Measure],
        keep: Keep,
        run: &Run,
    ) -> Result<(Measured, Option<Arc<Fitted>>), Error> {
        let fitted = match self {
            Self::Settings(config) if keep == Keep::Trees => {
                let (fitted, measured) = Fitted::grow(Arc::clone(data), config, measures, run)?;
                return Ok((measured, Some(Arc::new(fitted))));
            }
            Self::Settings(config) => {
                let grown = Forest::grow_and_measure(data, config, measures, keep, run)?;
                return Ok((grown.measured, None));
            }
            Self::Forest(forest) => {
                Arc::new(Fitted::new(Arc::clone(forest), Arc::clone(data), run)?)
            }
            Self::Fitted(fitted) => Arc::clone(fitted),
        };
        Ok((fitted.measure(measures, run)?, Some(fitted)))
    }
}
