//! Local scores of all rows by the measures that the figures compare.

use wald::explain::Rows;
use wald::forest::argmax;
use wald::{Dataset, ExplanationId, ExplanationSettings, Features, Forest, Progress, Run, Threads};

use crate::failure::Failure;

/// Name in the figures and in wald; those that wald has are compared.
const MEASURES: [(&str, &str); 3] =
    [("Local MDI", "local_mdi"), ("Saabas", "saabas"), ("TreeSHAP", "tree_shap")];

/// The measures, by the names of the figures.
pub(super) fn measures() -> Vec<(&'static str, ExplanationId)> {
    let known = |(name, id): &(&'static str, &str)| Some((*name, ExplanationId::parse(id)?));
    MEASURES.iter().filter_map(known).collect()
}

/// What is missing of the measures of the figures.
pub(super) fn left_out() -> Option<String> {
    let unknown = MEASURES.iter().filter(|(_, id)| ExplanationId::parse(id).is_none());
    let names: Vec<&str> = unknown.map(|(name, _)| *name).collect();
    (!names.is_empty()).then(|| format!("wald does not have yet: {}", names.join(", ")))
}

/// `[row][variable]`; for classes, of the class that the forest predicts for the
/// row.
pub(super) fn scores(
    data: &Dataset,
    forest: &Forest,
    rows: &Features,
    id: ExplanationId,
    threads: Threads,
) -> Result<Vec<Vec<f64>>, Failure> {
    let progress = Progress::new();
    let predictions = forest.predict(rows, &Run::new(threads, &progress))?;
    let n_classes = forest.target().n_outputs();
    let predicted: Vec<usize> = predictions.chunks_exact(n_classes).map(argmax).collect();
    let settings = ExplanationSettings::default();
    let explainer = forest.explainer(data, Rows::Other(rows), id, &settings)?;
    let n_outputs = explainer.layout().n_outputs();
    let mut scores = Vec::with_capacity(rows.n_rows());
    explainer.run(&Run::new(threads, &progress), |row, record| {
        let class = if n_outputs > 1 { predicted[row] } else { 0 };
        scores.push(record.chunks_exact(n_outputs).map(|numbers| numbers[class]).collect());
    })?;
    Ok(scores)
}
