//! Mean absolute Shapley values against background rows: Lundberg et al. 2020, interventional.

use std::sync::Arc;

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{align, align_target, aligned_rows};
use crate::importance::{DataUsed, Importance};
use crate::measure::BACKGROUND;
use crate::measure::definition::references::{LUNDBERG_2020, Reference};
use crate::measure::definition::{
    ClassMeaning, CostClass, MeasureDef, MeasureOption, MeasureSettings, Requirement, RowAggregate,
    Scale, TreeShape,
};
use crate::measure::shapley::kernel::over_rows::{Explained, OverRows};
use crate::pass::{OutOfBag, Plan, Subject, Whole};
use crate::run::Run;
use crate::tree_shap::{
    Against, Background, BackgroundWanted, ERRORS_LEAVE_OUT, ShapleyKind, note_on_drawn, walk_bytes,
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "tree_shap_interventional";
    const CALLED: &'static [&'static str] = &["shap", "treeshap"];
    const NAME: &'static str = "Shapley values of rows (TreeSHAP, interventional)";
    const ESTIMAND: &'static str = "\
        How far a variable moves the predictions away from those for background rows: the mean \
        over rows of the absolute Shapley value (interventional), summed over classes. The rows \
        are the training rows, or those of `test`; unknown variables are averaged over \
        the background, the rows of `background` or training rows drawn at random. \
        Another `aggregate` uses the signed mean (of several classes, its absolute value) or the \
        covariance with the response";
    const CAVEAT: &'static str = "\
        Training rows are explained by trees that have seen them, so that overfitted variables \
        look important. With dependent variables the forest extrapolates. Explains predictions, \
        not their accuracy. The value of a group of variables is the sum of theirs. Standard errors are \
        given the background rows: where these are drawn at random, another seed may change values by more";
    const SOURCE: &'static str = "\
        Lundberg et al. 2020, \"interventional\", global feature importance";
    const REFERENCES: &'static [Reference] = &[LUNDBERG_2020];
    const UNIT: &'static str = "units of the prediction";
    const SCALE: Scale = Scale::Prediction;
    const COST: &'static str = "\
        rows visit the leaves that they share with background rows: at most O(rows * leaves * \
        background rows), usually a small part of that. With more than 2000 rows a random sample \
        is explained (`samples`), and standard errors are those of the sample";
    const COST_CLASS: CostClass = CostClass::AllLeaves;
    const DATA: DataUsed = DataUsed::Training;
    const REQUIREMENTS: &'static [Requirement] = &[Requirement::EqualTrees];
    const OPTIONS: &'static [MeasureOption] = &[
        MeasureOption::Aggregate,
        MeasureOption::PerClass,
        MeasureOption::TestRows,
        MeasureOption::Background,
        MeasureOption::BackgroundRows,
        MeasureOption::Samples,
    ];
    const CLASS_VALUES: ClassMeaning = ClassMeaning::OfProbability;
    const EXPLAINS_ROWS: bool = true;
    const FAVOURS_MANY_VALUES: bool = true;

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        if let Some(test) = &settings.test {
            // What does not fit is refused before the forest is grown.
            align(test.features(), subject.forest.features())?;
            align_target(test, subject.forest.target())?;
        }
        let background = settings.background_wanted(BACKGROUND);
        background.check(subject.forest)?;
        let (rows, aggregate) = (settings.test.clone(), settings.aggregate);
        let (per_class, explained) = (settings.per_class, Explained::of(settings));
        Ok(Plan::whole(TreeShapInterventional {
            rows,
            background,
            aggregate,
            per_class,
            explained,
        }))
    }

    fn thread_bytes(tree: &TreeShape) -> f64 {
        walk_bytes(tree.nodes, tree.rows, tree.columns * tree.outputs)
    }
}

struct TreeShapInterventional {
    /// Other rows than those of training.
    rows: Option<Arc<Dataset>>,
    background: BackgroundWanted,
    aggregate: RowAggregate,
    per_class: bool,
    explained: Explained,
}

impl Whole for TreeShapInterventional {
    fn measure(&self, subject: Subject<'_>, _: &OutOfBag, run: &Run) -> Result<Importance, Error> {
        let forest = subject.forest;
        let rows = self.rows.as_ref();
        let other = rows.map(|rows| aligned_rows(forest, rows, run.threads)).transpose()?;
        let data = if other.is_some() { DataUsed::Test } else { DataUsed::Training };
        let rows = other.as_ref().unwrap_or(subject.training);
        let background = self.background.ranked(forest, subject.data, run.threads)?;
        let behind = Background::bound(forest, &background, run)?;
        let (kind, aggregate) = (ShapleyKind::Interventional, self.aggregate);
        let (per_class, explained) = (self.per_class, self.explained);
        let against = Against::Background(Background::new(&behind));
        let mean = OverRows {
            info: &Definition::INFO,
            subject,
            rows,
            data,
            kind,
            against,
            aggregate,
            per_class,
            explained,
        };
        let mut importance = mean.measure(run)?;
        let n_background = background.n_rows();
        importance.settings.insert("background_rows", n_background.to_string());
        if importance.standard_errors.is_some() && self.background.are_drawn(subject.data) {
            importance.notes.push(note_on_drawn(ERRORS_LEAVE_OUT, n_background));
        }
        importance.notes.extend(self.background.note_on_fewer(subject.data));
        Ok(importance)
    }

    fn is_divided(&self) -> bool {
        true
    }
}
