//! Sampling errors by forests grown on parts of the rows: Ishwaran & Lu 2019.

use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::fingerprint::of_work;
use crate::forest::{ForestConfig, Keep};
use crate::importance::Importance;
use crate::inference::intervals::{Confidence, Intervals};
use crate::inference::observed::Observed;
use crate::inference::scale::{grows, to_whole};
use crate::inference::spread::{Replicate, Spread};
use crate::measure::Measure;
use crate::measuring::Ground;
use crate::memory::Size;
use crate::parts::divided;
use crate::random::{Purpose, Stream};
use crate::run::{Run, Threads};
use crate::threads::ordered;
use crate::words::counted;
use crate::{message, setting};

/// More subsamples than this are a mistake.
const MOST_SUBSAMPLES: usize = 100_000;

/// Forests on parts of the rows have this share of the trees by default, but not fewer than
/// `FEWEST_TREES`.
const SHARE_OF_TREES: usize = 5;
const FEWEST_TREES: usize = 50;

/// Errors of fewer clusters are too small, so that a note warns: of 24, p is below .05 in up to .17 of
/// comparisons without a difference.
const FEW_CLUSTERS: usize = 30;

/// How rows are drawn to estimate sampling errors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subsampling {
    /// Number of forests.
    pub n_subsamples: usize,
    /// Share of the rows (of the clusters, where there are any) that each is grown on, drawn
    /// without replacement.
    pub fraction: f64,
    /// Trees of each; `None` for a fifth of those of the forest, but at least 50 (or all, where there
    /// are fewer). With fewer trees, errors are as right but less precise: what the Monte-Carlo errors
    /// add is taken away.
    pub n_trees: Option<usize>,
}

impl Default for Subsampling {
    fn default() -> Self {
        Self { n_subsamples: 100, fraction: 0.5, n_trees: None }
    }
}

/// How the importances of one measure scatter over samples of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// Identifier of the measure.
    pub id: &'static str,
    /// Forests on parts of the rows that had values; `None` where none were grown.
    pub n_subsamples: Option<usize>,
    /// Standard errors of importances over samples of as many rows as the table has, without
    /// Monte-Carlo errors, one per variable; `None` where undefined.
    pub standard_errors: Vec<Option<f64>>,
    /// Mean importances over subsamples, which are those of forests on fewer rows (of what grows with
    /// the forest, brought to the scale of the whole one); `None` where there are none.
    pub means: Vec<Option<f64>>,
    /// Where the jackknife cannot distinguish a sampling error from zero, because there are too few
    /// trees: it is at most about the reported value.
    pub at_most: Vec<bool>,
    /// The clusters that parts were drawn of; `None` where rows were drawn.
    pub n_clusters: Option<usize>,
    small_is_important: bool,
    /// The subsamples that have values, in order.
    kept: Vec<usize>,
    spread: Spread,
}

impl Subsampling {
    /// Checks ranges.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range.
    pub fn validate(&self) -> Result<(), Error> {
        if !(2..=MOST_SUBSAMPLES).contains(&self.n_subsamples) {
            return Err(Error::bad_setting(
                setting::SUBSAMPLES,
                message!(setting::SUBSAMPLES.name(), " is ", self.n_subsamples),
                format!("give at least 2, and at most {MOST_SUBSAMPLES}; 100 are usual"),
            ));
        }
        if !(self.fraction > 0.0 && self.fraction < 1.0) {
            return Err(Error::bad_setting(
                setting::SUBSAMPLE_FRACTION,
                message!(setting::SUBSAMPLE_FRACTION.name(), " is ", self.fraction),
                "give a number above 0 and below 1, for example 0.5",
            ));
        }
        if let Some(n_trees @ ..2) = self.n_trees {
            return Err(Error::bad_setting(
                setting::SUBSAMPLE_TREES,
                message!(setting::SUBSAMPLE_TREES.name(), " is ", n_trees),
                "give a whole number of 2 or more: what one tree adds to the error is not known",
            ));
        }
        Ok(())
    }
}

impl Subsampling {
    /// Trees of each forest.
    pub(super) fn trees_of(&self, config: &ForestConfig) -> usize {
        let usual = (config.n_trees / SHARE_OF_TREES).max(FEWEST_TREES).min(config.n_trees);
        self.n_trees.unwrap_or(usual)
    }

    /// About how much work the forests are, in trees on all rows.
    pub(super) fn work(&self, config: &ForestConfig) -> u64 {
        let n_trees = self.trees_of(config) as f64;
        (n_trees * self.n_subsamples as f64 * self.fraction) as u64
    }

    /// What the forests hold in memory that threads grow at the same time, each on its own part of
    /// the rows, and the importances of all of them.
    ///
    /// # Errors
    /// As growing one, and those of [`Subsampling::validate`].
    pub fn size(
        &self,
        data: &Dataset,
        config: &ForestConfig,
        measures: &[Measure],
        threads: Threads,
    ) -> Result<Size, Error> {
        self.validate()?;
        let n_rows = (data.n_rows() as f64 * self.fraction).round().max(1.0) as u32;
        let part = data.select(&(0..n_rows).collect::<Vec<_>>()).or_else(|_| data.select(&[0]));
        // Where the first rows weigh nothing, all rows are an upper bound.
        let part = part.unwrap_or_else(|_| data.clone());
        let n_trees = self.trees_of(config);
        let config = ForestConfig { n_trees, ..config.clone() };
        let one = Size::of_growing(&part, &config, measures, Keep::Nothing, Threads::ONE)?;
        let at_once = threads.get().min(self.n_subsamples) as u64;
        // A value, its error, whether they are there, and what intervals need of them.
        let found = 48 * (self.n_subsamples * measures.len() * data.groups().n_groups()) as u64;
        let times = |part: u64| part.saturating_mul(at_once);
        Ok(Size {
            ranks: times(one.ranks),
            working: times(one.working),
            out_of_bag: times(one.out_of_bag),
            altered: times(one.altered),
            per_tree: times(one.per_tree).saturating_add(found),
            trees: times(one.trees),
            ..one
        })
    }
}

/// What errors of few clusters are worth.
fn of_few_clusters(n_clusters: usize) -> String {
    format!(
        "sampling errors of {} are too small, and p-values of differences with them: where nothing \
         differs, two tables of 6 clusters have p below .05 in up to two thirds of comparisons, of 12 in up \
         to a third, most often by permutation importances and of variables that are constant within \
         clusters; more rows of the same clusters do not help",
        counted(n_clusters, "cluster")
    )
}

impl Sampled {
    pub(super) fn new(
        id: &'static str,
        kept: Option<Vec<usize>>,
        small_is_important: bool,
        spread: Spread,
    ) -> Self {
        let n_subsamples = kept.as_ref().map(Vec::len);
        let kept = kept.unwrap_or_default();
        let (standard_errors, means) = (spread.standard_errors(), spread.means());
        let at_most = vec![false; standard_errors.len()];
        Self {
            id,
            n_subsamples,
            standard_errors,
            means,
            at_most,
            n_clusters: None,
            small_is_important,
            kept,
            spread,
        }
    }

    /// Why there are no sampling errors, where too few of the forests on parts of the rows show any, or why
    /// they are too small.
    pub(super) fn note(&self) -> Option<String> {
        if self.n_subsamples.is_some_and(|n_subsamples| n_subsamples < 2) {
            return Some(
                "sampling errors are not known: on parts of the rows no tree has a split, or nothing varies; \
                 use more rows, smaller leaves or larger parts"
                    .to_owned(),
            );
        }
        self.n_clusters.filter(|n_clusters| *n_clusters < FEW_CLUSTERS).map(of_few_clusters)
    }

    /// Whether the same parts of the rows have values, if both were drawn from the same rows.
    pub(super) fn has_same_parts(&self, other: &Self) -> bool {
        self.kept == other.kept
    }

    /// By subsample, how far the importance of a variable is from its mean, with the spread of samples
    /// of all rows.
    pub(super) fn deviations(&self, variable: usize) -> impl Iterator<Item = f64> {
        self.spread.replicates().map(move |found| found[variable])
    }

    /// Intervals around the importances that the same measure gave on all rows.
    pub fn intervals(&self, importance: &Importance, confidence: Confidence) -> Intervals {
        Intervals::new(
            importance,
            self.small_is_important,
            &self.spread,
            confidence,
            self.n_clusters,
        )
    }
}

/// Grows forests on random parts of the rows, with the settings of the forest but seeds of their
/// own, and measures them.
///
/// Of n units (rows, or clusters) m are drawn without replacement. The variance of a statistic that
/// is asymptotically a mean over units is (1/m - 1/n) s^2 over such draws and s^2/n over samples of
/// n, so that the former times m / (n - m) estimates the latter (the delete-d jackknife of Shao & Wu
/// 1989). Values that grow with the forest, such as counts of splits, are brought to the scale of
/// `observed`, the importances of the table itself in the order of `measures` (which may be left out
/// where there are no such values). Cost: that of growing and measuring the subsamples.
///
/// ```
/// use wald::inference::{Confidence, Observed, Subsampling, subsampling};
/// use wald::simulate::Friedman1;
/// use wald::{Forest, ForestConfig, MeasureId, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let forest = Forest::grow(&data, &config, &Run::all())?;
/// let measures = [MeasureId::Mdi.into()];
/// let importances = forest.measure(&data, &measures, &Run::all())?.importances;
/// let settings = Subsampling { n_subsamples: 10, ..Subsampling::default() };
/// let observed = Observed::new(&measures, &importances);
/// let sampled = subsampling(&data, &config, observed, &settings, &Run::all())?;
/// assert_eq!(sampled[0].n_subsamples, Some(10));
/// let intervals = sampled[0].intervals(&importances[0], Confidence::new(0.9)?);
/// assert_eq!(intervals.each.len(), 10); // one per variable
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::Setting`], [`Error::Data`] and [`Error::Measure`] when settings do not fit the data or
/// a part of it, and [`Error::Cancelled`].
pub fn subsampling(
    data: &Dataset,
    config: &ForestConfig,
    observed: Observed<'_>,
    settings: &Subsampling,
    run: &Run,
) -> Result<Vec<Sampled>, Error> {
    let Observed { measures, importances: observed } = observed;
    settings.validate()?;
    if let Some(measure) = measures.iter().skip(observed.len()).find(|measure| grows(measure)) {
        return Err(Error::measure(
            measure.id().info().id,
            "grows with the forest, and the scale of the whole one is unknown",
            "give the importances of the table itself",
        ));
    }
    config.resolve(data)?;
    let units = units(data);
    let n_drawn = (units.len() as f64 * settings.fraction).round() as usize;
    if n_drawn < 2 || n_drawn == units.len() {
        return Err(Error::data(
            format!("a subsample would have {n_drawn} of {} independent rows", units.len()),
            "use more rows, or another fraction",
        ));
    }
    let n_variables = data.groups().n_groups();
    let grow = |index: usize| -> Result<Vec<Replicate>, Error> {
        let mut stream = Stream::new(config.seed, index, Purpose::Subsample);
        let mut order: Vec<u32> = (0..units.len() as u32).collect();
        stream.shuffle(&mut order);
        let drawn = order[..n_drawn].iter().flat_map(|&unit| &units[unit as usize]);
        let mut rows: Vec<u32> = drawn.copied().collect();
        rows.sort_unstable();
        let part = data.select(&rows).map_err(|_| {
            Error::data(
                "in one of the subsamples, all weights are zero",
                "use a larger fraction, or leave out rows of weight zero",
            )
        })?;
        let seed = stream.word();
        let n_trees = settings.trees_of(config);
        let config = ForestConfig { n_trees, seed, ..config.clone() };
        let measures: Vec<Measure> =
            measures.iter().map(|measure| measure.with_seed(seed)).collect();
        let training = Training::of(&part, Threads::ONE);
        let ground = Ground { data: &part, training: &training, new_rows: &[], before: None };
        let run = &run.alone();
        let (grown, _) = ground.grow_and_measure(&config, &measures, Keep::Nothing, run)?;
        // Zeros of trees without splits would count as values that do not vary.
        let has_splits = grown.measured.has_splits();
        let replicate = |importance| {
            if has_splits { Replicate::of(importance) } else { Replicate::undefined(n_variables) }
        };
        Ok(grown.measured.importances.into_iter().map(replicate).collect())
    };
    let mut found: Vec<Vec<(usize, Replicate)>> = vec![Vec::new(); measures.len()];
    let shared =
        &run.doing(|| of_work(data, measures, format!("{settings:?} {config:?}").as_bytes()));
    divided(
        settings.n_subsamples,
        shared,
        |_, replicates: &Vec<Replicate>| {
            replicates.len() == measures.len()
                && replicates.iter().all(|replicate| replicate.fits(n_variables))
        },
        |units, found| {
            let grow = |index: usize, (): &mut ()| grow(units.start + index);
            let merge = |index, replicates| found(units.start + index, replicates);
            ordered(units.len(), run, || (), grow, merge)
        },
        |index, replicates| {
            for (of_measure, replicate) in found.iter_mut().zip(replicates) {
                // A part of the rows where the target is constant, or no tree has a split, is
                // uninformative.
                if replicate.values.iter().any(Option::is_some) {
                    of_measure.push((index, replicate));
                }
            }
        },
    )?;
    let inflation = n_drawn as f64 / (units.len() - n_drawn) as f64;
    let sampled = |(at, found): (usize, Vec<(usize, Replicate)>)| {
        let (kept, mut replicates): (Vec<usize>, Vec<Replicate>) = found.into_iter().unzip();
        let info = measures[at].id().info();
        if let Some(observed) = observed.get(at) {
            to_whole(&measures[at], observed, &mut replicates);
        }
        let spread = Spread::new(&replicates, n_variables, inflation);
        let n_clusters = data.clusters().map(|_| units.len());
        Sampled { n_clusters, ..Sampled::new(info.id, Some(kept), info.small_is_important, spread) }
    };
    Ok(found.into_iter().enumerate().map(sampled).collect())
}

impl Replicate {
    fn of(importance: Importance) -> Self {
        let standard_errors = importance.monte_carlo_errors().map(<[_]>::to_vec);
        Self { values: importance.values, standard_errors }
    }

    fn undefined(n_variables: usize) -> Self {
        Self { values: vec![None; n_variables], standard_errors: None }
    }

    fn fits(&self, n_variables: usize) -> bool {
        let errors = self.standard_errors.as_ref();
        self.values.len() == n_variables && errors.is_none_or(|errors| errors.len() == n_variables)
    }
}

/// The rows that are drawn together.
pub(crate) fn units(data: &Dataset) -> Vec<Vec<u32>> {
    let rows = 0..data.n_rows() as u32;
    let Some(clusters) = data.clusters() else { return rows.map(|row| vec![row]).collect() };
    let mut sorted: Vec<u32> = rows.collect();
    sorted.sort_by_key(|&row| clusters[row as usize]);
    let same = |a: &u32, b: &u32| clusters[*a as usize] == clusters[*b as usize];
    sorted.chunk_by(same).map(<[u32]>::to_vec).collect()
}
