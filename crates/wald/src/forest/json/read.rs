//! From the file, and the training data where it is at hand, to a forest.

use super::document::Document;
use super::draft::{Draft, Shared, tree_error};
use super::finish::{Context, Finished};
use crate::data::{Column, ColumnData, Dataset, Task};
use crate::error::Error;
use crate::forest::agree;
use crate::forest::info::{FeatureInfo, FeatureKind, TargetInfo};
use crate::forest::model::Forest;
use crate::forest::placement::Placement;
use crate::forest::sample::Bag;
use crate::forest::validate;
use crate::forest::ways::Impurity;
use crate::run::Run;
use crate::threads::ordered;

impl Forest {
    /// Reads `wald-forest` JSON, the forest of any program.
    ///
    /// With the training data, node values and statistics that the file lacks are computed
    /// from the bags, and those that it has must agree with the data.
    ///
    /// A tree of one split, which any program can write:
    ///
    /// ```
    /// use wald::data::{Column, Features};
    /// use wald::{Forest, Run};
    ///
    /// let json = br#"{
    ///     "format": "wald-forest", "version": 1, "task": "regression", "features": ["age"],
    ///     "trees": [{"feature": [0, -1, -1], "threshold": [40, null, null],
    ///                "left": [1, -1, -1], "right": [2, -1, -1], "value": [2.5, 1, 4]}]
    /// }"#;
    /// let forest = Forest::from_json(json, None, &Run::all())?;
    /// let people = Features::new(vec![Column::numeric("age", vec![30.0, 50.0])?])?;
    /// assert_eq!(forest.predict(&people, &Run::all())?, [1.0, 4.0]);
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ForestFile`] when the file is damaged, inconsistent, or contradicts the data;
    /// [`Error::Data`] when the data lacks a variable; [`Error::Cancelled`].
    pub fn from_json(bytes: &[u8], data: Option<&Dataset>, run: &Run) -> Result<Self, Error> {
        Self::of_document(Document::parse(bytes)?, data, run)
    }

    /// Completes and checks a document.
    pub(super) fn of_document(
        mut document: Document,
        data: Option<&Dataset>,
        run: &Run,
    ) -> Result<Self, Error> {
        let trees = std::mem::take(&mut document.trees);
        let mut forest = outline(&document, data)?;
        validate::check_outline(&forest)?;
        let mut drafts = Vec::with_capacity(trees.len());
        let n_outputs = forest.target.n_outputs();
        let shared = Shared { features: &forest.features, n_outputs };
        for (index, tree) in trees.into_iter().enumerate() {
            run.progress.check()?;
            drafts.push(Draft::new(index, tree, shared)?);
        }
        forest.bags = bags(&mut drafts)?;
        let n_rows = forest.bags.iter().flatten().next().map(|bag| bag.counts().len());
        check_weights(&document, n_rows, data)?;
        let training = data.map(|data| agree::training(&forest, data, run.threads)).transpose()?;
        let context = Context { forest: &forest, training: training.as_ref() };
        let mut finished: Vec<Finished> = Vec::with_capacity(drafts.len());
        ordered(
            drafts.len(),
            run,
            Placement::default,
            |index, placement| context.finish(index, &drafts[index], placement),
            |_, result| finished.push(result),
        )?;
        forest.trees = drafts
            .into_iter()
            .zip(finished)
            .map(|(draft, finished)| finished.into_tree(draft))
            .collect();
        validate::check(&forest)?;
        Ok(forest)
    }
}

/// The forest without its trees.
fn outline(document: &Document, data: Option<&Dataset>) -> Result<Forest, Error> {
    let classes = match (document.task, &document.classes) {
        (Task::Regression, Some(_)) => {
            return Err(Error::forest_file(
                "the task is regression, but the file lists classes",
                "leave out `classes`, or write the task as \"classification\"",
            ));
        }
        (Task::Classification, None) => {
            return Err(Error::forest_file(
                "the task is classification, but the file does not list the classes",
                "add `classes`: their names in the order of the node values",
            ));
        }
        (_, classes) => classes.clone(),
    };
    let default = match document.task {
        Task::Regression => Impurity::Variance,
        Task::Classification => Impurity::Gini,
    };
    let target_name =
        document.target.clone().or_else(|| data.map(|data| data.target().name().to_owned()));
    Ok(Forest {
        features: features(document, data)?,
        target: TargetInfo { name: target_name.unwrap_or_default(), classes, outputs: None },
        trees: Vec::new(),
        bags: None,
        aggregation: document.aggregation,
        float32_inputs: document.float32_inputs,
        impurity: document.impurity.unwrap_or(default),
        config: document.config.clone(),
        mtry: document.mtry,
        table: document.table.as_deref().map(hash_of).transpose()?,
    })
}

/// The hash of a table, as it is written.
fn hash_of(text: &str) -> Result<[u8; blake3::OUT_LEN], Error> {
    blake3::Hash::from_hex(text).map(|hash| *hash.as_bytes()).map_err(|_| {
        Error::forest_file(
            format!("`table` is \"{text}\", which is no hash of a table"),
            "leave it out of the file",
        )
    })
}

/// Names and kinds; a file without `feature_levels` splits no levels, so that those of the
/// data, in whatever order, serve.
fn features(document: &Document, data: Option<&Dataset>) -> Result<Vec<FeatureInfo>, Error> {
    let kind = |index: usize, name: &str| match &document.feature_levels {
        Some(levels) => levels[index].as_ref().map_or(FeatureKind::Numeric, |levels| {
            FeatureKind::Categorical { levels: levels.clone() }
        }),
        None => match data.and_then(|data| data.features().column(name)).map(Column::data) {
            Some(ColumnData::Categorical(categories)) => {
                FeatureKind::Categorical { levels: categories.levels().to_vec() }
            }
            _ => FeatureKind::Numeric,
        },
    };
    let n_features = document.features.len();
    let n_levels = document.feature_levels.as_ref().map_or(n_features, Vec::len);
    if n_levels != n_features {
        return Err(Error::forest_file(
            format!("`feature_levels` has {n_levels} entries for {n_features} features"),
            "give one entry per feature: null, or the names of its levels",
        ));
    }
    let names = document.features.iter().enumerate();
    Ok(names.map(|(i, name)| FeatureInfo { name: name.clone(), kind: kind(i, name) }).collect())
}

/// The bags of all trees, or of none.
fn bags(drafts: &mut [Draft]) -> Result<Option<Vec<Bag>>, Error> {
    let n_known = drafts.iter().filter(|draft| draft.bag.is_some()).count();
    if n_known == 0 {
        return Ok(None);
    }
    if let Some(tree) = drafts.iter().position(|draft| draft.bag.is_none()) {
        return Err(tree_error(tree, "has no `in_bag`, but other trees have"));
    }
    Ok(Some(drafts.iter_mut().filter_map(|draft| draft.bag.take()).collect()))
}

/// The case weights of the file must be those of the data.
fn check_weights(
    document: &Document,
    n_rows: Option<usize>,
    data: Option<&Dataset>,
) -> Result<(), Error> {
    let Some(weights) = &document.row_weights else {
        return Ok(());
    };
    if let Some(row) = weights.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0)) {
        return Err(Error::forest_file(
            format!("the entry {row} of `row_weights` is {}", weights[row]),
            "weights are finite numbers, zero or larger",
        ));
    }
    if let Some(n_rows) = n_rows.filter(|&n_rows| n_rows != weights.len()) {
        return Err(Error::forest_file(
            format!("`row_weights` has {} entries, but `in_bag` {n_rows}", weights.len()),
            "give one weight per training row",
        ));
    }
    let Some(data) = data else {
        return Ok(());
    };
    let agree = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-9 * one.abs();
    let same = match data.weights() {
        None => weights.iter().all(|&weight| weight == 1.0),
        Some(known) => known.len() == weights.len() && weights.iter().zip(known).all(agree),
    };
    if same {
        return Ok(());
    }
    Err(Error::forest_file(
        "the `row_weights` of the forest are not the case weights of the table",
        "give the table with the column of weights that the forest was grown with",
    ))
}
