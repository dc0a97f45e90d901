//! The forests of Boruta, on variables and their shadows.

use std::borrow::Cow;

use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::forest::Keep;
use crate::measuring::Ground;
use crate::random::{Purpose, Stream};
use crate::run::Run;
use crate::selection::boruta::settings::BorutaConfig;
use crate::selection::boruta::tally::{Found, Tally};
use crate::selection::forest::increasing;

/// The best of fewer shadows would be little to compare with (the R package).
const FEWEST_SHADOWS: usize = 5;

/// What was seen of the forests, besides importances.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) unit: String,
    /// In how many runs no tree had a split.
    pub(super) n_without_splits: usize,
}

/// What the forests are grown on.
#[derive(Debug)]
pub(super) struct Runs<'a> {
    config: &'a BorutaConfig,
    /// The variables that are left, with their columns.
    data: Cow<'a, Dataset>,
    /// Their places among all variables.
    left: Vec<usize>,
    /// By variable, the canonical position of its first column, so that shadows do not depend on the
    /// order of columns.
    keys: Vec<u32>,
    pub(super) seen: Seen,
}

impl<'a> Runs<'a> {
    pub(super) fn new(data: &'a Dataset, config: &'a BorutaConfig, run: &Run) -> Self {
        let training = Training::of(data, run.threads);
        let mut keys = vec![u32::MAX; data.groups().n_groups()];
        for position in 0..data.n_features() as u32 {
            let column = training.features().original(position) as usize;
            let key = &mut keys[data.groups().of_column()[column] as usize];
            *key = position.min(*key);
        }
        let left = (0..keys.len()).collect();
        Self { config, data: Cow::Borrowed(data), left, keys, seen: Seen::default() }
    }

    /// The importances of the next run, of variables that are not rejected and of their shadows.
    pub(super) fn next(&mut self, tally: &Tally, run: &Run) -> Result<Found, Error> {
        self.leave_out_rejected(tally);
        let index = tally.n_runs();
        let both = self.data.with_shadows(self.shadows(index))?;
        let Self { config, data, left, keys, seen } = self;
        let seed = Stream::new(config.forest.seed, index, Purpose::BorutaRun).word();
        let forest = config.forest.on_shadows(data, &both, seed);
        let measures = [config.measure.with_seed(seed)];
        let training = Training::of(&both, run.threads);
        let ground = Ground { data: &both, training: &training, new_rows: &[], before: None };
        let (grown, _) = ground.grow_and_measure(&forest, &measures, Keep::Nothing, &run.part())?;
        seen.n_without_splits += usize::from(!grown.measured.has_splits());
        let small_is_important = config.measure.id().info().small_is_important;
        let mut values = Vec::new();
        for importance in &grown.measured.importances {
            seen.unit.clone_from(&importance.unit);
            values.extend(increasing(importance, small_is_important));
        }
        let shadows = values.split_off(left.len()).into_iter().flatten().collect();
        let mut variables = vec![None; keys.len()];
        for (&variable, value) in left.iter().zip(values) {
            variables[variable] = value;
        }
        Ok(Found { variables, shadows })
    }

    fn leave_out_rejected(&mut self, tally: &Tally) {
        let is_kept: Vec<bool> = self.left.iter().map(|&at| !tally.is_rejected(at)).collect();
        if is_kept.contains(&false) {
            self.data.to_mut().keep_groups(&is_kept);
            self.left.retain(|&at| !tally.is_rejected(at));
        }
    }

    /// The shadows of a run: of every variable that is left, doubled until there are enough.
    fn shadows(&self, index: usize) -> impl Iterator<Item = (usize, Cow<'static, [u32]>)> {
        let mut n_copies = 1;
        while (n_copies as usize) * self.left.len() < FEWEST_SHADOWS {
            n_copies *= 2;
        }
        let places = (0..n_copies).flat_map(|copy| (0..self.left.len()).map(move |at| (copy, at)));
        places.map(move |(copy, at)| {
            let purpose = Purpose::BorutaShadow { column: self.keys[self.left[at]], copy };
            let mut stream = Stream::new(self.config.forest.seed, index, purpose);
            (at, Cow::Owned(self.data.shuffled_rows(&mut stream)))
        })
    }
}
