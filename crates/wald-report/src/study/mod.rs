//! The one way from a table and a forest to importances, advice and a report, for all fronts.

mod front;
mod room;
mod wanted;

pub use front::{Front, Quiet, watched};
pub use room::{Growing, check_room};
pub use wanted::{Choice, WantedMeasures, leading_measures};

use std::sync::Arc;

use wald::forest::{Keep, TargetInfo};
use wald::measure::MeasureSettings;
use wald::pass::Measured;
use wald::{Dataset, Error, Fitted, Forest, ForestConfig, Measure, MeasureId, Origin};

/// How much is looked at, beside the importances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Depth {
    /// Nothing.
    #[default]
    Importances,
    /// What matters.
    Answer,
    /// All results for the forest at hand: no forest is grown again.
    Quick,
    /// Everything, also what needs forests grown anew, as far as that takes about as long as the
    /// forest itself.
    Full,
}

/// A table, the forest on it, and what was measured.
#[derive(Debug, Clone)]
pub struct Study {
    /// The data that the forest was grown on.
    pub data: Arc<Dataset>,
    /// The forest on them; `None` where its trees were not kept.
    pub fitted: Option<Arc<Fitted>>,
    /// How it was grown; `None` for a foreign forest, which cannot be grown again.
    pub config: Option<ForestConfig>,
    /// The measures, in the order of `measured.importances`.
    pub measures: Vec<Measure>,
    /// What one pass over the trees found.
    pub measured: Measured,
    /// The measures that may be advised.
    pub allowed: Vec<MeasureId>,
}

impl Study {
    /// Grows the forest, if need be, and measures it. Trees are kept where `depth` needs them and
    /// there is room.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where there is not enough memory, and as [`Origin::measure`].
    pub fn new(
        data: &Arc<Dataset>,
        origin: Origin<'_>,
        measures: Vec<Measure>,
        depth: Depth,
        front: &dyn Front,
    ) -> Result<Self, Error> {
        data.target().check_one()?;
        let run = front.run();
        let (keep, doing) = match origin {
            Origin::Settings(_) => (kept(data, origin, &measures, depth, front)?, "growing trees"),
            Origin::Forest(_) | Origin::Fitted(_) => {
                check_room(data, origin, &measures, Keep::Trees, front)?;
                (Keep::Trees, "measuring trees")
            }
        };
        let measure = || origin.measure(data, &measures, keep, run);
        let (measured, fitted) = watched(front, doing, measure)??;
        run.check_whole()?;
        Ok(Self {
            data: Arc::clone(data),
            fitted,
            config: origin.config().cloned(),
            measures,
            measured,
            allowed: origin.allowed(data),
        })
    }

    /// The trees, where they were kept.
    pub fn forest(&self) -> Option<&Forest> {
        self.fitted.as_ref().map(|fitted| &**fitted.forest())
    }

    /// The forest's own account of its target, where it was kept: its classes may be in another
    /// order than those of the data.
    pub(crate) fn target(&self) -> Option<&TargetInfo> {
        self.forest().map(Forest::target)
    }

    /// Names of the variables: what importances are given for.
    pub(crate) fn names(&self) -> &[String] {
        self.measured.groups.names()
    }

    /// The measures with their importances.
    pub(crate) fn importances(
        &self,
    ) -> impl Iterator<Item = (&Measure, &wald::Importance)> + Clone {
        self.measures.iter().zip(&self.measured.importances)
    }
}

/// Keeps the trees for what is looked at where there is room; an error where there is none for the
/// rest of the work either.
fn kept(
    data: &Dataset,
    origin: Origin<'_>,
    measures: &[Measure],
    depth: Depth,
    front: &dyn Front,
) -> Result<Keep, Error> {
    if depth > Depth::Importances {
        if front.run().is_part() {
            // Whoever merges may have room for them; a part holds none.
            return check_room(data, origin, measures, Keep::Nothing, front).map(|()| Keep::Trees);
        }
        let mut measures = measures.to_vec();
        if depth > Depth::Answer {
            // Explaining rows takes what this measure takes besides the trees.
            measures.push(Measure::new(MeasureId::TreeShapOob, MeasureSettings::default())?);
        }
        if check_room(data, origin, &measures, Keep::Trees, front).is_ok() {
            return Ok(Keep::Trees);
        }
    }
    check_room(data, origin, measures, Keep::Nothing, front).map(|()| Keep::Nothing)
}
