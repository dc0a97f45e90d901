//! p-values by shadows, which are irrelevant and compete with the variables in the same forest.

use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::fingerprint::of_work;
use crate::forest::{ForestConfig, Keep};
use crate::importance::Importance;
use crate::inference::clusters::refuse_clusters;
use crate::inference::observed::Observed;
use crate::inference::shadow_null::Draws;
use crate::inference::tested::Tested;
use crate::measure::{ColumnType, Measure};
use crate::measuring::Ground;
use crate::memory::Size;
use crate::parts::divided;
use crate::random::{Purpose, Stream};
use crate::run::{Run, Threads};
use crate::{message, setting};

/// With fewer draws, the spread of shadows is hardly known.
const FEWEST_DRAWS: u32 = 5;

/// More draws than this are a mistake.
const MOST_DRAWS: u32 = 100_000;

/// How often shadows are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShadowDraws {
    /// Forests on the variables and their shadows, which show other rows in each.
    pub draws: u32,
}

impl Default for ShadowDraws {
    fn default() -> Self {
        Self { draws: 40 }
    }
}

impl ShadowDraws {
    /// Checks ranges.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range.
    pub fn validate(self) -> Result<(), Error> {
        Self::draws_of(self.draws as usize).map(drop)
    }

    /// So many draws, as they are kept.
    ///
    /// # Errors
    /// [`Error::Setting`] for a number outside its range.
    pub(super) fn draws_of(wanted: usize) -> Result<u32, Error> {
        let kept = u32::try_from(wanted).ok().filter(|n| (FEWEST_DRAWS..=MOST_DRAWS).contains(n));
        kept.ok_or_else(|| {
            Error::bad_setting(
                setting::NULL_FORESTS,
                message!(setting::NULL_FORESTS.name(), " is ", wanted),
                format!("give at least {FEWEST_DRAWS}, and at most {MOST_DRAWS}; 40 are usual"),
            )
        })
    }

    /// What a forest on variables and shadows holds in memory.
    ///
    /// # Errors
    /// As growing it.
    pub fn size(
        self,
        data: &Dataset,
        config: &ForestConfig,
        measures: &[Measure],
        threads: Threads,
    ) -> Result<Size, Error> {
        let forests = ShadowForests::new(data, config)?;
        let both = data.with_common_shadows(&(0..data.n_rows() as u32).collect::<Vec<_>>())?;
        Size::of_growing(&both, &forests.config, measures, Keep::Nothing, threads)
    }
}

/// Tests for every variable and measure whether it is more important than shadows of variables of
/// its type (numbers by distinct values, levels by their number; `air` uses the same types).
///
/// Every draw permutes the rows of positive weight once. The shadow of a variable shows its cells in the
/// permuted rows, so that it has the same distribution, and shadows depend on each other as the variables do, but
/// on the response by chance only. Variables and shadows are candidates of one forest, which tries
/// as many of them at a node as the forest without shadows. A variable that is independent of the
/// response and of all other variables is exchangeable with its shadow. Its importance in the first
/// draw, where it is as uncertain as that of a shadow, is measured in standard deviations of its own
/// shadows in the other draws from their mean; so is the importance of every shadow. The p-value counts
/// how many shadows of variables of the type lie as far up. So neither mean nor scale of any null
/// importance is assumed, only that those of one type have the same shape; a group of columns has its
/// own shadows only.
///
/// A rejected hypothesis means that the variable is associated with the response, alone or through
/// variables that it depends on. After the all-relevant idea of Kursa & Rudnicki 2010 and the
/// shadows of Nembrini, König & Wright 2018; comparing by rank, not by a binomial test of draws,
/// because draws share the data and are not independent.
///
/// Cost: every draw that of a forest of twice as many variables and its measures.
///
/// # Errors
/// [`Error::Setting`] (a subspace, too), [`Error::Data`] (rows in clusters are not exchangeable),
/// [`Error::Measure`], and [`Error::Cancelled`].
pub fn shadow_test(
    data: &Dataset,
    config: &ForestConfig,
    observed: Observed<'_>,
    settings: ShadowDraws,
    run: &Run,
) -> Result<Vec<Tested>, Error> {
    let Observed { measures, importances: observed } = observed;
    settings.validate()?;
    let forests = ShadowForests::new(data, config)?;
    let types = ColumnType::of_groups(&Training::of(data, run.threads), data.groups());
    let mut draws: Vec<Draws> = observed.iter().map(|_| Draws::new(types.len())).collect();
    let shared = &run.doing(|| of_work(data, measures, format!("shadows {config:?}").as_bytes()));
    divided(
        settings.draws as usize,
        shared,
        |_, found: &Vec<Vec<Option<f64>>>| {
            found.len() == measures.len() && found.iter().all(|of| of.len() == 2 * types.len())
        },
        |units, found| {
            run.progress.start(units.len());
            for index in units {
                let drawn = forests.draw(index, measures, &run.part())?;
                found(index, drawn.into_iter().map(|drawn| drawn.values).collect());
                run.progress.advance();
            }
            Ok(())
        },
        |_, found| {
            for ((draws, measure), values) in draws.iter_mut().zip(measures).zip(found) {
                draws.add(&values, measure.id().info().small_is_important);
            }
        },
    )?;
    let tested = |((measure, draws), observed): ((&Measure, &Draws), &Importance)| {
        let mut found = draws.p_values(&types);
        for (index, value) in observed.values.iter().enumerate().filter(|(_, v)| v.is_none()) {
            found.p_values[index] = *value;
        }
        Tested {
            id: measure.id().info().id,
            p_values: found.p_values,
            null_sizes: found.null_sizes,
            notes: found.notes,
        }
    };
    Ok(measures.iter().zip(&draws).zip(observed).map(tested).collect())
}

/// Forests on the variables and their shadows.
#[derive(Debug)]
pub(super) struct ShadowForests<'a> {
    data: &'a Dataset,
    /// Tries as many variables at a node as without shadows.
    config: ForestConfig,
}

impl<'a> ShadowForests<'a> {
    /// # Errors
    /// [`Error::Setting`] for settings that do not fit and for a subspace, [`Error::Data`] for rows in
    /// clusters, which are not exchangeable.
    pub(super) fn new(data: &'a Dataset, config: &ForestConfig) -> Result<Self, Error> {
        let mtry = Some(config.resolve(data)?.mtry);
        if config.subspace.is_some() {
            return Err(Error::bad_setting(
                setting::SUBSPACE,
                "shadows were requested, but each tree uses a subspace of the variables",
                message!(
                    "leave out ",
                    setting::SUBSPACE,
                    ", or use ",
                    setting::NULL_DISTRIBUTION.word("permuted")
                ),
            ));
        }
        refuse_clusters(data)?;
        Ok(Self { data, config: ForestConfig { mtry, ..config.clone() } })
    }

    /// The importances of all variables, and after them those of all shadows, in the forest of one
    /// draw.
    pub(super) fn draw(
        &self,
        index: usize,
        measures: &[Measure],
        run: &Run,
    ) -> Result<Vec<Importance>, Error> {
        let mut stream = Stream::new(self.config.seed, index, Purpose::ShadowDraw);
        let donors = self.data.shuffled_rows(&mut stream);
        let both = self.data.with_common_shadows(&donors)?;
        let seed = stream.word();
        let config = self.config.on_shadows(self.data, &both, seed);
        let measures: Vec<Measure> =
            measures.iter().map(|measure| measure.with_seed(seed)).collect();
        let training = Training::of(&both, run.threads);
        let ground = Ground { data: &both, training: &training, new_rows: &[], before: None };
        let (grown, _) = ground.grow_and_measure(&config, &measures, Keep::Nothing, run)?;
        Ok(grown.measured.importances)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_draws_are_refused() {
        assert!(ShadowDraws::default().validate().is_ok());
        assert!(ShadowDraws { draws: 4 }.validate().is_err());
    }
}
