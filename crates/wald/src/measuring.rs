//! Growing and measuring forests: from data, settings and measures to what was found.

use std::borrow::Cow;

use crate::data::{Column, Dataset, Training};
use crate::error::Error;
use crate::fingerprint::{of_forest, of_table, of_work};
use crate::forest::{
    Aggregation, FeatureInfo, Forest, ForestConfig, Keep, Sampler, Sampling, TargetInfo,
    align_target, aligned_training, check_trees,
};
use crate::importance::Importance;
use crate::measure::Measure;
use crate::pass::{
    Fold, Folders, Grown, Measured, NO_SPLIT, Pass, Passed, Plan, Source, Subject, Whole,
    fold_again, noted,
};
use crate::run::Run;
use crate::table_notes::{note_on_lost_clusters, note_on_table};

/// A data set that was ranked before, so that several forests can be grown on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) data: &'a Dataset,
    pub(crate) training: &'a Training,
    /// The columns of rows to predict, in the order of the data; may be none.
    pub(crate) new_rows: &'a [Cow<'a, Column>],
    /// The first trees, where they were grown before with the same settings.
    pub(crate) before: Option<&'a Forest>,
}

impl Forest {
    /// Grows a forest. Cost O(trees * mtry * n log n).
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run, Threads};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, seed: 7, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// // Equal settings give equal forests, on any number of threads.
    /// assert_eq!(forest, Forest::grow(&data, &config, &Run::on(Threads::ONE))?);
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Setting`] when the settings are out of range or do not fit the data, and
    /// [`Error::Cancelled`].
    pub fn grow(data: &Dataset, config: &ForestConfig, run: &Run) -> Result<Self, Error> {
        let grown = Self::grow_and_measure(data, config, &[], Keep::Trees, run)?;
        grown.forest.ok_or(Error::Cancelled)
    }

    /// Grows a forest and measures its variables in the same pass. The measures asked for
    /// never change the forest.
    ///
    /// With [`Keep::Nothing`] trees are dropped once they are measured: memory does not grow with their
    /// number.
    ///
    /// ```
    /// use wald::forest::Keep;
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, MeasureId, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let measures = [MeasureId::Mdi.into()];
    /// let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Nothing, &Run::all())?;
    /// assert!(grown.forest.is_none());
    /// assert_eq!(grown.measured.importances[0].id, "mdi");
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Forest::grow`], and [`Error::Measure`] when a measure does not apply.
    pub fn grow_and_measure(
        data: &Dataset,
        config: &ForestConfig,
        measures: &[Measure],
        keep: Keep,
        run: &Run,
    ) -> Result<Grown, Error> {
        Ok(grow_and_rank(data, config, measures, keep, run)?.0)
    }

    /// Grows the trees that this forest lacks and returns all of them: the forest that
    /// [`Forest::grow`] makes of the settings and the data, which must be those of this forest but
    /// for the number of trees. Cost: that of the new trees, and of routing the rows through all.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let few = ForestConfig { n_trees: 4, ..ForestConfig::default() };
    /// let more = ForestConfig { n_trees: 10, ..few.clone() };
    /// let forest = Forest::grow(&data, &few, &Run::all())?;
    /// let grown = forest.grow_more(&data, &more, &Run::all())?;
    /// assert_eq!(grown.forest, Some(Forest::grow(&data, &more, &Run::all())?));
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Setting`] when the settings are others or ask for fewer trees, [`Error::Data`] or
    /// [`Error::ForestFile`] when the data is not the training data, and [`Error::Cancelled`].
    pub fn grow_more(
        &self,
        data: &Dataset,
        config: &ForestConfig,
        run: &Run,
    ) -> Result<Grown, Error> {
        Ok(self.grow_more_and_rank(data, config, run)?.0)
    }

    /// As [`Forest::grow_more`], with the ranks of the data.
    pub(crate) fn grow_more_and_rank(
        &self,
        data: &Dataset,
        config: &ForestConfig,
        run: &Run,
    ) -> Result<(Grown, Training), Error> {
        let n_before = self.trees.len();
        let here = self
            .config
            .as_ref()
            .map(|here| ForestConfig { n_trees: config.n_trees, ..here.clone() });
        if here.as_ref() != Some(config) || config.n_trees < n_before {
            return Err(Error::bad_setting(
                None,
                format!("{n_before} trees cannot be continued with these settings"),
                "give the settings of these trees, and no smaller number of them",
            ));
        }
        config.resolve_targets(data)?;
        let training = aligned_training(self, data, run.threads)?;
        check_trees(self, &training, 1, run)?;
        let ground = Ground { data, training: &training, new_rows: &[], before: Some(self) };
        let (grown, _) = ground.grow_and_measure(config, &[], Keep::Trees, run)?;
        Ok((grown, training))
    }

    /// One fold over the first trees of this forest.
    ///
    /// # Errors
    /// As [`Forest::measure`].
    pub(crate) fn fold<F: Fold>(
        &self,
        data: &Dataset,
        n_trees: usize,
        run: &Run,
        fold: impl FnOnce(Subject<'_>) -> F,
    ) -> Result<Importance, Error> {
        let training = self.rank(data, run)?;
        let names: Vec<&str> = self.features.iter().map(|feature| feature.name.as_str()).collect();
        let groups = data.groups().aligned(data.features(), &names);
        let whole = Subject {
            data,
            forest: self,
            training: &training,
            groups: &groups,
            n_trees: self.trees.len(),
        };
        let fold = fold(whole);
        let n_trees = n_trees.min(whole.n_trees);
        fold_again(Subject { n_trees, ..whole }, fold, run)
    }

    /// Measures the variables of this forest on its training data.
    ///
    /// Each call ranks the columns again; [`Fitted`](crate::Fitted) ranks them once.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// let measured = forest.measure(&data, &["sobol_mda".parse()?], &Run::all())?;
    /// assert_eq!(measured.n_trees, 10);
    /// assert!(measured.mean_leaves > 2.0);
    ///
    /// let other_data = Friedman1::default().draw(60, 2)?;
    /// assert!(forest.measure(&other_data, &["sobol_mda".parse()?], &Run::all()).is_err());
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when the data is not the training data, [`Error::Measure`] when a
    /// measure does not apply, and [`Error::Cancelled`].
    pub fn measure(
        &self,
        data: &Dataset,
        measures: &[Measure],
        run: &Run,
    ) -> Result<Measured, Error> {
        let training = self.rank(data, run)?;
        self.measure_ranked(data, &training, measures, None, run)
    }

    /// The ranks of the data that this forest was grown on.
    ///
    /// # Errors
    /// As [`Forest::measure`].
    pub(crate) fn rank(&self, data: &Dataset, run: &Run) -> Result<Training, Error> {
        let training = aligned_training(self, data, run.threads)?;
        // Checking one tree suffices to detect a table that is not the training data.
        check_trees(self, &training, 1, run)?;
        Ok(training)
    }

    /// As [`Forest::measure`], where the data are ranked; `known` is what was found with other measures.
    ///
    /// # Errors
    /// As [`Forest::measure`].
    pub(crate) fn measure_ranked(
        &self,
        data: &Dataset,
        training: &Training,
        measures: &[Measure],
        known: Option<&Measured>,
        run: &Run,
    ) -> Result<Measured, Error> {
        let names: Vec<&str> = self.features.iter().map(|feature| feature.name.as_str()).collect();
        let groups = data.groups().aligned(data.features(), &names);
        let n_trees = self.trees.len();
        let subject = Subject { data, forest: self, training, groups: &groups, n_trees };
        let (folds, wholes) = plans(subject, measures)?;
        let together = run.threads.shared_by(n_trees);
        let (source, new_rows) = (Source::Stored, &[][..]);
        let run = &run.doing(|| of_work(data, measures, &of_forest(self)));
        let reads_rows = measures.iter().any(|measure| measure.id().info().facts.reads_rows);
        // What others do holds all that a pass finds.
        let known = known.filter(|_| !run.is_shared());
        let pass =
            Pass { subject, source, keep: false, new_rows, known, reads_rows, run, together };
        let mut measured = pass.run(folds)?.measured;
        add(&mut measured, wholes, subject, run)?;
        if let Ok(target) = align_target(data, &self.target) {
            note_on_table(&mut measured, data, &target, self.config.as_ref());
        }
        note_on_lost_clusters(&mut measured, self, data);
        Ok(measured)
    }
}

/// Grows a forest, and returns it with the ranks of the data.
pub(crate) fn grow_and_rank(
    data: &Dataset,
    config: &ForestConfig,
    measures: &[Measure],
    keep: Keep,
    run: &Run,
) -> Result<(Grown, Training), Error> {
    // What does not fit the data is refused before they are ranked.
    config.resolve_targets(data)?;
    let training = Training::of(data, run.threads);
    let ground = Ground { data, training: &training, new_rows: &[], before: None };
    let (mut grown, _) = ground.grow_and_measure(config, measures, keep, run)?;
    note_on_table(&mut grown.measured, data, data.target(), Some(config));
    Ok((grown, training))
}

impl Ground<'_> {
    /// As [`Forest::grow_and_measure`]; also predicts the new rows, as [`Forest::predict`].
    pub(crate) fn grow_and_measure(
        self,
        config: &ForestConfig,
        measures: &[Measure],
        keep: Keep,
        run: &Run,
    ) -> Result<(Grown, Vec<f64>), Error> {
        let Self { data, training, new_rows, before } = self;
        let settings = config.resolve_targets(data)?;
        let columns: Vec<&Column> = data.features().columns().iter().collect();
        let forest = Forest {
            features: data.features().columns().iter().map(FeatureInfo::of).collect(),
            target: TargetInfo::of(data.target()),
            trees: Vec::new(),
            bags: Some(Vec::new()),
            aggregation: Aggregation::Mean,
            float32_inputs: false,
            impurity: settings.impurity,
            config: Some(config.clone()),
            mtry: None,
            table: (keep == Keep::Trees).then(|| of_table(data, training.features())),
        };
        let sampler = &Sampler::new(data, &settings);
        sampler.expected()?;
        if settings.sampling == Sampling::All {
            // By all threads, before trees ask for it one by one.
            training.draw_order(run.threads);
        }
        let source = Source::Grow { settings: &settings, sampler, columns: &columns, before };
        let together = run.threads.shared_by(config.n_trees);
        let subject = Subject {
            data,
            forest: &forest,
            training,
            groups: data.groups(),
            n_trees: config.n_trees,
        };
        let (folds, wholes) = plans(subject, measures)?;
        let needs_trees = keep == Keep::Trees || !wholes.is_empty();
        let grown_by = || serde_json::to_vec(config).unwrap_or_default();
        let run = &run.doing(|| of_work(data, measures, &grown_by()));
        let (known, reads_rows) = (None, true);
        let pass =
            Pass { subject, source, keep: needs_trees, new_rows, known, reads_rows, run, together };
        let Passed { mut measured, trees, bags, predictions } = pass.run(folds)?;
        let forest = needs_trees.then(|| Forest { trees, bags: Some(bags), ..forest.clone() });
        if let Some(forest) = &forest {
            add(&mut measured, wholes, Subject { forest, ..subject }, run)?;
        }
        let forest = forest.filter(|_| keep == Keep::Trees);
        Ok((Grown { forest, measured }, predictions))
    }
}

type Wholes = Vec<(usize, Box<dyn Whole>)>;

/// How the measures are computed, with their positions.
fn plans(subject: Subject<'_>, measures: &[Measure]) -> Result<(Folders, Wholes), Error> {
    let (mut folds, mut wholes) = (Vec::new(), Vec::new());
    for (position, measure) in measures.iter().enumerate() {
        match measure.plan(subject)? {
            Plan::Fold(folder) => folds.push((position, folder)),
            Plan::Whole(whole) => wholes.push((position, whole)),
        }
    }
    Ok((folds, wholes))
}

/// Adds the measures of whole forests; every measure goes to its position.
fn add(
    measured: &mut Measured,
    wholes: Wholes,
    subject: Subject<'_>,
    run: &Run,
) -> Result<(), Error> {
    let (is_part, mut has_part, mut lacks_any) = (run.is_part(), false, false);
    for (position, whole) in wholes {
        if is_part && !whole.is_divided() {
            lacks_any = true;
            continue;
        }
        let found = whole.measure(subject, &measured.out_of_bag, &run.doing_next(position));
        // A part goes on: the measures do not depend on one another.
        let Some(mut importance) = run.unless_part(found)? else {
            has_part = true;
            continue;
        };
        // Some of them are folds after all, which have reported it.
        if importance.notes.iter().all(|note| !note.starts_with(NO_SPLIT)) {
            importance = noted(importance, measured.has_splits(), subject.groups);
        }
        measured.importances.insert(position.min(measured.importances.len()), importance);
    }
    match (has_part, lacks_any) {
        (true, _) => Err(Error::Cancelled),
        (false, true) => run.check_whole(),
        (false, false) => Ok(()),
    }
}
