//! A forest together with the data that it was grown on.

use std::sync::Arc;

use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::forest::{Forest, ForestConfig, Keep};
use crate::importance::Importance;
use crate::measure::Measure;
use crate::measuring::grow_and_rank;
use crate::pass::Measured;
use crate::run::Run;

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
}

/// Grows a forest on data. Cost O(trees * mtry * n log n).
///
/// # Errors
/// As [`Forest::grow`].
pub fn fit(
    data: impl Into<Arc<Dataset>>,
    config: &ForestConfig,
    run: &Run,
) -> Result<Fitted, Error> {
    Ok(Fitted::grow(data, (config, &[]), run)?.0)
}

impl Fitted {
    /// Grows a forest and measures its variables in the same pass.
    ///
    /// # Errors
    /// As [`Forest::grow_and_measure`].
    pub fn grow(
        data: impl Into<Arc<Dataset>>,
        (config, measures): (&ForestConfig, &[Measure]),
        run: &Run,
    ) -> Result<(Self, Measured), Error> {
        let data = data.into();
        let (grown, training) = grow_and_rank(&data, (config, measures), Keep::Trees, run)?;
        let forest = Arc::new(grown.forest.ok_or(Error::Cancelled)?);
        Ok((Self { data, forest, training }, grown.measured))
    }

    /// Grows the trees that a forest lacks, as [`Forest::grow_more`].
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
        let (grown, training) = forest.grow_more_and_rank(&data, config, run)?;
        let forest = Arc::new(grown.forest.ok_or(Error::Cancelled)?);
        Ok((Self { data, forest, training }, grown.measured))
    }

    /// A forest that exists, on the data that it was grown on. Cost: ranking the data, and routing
    /// the rows through one tree, which detects most tables that are not the training data.
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
        Ok(Self { data, forest, training })
    }

    /// The forest.
    pub fn forest(&self) -> &Arc<Forest> {
        &self.forest
    }

    /// The data.
    pub fn data(&self) -> &Arc<Dataset> {
        &self.data
    }

    /// Importances by several measures in one pass over the trees, and the results of the
    /// out-of-bag rows.
    ///
    /// # Errors
    /// As [`Forest::measure`].
    pub fn measure(&self, measures: &[Measure], run: &Run) -> Result<Measured, Error> {
        self.forest.measure_ranked(&self.data, &self.training, measures, run)
    }

    /// Importances by one measure.
    ///
    /// # Errors
    /// As [`Forest::measure`].
    pub fn importance(&self, measure: Measure, run: &Run) -> Result<Importance, Error> {
        let mut measured = self.measure(&[measure], run)?;
        measured.importances.pop().ok_or(Error::Cancelled)
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
