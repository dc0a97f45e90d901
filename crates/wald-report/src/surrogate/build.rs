//! From what was found to the plain data of the page.

use std::collections::BTreeMap;

use wald::data::Response;
use wald::inference::Interval;
use wald::measure::MeasureId;
use wald::measure::references::{BENARD_2022, BREIMAN_2001, Reference};
use wald::message::Wording;
use wald::words::{counted, listed, percent};
use wald::{Dataset, Importance};
use wald_surrogate::{Settings, SourceKind, Surrogate, Way};

use super::page::{Judgement, LeftOut, SurrogateReport, TwoWays, Value};
use crate::build::{Page, today};
use crate::report::{Citation, ReportNotice};

impl SurrogateReport {
    /// Gathers all that the page shows.
    pub fn build(
        found: &Surrogate,
        runs: &Dataset,
        settings: &Settings,
        page: Page,
        wording: &dyn Wording,
    ) -> Self {
        let verdict = &found.judged.verdict;
        let notes = found.notes().map(|note| ReportNotice {
            kind: "note".to_owned(),
            column: None,
            message: note.worded(wording),
        });
        let confidence = percent(settings.confidence.get());
        let target = runs.target().name();
        Self {
            title: format!("What matters for {target}"),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            date: today(),
            command: page.command,
            seed: settings.forest.seed,
            target: target.to_owned(),
            source: page.source,
            n_runs: found.model.n_runs(),
            n_inputs: runs.n_features(),
            explained: found.judged.explained,
            believed: verdict.believed,
            verdict: format!("{}.", verdict.believed.advice()),
            reason: sentence(&verdict.reason),
            notices: page.notices.into_iter().chain(notes).collect(),
            measures: (0..found.two_step.len()).map(|at| two_ways(found, at, settings)).collect(),
            about: about(found, &confidence),
            confidence,
            judgements: judgements(found),
            left_out: left_out(found, runs),
            n_rows: found.sample.n_rows(),
            inputs: inputs(found),
            outside: found.outside.clone(),
            methods: methods(found, runs, settings),
            citations: references(found).into_values().map(Citation::from).collect(),
        }
    }
}

/// Words as a sentence.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(['.']).collect()
}

fn two_ways(found: &Surrogate, at: usize, settings: &Settings) -> TwoWays {
    let (direct, estimate) = (&found.direct[at], &found.two_step[at]);
    let importance = &estimate.importance;
    let info = MeasureId::parse(importance.id).map(MeasureId::info);
    let exact = found.exact_of(at);
    let around = |importance: &Importance, index: usize| {
        let value = importance.values[index]?;
        let error = importance.standard_errors.as_ref()?[index]?;
        let half = settings.confidence.normal() * error;
        Some(Interval { low: value - half, high: value + half })
    };
    let value = |index: usize| Value {
        name: importance.names[index].clone(),
        two_step: importance.values[index],
        errors: estimate.errors[index],
        interval: estimate.intervals[index],
        direct: direct.values[index],
        direct_interval: around(direct, index),
        exact: exact.map(|exact| exact.values[index]),
    };
    let order = match found.judged.verdict.believed {
        Way::TwoStep | Way::Neither => importance.order(),
        Way::Direct => direct.order(),
    };
    TwoWays {
        id: importance.id.to_owned(),
        name: info.map_or(importance.id, |info| info.name).to_owned(),
        estimand: info.map_or("", |info| info.estimand).to_owned(),
        unit: importance.unit.clone(),
        values: order.into_iter().map(value).collect(),
        notes: importance.notes_on_values().cloned().collect(),
    }
}

fn about(found: &Surrogate, confidence: &str) -> Vec<String> {
    let mut sentences = vec![
        format!(
            "Two steps: a Gaussian process is fitted to {}, provides the outputs of {}, and the \
             forest of these is measured.",
            counted(found.model.n_runs(), "run"),
            counted(found.sample.n_rows(), "row")
        ),
        format!(
            "Standard errors are apart by reason: the number of trees is finite, the sample is \
             finite, and the process is not the model, because runs are few. Intervals of \
             {confidence} include all of these{}; those of the forest of the runs include its finite \
             number of trees only.",
            if found.source.is_estimated() {
                ", but not the error of the law of inputs, which is estimated from the runs"
            } else {
                ""
            }
        ),
    ];
    if found.exact.is_some() {
        sentences.push(
            "Without forest: total Sobol indices of the process by the conditional laws of the \
             inputs, as a check of the second step."
                .to_owned(),
        );
    }
    sentences
}

fn judgements(found: &Surrogate) -> Vec<Judgement> {
    let explained = &found.judged.explained;
    let noise = found.model.noise_share();
    let all = [
        (
            "Explained by the process, refitted (ten-fold)",
            Some(explained.cross_validated),
            "Share of the variance of runs that it was not fitted to, lengths and noise included; \
             0.8 and more are needed.",
        ),
        (
            "Explained by the process, leave-one-out (Q²)",
            Some(explained.leave_one_out),
            "The same where only the prediction leaves out a run; far above the share before, lengths \
             depend on single runs.",
        ),
        (
            "Explained by the forest of the runs",
            explained.forest,
            "Out of bag; the process is to explain no less.",
        ),
        (
            "Predictive variance adequacy (PVA)",
            Some(found.judged.pva),
            "0 where squared errors are as large as the process claims; 0.7 where they are twice or \
             half as large.",
        ),
        (
            "Error of coverage (IAE-alpha)",
            Some(found.judged.iae_alpha),
            "Mean distance between the levels of predictive intervals and the shares of runs that \
             they contain: 0 is perfect, 0.5 the worst.",
        ),
        ("Noise", Some(noise), "Variance of the noise, as a share of that of the outputs."),
        (
            "Explained by the forest of the sample",
            found.explained_by_forest,
            "Out of bag; what is missing to 1 is what the second step cannot show.",
        ),
    ];
    all.map(|(name, value, reading)| Judgement {
        name: name.to_owned(),
        value,
        reading: reading.to_owned(),
    })
    .into()
}

/// Runs with their predictions; none where repeated runs were left out of the process.
fn left_out(found: &Surrogate, runs: &Dataset) -> Vec<LeftOut> {
    let errors = found.model.process().leave_one_out().errors;
    match runs.target().response() {
        Response::Regression(outputs) if outputs.len() == errors.len() => outputs
            .iter()
            .zip(errors)
            .map(|(&output, error)| LeftOut { output, predicted: output - error })
            .collect(),
        _ => Vec::new(),
    }
}

/// Where inputs come from, in words that follow "inputs".
fn law(source: SourceKind) -> &'static str {
    match source {
        SourceKind::Copula => {
            "drawn with the distributions of single inputs in the runs and a Gaussian copula that \
             was estimated from them"
        }
        SourceKind::Independent => {
            "drawn independently of each other, with the distributions of single inputs in the runs"
        }
        SourceKind::Law => "drawn from the law that was given",
        SourceKind::Rows => "taken from the table that was given",
    }
}

fn inputs(found: &Surrogate) -> String {
    let n_rows = counted(found.sample.n_rows(), "row");
    format!("Inputs of {n_rows} were {}.", law(found.source))
}

fn methods(found: &Surrogate, runs: &Dataset, settings: &Settings) -> String {
    let explained = &found.judged.explained;
    let names: Vec<&str> = found.two_step.iter().map(|one| one.importance.id).collect();
    format!(
        "A Gaussian process with a constant mean, a product kernel ({}) with a length for each \
         input, and noise was fitted by maximum likelihood to {} with wald {} to predict {}. It \
         explained {} of the variance of runs that it was not fitted to (ten-fold cross-validation; \
         closed-form leave-one-out: {}), a random forest (Breiman 2001) of the runs {} out of bag. \
         {} The process provided the outputs, and {} of a forest of {} of this sample was \
         computed, as suggested by Bénard et al. (2022). Standard errors are those of trees, rows and \
         the process, the latter from {} and from processes without a tenth of the runs. The random \
         seed was {}.",
        settings.kernel.id().replace('_', " "),
        counted(found.model.n_runs(), "run"),
        env!("CARGO_PKG_VERSION"),
        runs.target().name(),
        percent(explained.cross_validated),
        percent(explained.leave_one_out),
        explained.forest.map_or_else(|| "an unknown share".to_owned(), percent),
        inputs(found),
        listed(&names, "and"),
        counted(settings.forest.n_trees, "tree"),
        counted(settings.n_draws, "drawn function"),
        settings.forest.seed,
    )
}

fn references(found: &Surrogate) -> BTreeMap<&'static str, Reference> {
    let measures = found.two_step.iter().filter_map(|one| MeasureId::parse(one.importance.id));
    let of_measures = measures.flat_map(|id| id.info().references).copied();
    let all = [BREIMAN_2001, BENARD_2022].into_iter().chain(of_measures);
    all.map(|reference| (reference.key, reference)).collect()
}
