//! A forest together with the data that it was grown on.

use std::sync::{Arc, OnceLock};

use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::explain::{Explainer, ExplanationId, ExplanationSettings, Rows};
use crate::forest::{Forest, ForestConfig, Keep};
use crate::importance::Importance;
use crate::measure::Measure;
use crate::measuring::grow_and_rank;
use crate::pass::{Grown, Measured};
use crate::run::Run;
use crate::weights::{Quantiles, Weights};

/// A forest, the data that it was grown on, and their ranks: the data are ranked once, for growing
/// and any number of importances. Ranks take about 4 to 12 bytes per cell of the table.
///
/// ```
/// use wald::data::{Column, Target};
/// use wald::{Dataset, ForestConfig, MeasureId, Run};
///
/// # fn main() -> Result<(), wald::Error> {
/// let x: Vec<f64> = (0..100).map(f64::from).collect();
/// let noise: Vec<f64> = (0..100_u32).map(|row| f64::from(row * 37 % 100)).collect();
/// let y = x.iter().map(|x| x * x).collect();
/// let columns = vec![Column::numeric("x", x)?, Column::numeric("noise", noise)?];
/// let data = Dataset::new(columns, Target::regression("y", y)?)?;
///
/// let config = ForestConfig { n_trees: 50, ..ForestConfig::default() };
/// let fitted = wald::fit(data, &config, &Run::all())?;
/// let found = fitted.importance("sobol_mda".parse()?, &Run::all())?;
/// let names: Vec<&str> = found.ranking().map(|variable| variable.name).collect();
/// assert_eq!(names, ["x", "noise"]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Fitted {
    data: Arc<Dataset>,
    forest: Arc<Forest>,
    training: Training,
    /// Once they were computed.
    quantiles: OnceLock<Arc<Quantiles>>,
    /// The first measurement without its importances: out-of-bag predictions, numbers of leaves.
    known: OnceLock<Measured>,
}

/// Grows a forest on data. Cost O(trees * mtry * n log n).
///
/// ```
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Run};
///
/// let data = Friedman1::default().draw(60, 1)?; // 60 rows, inputs x1 to x10, target y
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let fitted = wald::fit(data, &config, &Run::all())?;
/// assert_eq!(fitted.forest().trees().len(), 10);
/// assert_eq!(fitted.data().n_rows(), 60); // the data are kept, so that they can be measured
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// As [`Forest::grow`].
pub fn fit(
    data: impl Into<Arc<Dataset>>,
    config: &ForestConfig,
    run: &Run,
) -> Result<Fitted, Error> {
    Ok(Fitted::grow(data, config, &[], run)?.0)
}

impl Fitted {
    fn of(data: Arc<Dataset>, forest: Arc<Forest>, training: Training) -> Self {
        let (quantiles, known) = (OnceLock::new(), OnceLock::new());
        Self { data, forest, training, quantiles, known }
    }

    fn grown(
        data: Arc<Dataset>,
        (grown, training): (Grown, Training),
    ) -> Result<(Self, Measured), Error> {
        let forest = Arc::new(grown.forest.ok_or(Error::Cancelled)?);
        let fitted = Self::of(data, forest, training);
        Ok((Self { known: OnceLock::from(grown.measured.of_forest()), ..fitted }, grown.measured))
    }

    /// Grows a forest and measures its variables in the same pass.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Fitted, ForestConfig, MeasureId, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let measures = [MeasureId::Mdi.into(), MeasureId::SobolMda.into()];
    /// let (fitted, measured) = Fitted::grow(data, &config, &measures, &Run::all())?;
    /// assert_eq!(measured.importances.len(), 2); // in the order of `measures`
    /// // The same bits as from the forest that was kept:
    /// assert_eq!(fitted.importance(MeasureId::Mdi.into(), &Run::all())?, measured.importances[0]);
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Forest::grow_and_measure`].
    pub fn grow(
        data: impl Into<Arc<Dataset>>,
        config: &ForestConfig,
        measures: &[Measure],
        run: &Run,
    ) -> Result<(Self, Measured), Error> {
        let data = data.into();
        let grown = grow_and_rank(&data, config, measures, Keep::Trees, run)?;
        Self::grown(data, grown)
    }

    /// Why a measure cannot be computed on the forest and its training rows; `Ok` if it can.
    ///
    /// # Errors
    /// [`Error::Measure`] with the reason and what to do instead.
    pub fn check(&self, measure: &Measure) -> Result<(), Error> {
        measure.check_rows(&self.data)?;
        measure.check(&self.forest)?;
        measure.check_bags(&self.forest, &self.data)
    }

    /// Grows the trees that a forest lacks, as [`Forest::grow_more`].
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Fitted, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let few = ForestConfig { n_trees: 4, ..ForestConfig::default() };
    /// let more = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let first = wald::fit(data.clone(), &few, &Run::all())?;
    /// let (fitted, _) = Fitted::grow_more(first.forest(), data.clone(), &more, &Run::all())?;
    /// // Six trees were added; the forest is the one that ten trees at once would have been.
    /// assert_eq!(fitted.forest(), wald::fit(data, &more, &Run::all())?.forest());
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Forest::grow_more`].
    pub fn grow_more(
        forest: &Forest,
        data: impl Into<Arc<Dataset>>,
        config: &ForestConfig,
        run: &Run,
    ) -> Result<(Self, Measured), Error> {
        let data = data.into();
        let grown = forest.grow_more_and_rank(&data, config, run)?;
        Self::grown(data, grown)
    }

    /// A forest that exists, on the data that it was grown on. Cost: ranking the data, and routing
    /// the rows through one tree, which detects most tables that are not the training data.
    ///
    /// A stored forest is measured as on the day when it was grown:
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Fitted, Forest, ForestConfig, MeasureId, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let fitted = wald::fit(data.clone(), &config, &Run::all())?;
    /// let stored: Vec<u8> = fitted.forest().to_bytes()?;
    ///
    /// let again = Fitted::new(Forest::from_bytes(&stored)?, data, &Run::all())?;
    /// let mdi = || MeasureId::Mdi.into();
    /// assert_eq!(again.importance(mdi(), &Run::all())?, fitted.importance(mdi(), &Run::all())?);
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Forest::measure`].
    pub fn new(
        forest: impl Into<Arc<Forest>>,
        data: impl Into<Arc<Dataset>>,
        run: &Run,
    ) -> Result<Self, Error> {
        let (forest, data) = (forest.into(), data.into());
        let training = forest.rank(&data, run)?;
        Ok(Self::of(data, forest, training))
    }

    /// The forest.
    pub fn forest(&self) -> &Arc<Forest> {
        &self.forest
    }

    /// The data.
    pub fn data(&self) -> &Arc<Dataset> {
        &self.data
    }

    /// The ranks of the data.
    pub(crate) fn training(&self) -> &Training {
        &self.training
    }

    /// Importances by several measures in one pass over the trees, and the results of the
    /// out-of-bag rows, which are computed once for any number of calls.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{ForestConfig, MeasureId, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let fitted = wald::fit(data, &config, &Run::all())?;
    /// let measures = [MeasureId::MdaBreimanCutler.into(), MeasureId::SobolMda.into()];
    /// let measured = fitted.measure(&measures, &Run::all())?;
    /// assert_eq!(measured.importances[1].id, "sobol_mda");
    /// assert_eq!(measured.importances[1].values.len(), 10); // one per variable
    /// assert!(measured.errors.is_some()); // losses of the out-of-bag predictions
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Forest::measure`].
    pub fn measure(&self, measures: &[Measure], run: &Run) -> Result<Measured, Error> {
        let known = self.known.get();
        let found = self.forest.measure_ranked(&self.data, &self.training, measures, known, run)?;
        if !run.is_shared() {
            self.known.get_or_init(|| found.of_forest());
        }
        Ok(found)
    }

    /// Importances by one measure.
    ///
    /// The name or an alias of a measure is enough, where its default settings will do:
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let fitted = wald::fit(data, &config, &Run::all())?;
    /// let found = fitted.importance("permutation".parse()?, &Run::all())?;
    /// assert_eq!(found.id, "mda_breiman_cutler");
    /// for variable in found.ranking() {
    ///     println!("{:4} {:6.2?} ± {:.2?}", variable.name, variable.value, variable.error);
    /// }
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Forest::measure`].
    pub fn importance(&self, measure: Measure, run: &Run) -> Result<Importance, Error> {
        let mut measured = self.measure(&[measure], run)?;
        measured.importances.pop().ok_or(Error::Cancelled)
    }

    /// A local measure of rows, ready to explain them.
    ///
    /// ```
    /// use wald::explain::Rows;
    /// use wald::simulate::Friedman1;
    /// use wald::{ExplanationId, ExplanationSettings, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let fitted = wald::fit(data, &config, &Run::all())?;
    /// let predictions = fitted.forest().predict(fitted.data().features(), &Run::all())?;
    /// let settings = ExplanationSettings::default();
    /// let explainer = fitted.explainer(Rows::Training, ExplanationId::TreeShap, &settings)?;
    /// let expected = explainer.expected_value().expect("Shapley values add up")[0];
    /// explainer.run(&Run::all(), |row, values| {
    ///     let sum = expected + values.iter().sum::<f64>();
    ///     assert!((sum - predictions[row]).abs() < 1e-9);
    /// })?;
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Forest::explainer`].
    pub fn explainer<'a>(
        &'a self,
        rows: Rows<'a>,
        id: ExplanationId,
        settings: &ExplanationSettings,
    ) -> Result<Explainer<'a>, Error> {
        self.forest.explainer(&self.data, rows, id, settings)
    }

    /// The weights of the training rows by which the forest predicts, ready for any rows. Cost
    /// O(trees * rows * depth).
    ///
    /// # Errors
    /// [`Error::Data`] when the bags are not known or trees are summed, and [`Error::Cancelled`].
    pub fn weights(&self, run: &Run) -> Result<Weights, Error> {
        Weights::new(&self.forest, &self.data, &self.training, run)
    }

    /// Quantiles of the response, ready for any rows. Cost as of [`Fitted::weights`], once: they are kept
    /// with the forest, and take [`bytes`](crate::weights::bytes).
    ///
    /// # Errors
    /// As [`Fitted::weights`], and [`Error::Data`] where the target is no number.
    pub fn quantiles(&self, run: &Run) -> Result<Arc<Quantiles>, Error> {
        if let Some(known) = self.quantiles.get() {
            return Ok(Arc::clone(known));
        }
        let found = Quantiles::new(&self.forest, &self.data, &self.training, run)?;
        Ok(Arc::clone(self.quantiles.get_or_init(|| Arc::new(found))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::n_rankings;
    use crate::measure::MeasureId;
    use crate::run::Threads;
    use crate::simulate::Friedman1;

    #[test]
    fn data_are_ranked_once_for_growing_and_all_importances() {
        let data = Friedman1 { n_columns: 6, noise: 1.0 }.draw(80, 1).expect("rows");
        let config = ForestConfig { n_trees: 20, ..ForestConfig::default() };
        let run = &Run::on(Threads::ONE);
        let measures = [MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SobolMda];
        let before = n_rankings();
        let fitted = fit(data.clone(), &config, run).expect("valid settings");
        let found = measures.map(|id| fitted.importance(id.into(), run).expect("applies"));
        assert_eq!(n_rankings() - before, 1);
        // The same bits as where every step ranks the data.
        let forest = Forest::grow(&data, &config, run).expect("valid settings");
        assert_eq!(**fitted.forest(), forest);
        let alone = measures.map(|id| {
            let measured = forest.measure(&data, &[id.into()], run).expect("applies");
            measured.importances.into_iter().next().expect("one measure")
        });
        assert_eq!(found, alone);
        assert_eq!(n_rankings() - before, 5);
        let bound = Fitted::new(forest, data, run).expect("its data");
        assert_eq!(bound.importance(MeasureId::Mdi.into(), run).expect("applies"), found[0]);
    }

    #[test]
    fn names_of_measures_are_read() {
        let measure: Measure = "permutation".parse().expect("an alias");
        assert_eq!(measure.id(), MeasureId::MdaBreimanCutler);
        let unknown = "sobolmda".parse::<Measure>().expect_err("no such measure");
        assert_eq!(unknown.help(), "did you mean `sobol_mda`?");
    }
}
