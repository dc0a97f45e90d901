//! From data and measurements to the plain data of a report.

use crate::making::{Parts, SampledMeasure, leading};
use crate::methods::{methods, references, shown};
use crate::report::{
    Citation, ColumnKind, ColumnSummary, Confusion, DataSummary, ForestSummary, MeasureSummary,
    NamedValue, RankedVariable, Report, ReportNotice,
};
use crate::study::Study;
use chrono::{DateTime, Utc};
use wald::Error;
use wald::Importance;
use wald::data::{Column, ColumnData, Dataset, MISSING_LEVEL, Response, Target, Task};
use wald::forest::{ClassWeight, ConstantDraws, ForestConfig, Sampling, Splitting, Trend};
use wald::measure::Measure;
use wald::measure::references::Reference;
use wald::pass::Errors;

/// Half the width of a 95 % interval in standard errors.
const HALF_WIDTH: f64 = 1.96;

/// What p-values rest on: all of them come from the same place.
const NULL: &str = "of the hypothesis that the variable is irrelevant, where its value is as \
                    likely above zero as below. The null is made of the values at or below zero \
                    of columns of the same type, and of the same values above zero. Not adjusted \
                    for the number of variables";

/// The most frequent levels shown for a categorical column.
const MOST_LEVELS: usize = 5;

/// What a page states besides results.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// Name of the file.
    pub source: String,
    /// Rows in the file, before rows were left out.
    pub n_rows_read: usize,
    /// What the reader should know about the table.
    pub notices: Vec<ReportNotice>,
    /// The command that repeats the report.
    pub command: String,
    /// What predictions are called, where they are not the target or its probabilities.
    pub predictions: Option<String>,
}

impl Report {
    /// Gathers all that the page shows.
    ///
    /// # Errors
    /// [`Error::Setting`] when the settings do not fit the data.
    pub fn build(study: &Study, parts: Parts, page: Page) -> Result<Self, Error> {
        let data = &*study.data;
        let settings = match &study.config {
            Some(config) => forest_settings(config, data)?,
            None => Vec::new(),
        };
        let forest = forest_summary(study, settings);
        let summary = |(place, (measure, importance)): (usize, (&Measure, &Importance))| {
            measure_summary(measure, importance, study.names(), parts.sampled_measure(place))
        };
        let mut measures: Vec<MeasureSummary> =
            shown(study, &parts).enumerate().map(summary).collect();
        let lead = leading(&parts, &study.measures);
        if lead < measures.len() {
            measures[..=lead].rotate_right(1);
        }
        let references = references(study, &parts);
        Ok(Self {
            title: format!("What matters for {}", data.target().name()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: study.config.as_ref().map_or(0, |config| config.seed),
            task: data.target().task(),
            target: data.target().name().to_owned(),
            predictions: page.predictions.clone(),
            methods: methods(study, &parts, &forest),
            citations: references.into_values().map(Citation::from).collect(),
            data: data_summary(study, &parts, &page),
            forest,
            measures,
            answer: parts.answer,
            advice: parts.advice,
            disagreement: parts.disagreement,
            dependence: parts.dependence,
            variables: parts.variables,
            selection: parts.selection,
            explanations: parts.explanations,
            date: today(),
            command: page.command,
        })
    }
}

impl From<Reference> for Citation {
    fn from(reference: Reference) -> Self {
        Self {
            key: reference.key.to_owned(),
            text: reference.text.to_owned(),
            bibtex: super::bibtex::bibtex(&reference),
        }
    }
}

/// The day in Greenwich, as `2026-11-21`; `SOURCE_DATE_EPOCH` repeats a page byte for byte.
pub(crate) fn today() -> String {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let fixed = fixed.and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    fixed.unwrap_or_else(Utc::now).format("%Y-%m-%d").to_string()
}

/// The settings of a forest with their defaults filled in, in the words of the command line.
///
/// # Errors
/// [`Error::Setting`] when they do not fit the data.
pub fn forest_settings(
    config: &ForestConfig,
    data: &Dataset,
) -> Result<Vec<(String, String)>, Error> {
    let settings = config.resolve(data)?;
    let is_best = settings.splitting == Splitting::Best;
    let searches = is_best && settings.constant_draws == ConstantDraws::Search;
    let tests = settings.splitting == Splitting::Conditional;
    let draws = settings.sampling != Sampling::All;
    let weighs = settings.class_weight != ClassWeight::Equal;
    let yes = |is_set: bool| is_set.then(|| "yes".to_owned());
    let number = |number: Option<usize>| number.map(|number| number.to_string());
    let names = |trend| {
        let names = config.monotonic.names(trend).join(",");
        (!names.is_empty()).then_some(names)
    };
    let positive = |share: f64| (share > 0.0).then(|| share.to_string());
    let list = [
        ("trees", number(Some(config.n_trees))),
        ("mtry", number(Some(settings.mtry))),
        ("min-node-size", number(Some(settings.min_node_size))),
        ("min-leaf-size", number(Some(settings.min_leaf_size))),
        ("sampling", Some(settings.sampling.id().to_owned())),
        ("splitting", Some(settings.splitting.id().replace('_', "-"))),
        ("impurity", Some(settings.impurity.id().to_owned())),
        ("sample-fraction", draws.then(|| settings.sample_fraction.to_string())),
        ("p-values", tests.then(|| settings.p_values.id().to_owned())),
        ("min-criterion", tests.then(|| settings.min_criterion.to_string())),
        ("constant-draws", searches.then(|| settings.constant_draws.id().to_owned())),
        ("split-pure", yes(settings.split_pure)),
        ("subspace", number(config.subspace)),
        ("max-bins", number(config.max_bins)),
        ("max-depth", number(config.max_depth)),
        ("max-leaf-nodes", number(config.max_leaf_nodes)),
        ("ccp-alpha", positive(settings.ccp_alpha)),
        ("class-weight", weighs.then(|| settings.class_weight.id().replace('_', "-"))),
        ("increasing", names(Trend::Increasing)),
        ("decreasing", names(Trend::Decreasing)),
        ("stratify", yes(settings.stratify)),
        ("min-child-fraction", positive(settings.min_child_fraction)),
        ("min-weight-fraction-leaf", positive(settings.min_weight_fraction_leaf)),
        ("min-impurity-decrease", positive(settings.min_impurity_decrease)),
        ("mtry-one-probability", positive(settings.mtry_one_probability)),
        ("seed", Some(config.seed.to_string())),
        ("first-tree", number(Some(config.first_tree).filter(|first| *first > 0))),
    ];
    Ok(list.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
}

fn data_summary(study: &Study, parts: &Parts, page: &Page) -> DataSummary {
    let data = &*study.data;
    let columns: Vec<ColumnSummary> =
        data.features().columns().iter().map(column_summary).collect();
    let of_parts = parts.notices.iter().map(|notice| ReportNotice {
        kind: "note".to_owned(),
        column: None,
        message: notice.clone(),
    });
    DataSummary {
        source: page.source.clone(),
        n_rows_read: page.n_rows_read,
        n_rows: data.n_rows(),
        n_features: data.n_features(),
        n_missing: columns.iter().map(|column| column.n_missing).sum(),
        target: target_summary(data.target()),
        columns,
        notices: page.notices.iter().cloned().chain(of_parts).collect(),
    }
}

fn column_summary(column: &Column) -> ColumnSummary {
    let (n_distinct, kind) = match column.data() {
        ColumnData::Numeric(values) => number_summary(values),
        ColumnData::Categorical(categories) => {
            level_summary(categories.levels(), categories.codes())
        }
    };
    ColumnSummary {
        name: column.name().to_owned(),
        n_missing: column.n_missing(),
        n_distinct,
        kind,
    }
}

fn target_summary(target: &Target) -> ColumnSummary {
    let (n_distinct, kind) = match target.response() {
        Response::Regression(values) => number_summary(values),
        Response::Classification(classes) => level_summary(classes.levels(), classes.codes()),
        Response::Several(outputs) => number_summary(outputs.values()),
    };
    ColumnSummary { name: target.name().to_owned(), n_missing: 0, n_distinct, kind }
}

fn number_summary(values: &[f64]) -> (usize, ColumnKind) {
    let mut present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    present.sort_unstable_by(f64::total_cmp);
    // A running mean cannot overflow.
    let mean = (1_u32..).zip(&present).fold(0.0, |mean, (count, value)| {
        mean + (value / f64::from(count) - mean / f64::from(count))
    });
    let kind = ColumnKind::Numeric {
        minimum: present.first().copied(),
        mean: (!present.is_empty()).then_some(mean),
        maximum: present.last().copied(),
    };
    present.dedup();
    (present.len(), kind)
}

fn level_summary(levels: &[String], codes: &[u32]) -> (usize, ColumnKind) {
    let mut counts: Vec<(usize, usize)> = (0..levels.len()).map(|level| (level, 0)).collect();
    for &code in codes.iter().filter(|&&code| code != MISSING_LEVEL) {
        counts[code as usize].1 += 1;
    }
    let n_distinct = counts.iter().filter(|(_, count)| *count > 0).count();
    counts.sort_by_key(|&(level, count)| (std::cmp::Reverse(count), level));
    let most_frequent = counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .take(MOST_LEVELS)
        .map(|(level, count)| (levels[level].clone(), count))
        .collect();
    (n_distinct, ColumnKind::Categorical { most_frequent })
}

fn forest_summary(study: &Study, settings: Vec<(String, String)>) -> ForestSummary {
    let measured = &study.measured;
    let named = |id: &str, name: &str, value: f64| NamedValue {
        id: id.to_owned(),
        name: name.to_owned(),
        value,
    };
    let (mut errors, mut explained, mut area, mut table) = (Vec::new(), None, None, None);
    match &measured.errors {
        None => {}
        Some(Errors::Regression { squared, absolute, explained_variance }) => {
            errors.push(named("squared", "mean squared error", *squared));
            errors.push(named("absolute", "mean absolute error", *absolute));
            explained = *explained_variance;
        }
        Some(Errors::Classification {
            squared,
            zero_one,
            log,
            auc,
            explained_variance,
            confusion,
        }) => {
            // The confusion matrix counts rows.
            let share = match study.data.weights() {
                None => "misclassified share",
                Some(_) => "misclassified share, by case weights",
            };
            errors.push(named("zero_one", share, *zero_one));
            errors.push(named("squared", "Brier score, summed over classes", *squared));
            errors.push(named("log", "log loss", *log));
            explained = *explained_variance;
            area = *auc;
            let classes = study.data.target().classes().unwrap_or_default().to_vec();
            table = Some(Confusion { classes, counts: confusion.clone() });
        }
    }
    ForestSummary {
        n_trees: measured.n_trees,
        mean_leaves: measured.mean_leaves,
        mean_depth: measured.mean_depth,
        settings,
        n_rows_out_of_bag: measured.out_of_bag.n_rows(),
        errors,
        explained_variance: explained,
        auc: area,
        confusion: table,
        convergence: measured.out_of_bag.convergence().to_vec(),
        convergence_loss: match study.data.target().task() {
            Task::Regression => "squared",
            Task::Classification => "zero_one",
        }
        .to_owned(),
    }
}

fn measure_summary(
    measure: &Measure,
    importance: &Importance,
    names: &[String],
    sampled: Option<&SampledMeasure>,
) -> MeasureSummary {
    let info = measure.id().info();
    let errors = importance.standard_errors.as_deref();
    let ranking = importance
        .order()
        .into_iter()
        .enumerate()
        .map(|(above, feature)| {
            let value = importance.values[feature];
            let error = errors.and_then(|errors| errors[feature]);
            let at = |sign: f64| Some(value? + sign * HALF_WIDTH * error?);
            RankedVariable {
                rank: above + 1,
                name: names[feature].clone(),
                value,
                standard_error: error,
                p_value: importance.p_values.as_ref().and_then(|p_values| p_values[feature]),
                low: at(-1.0),
                high: at(1.0),
                sampling: sampled.and_then(|sampled| sampled.variable(feature)),
            }
        })
        .collect();
    let errors_over = errors.map(|_| importance.errors_over);
    let interval = errors_over.map(|over| {
        let what = if info.has_monte_carlo_errors() {
            format!(
                "the Monte-Carlo error of a finite number of {over} only, not the sampling error of \
                 the data"
            )
        } else {
            "for the forests at hand, without the error of a finite number of trees".to_owned()
        };
        format!("mean over {over} ± 1.96 standard errors: {what}")
    });
    let has_p_values = importance.p_values.iter().flatten().any(Option::is_some);
    MeasureSummary {
        id: info.id.to_owned(),
        name: info.name.to_owned(),
        estimand: info.estimand.to_owned(),
        caveat: info.caveat.to_owned(),
        source: info.source.to_owned(),
        data: importance.data.in_words().to_owned(),
        unit: importance.unit.clone(),
        small_is_important: info.small_is_important,
        errors_over: errors_over.map(str::to_owned),
        interval,
        sampling: sampled.map(|sampled| sampled.words.clone()),
        null: has_p_values.then(|| NULL.to_owned()),
        ranking,
        notes: importance.notes.clone(),
    }
}
