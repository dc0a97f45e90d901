//! How the forest was grown and measured, in words to paste into a paper.

use std::collections::BTreeMap;
use wald::words::{counted, listed};

use crate::advice::in_sentence;
use crate::making::Parts;
use crate::report::ForestSummary;
use crate::study::Study;
use wald::Importance;
use wald::data::{Target, Task};
use wald::forest::{ForestConfig, Impurity, PValues, Sampling, Settings, Splitting, Trend};
use wald::measure::Measure;
use wald::measure::references::{
    BENARD_2022, BREIMAN_1984, BREIMAN_2001, FRIEDMAN_2001, GEURTS_2006, GOLDSTEIN_2015, HO_1998,
    HOTHORN_2006, ISHWARAN_2019, LI_2019, LOUPPE_2013, LUNDBERG_2020, Reference,
};

/// Measures of the report, those that are advised and were not asked for at the end.
pub(super) fn shown<'a>(
    study: &'a Study,
    parts: &'a Parts,
) -> impl Iterator<Item = (&'a Measure, &'a Importance)> {
    let advised = parts.advised.iter().map(|(measure, importance)| (measure, importance));
    study.importances().chain(advised)
}

/// The works that the paragraph cites, by key.
pub(super) fn references(study: &Study, parts: &Parts) -> BTreeMap<&'static str, Reference> {
    let measures = shown(study, parts).map(|(measure, _)| measure);
    let of_measures = measures.flat_map(|measure| measure.id().info().references);
    let of_growing = study.config.as_ref().map_or(vec![BREIMAN_1984], |config| {
        let subspace = config.subspace.map(|_| HO_1998);
        let splitting = match config.splitting {
            Splitting::Best => BREIMAN_1984,
            Splitting::RandomThreshold => GEURTS_2006,
            Splitting::Multiway => LOUPPE_2013,
            Splitting::Conditional => HOTHORN_2006,
        };
        subspace.into_iter().chain([splitting]).collect()
    });
    let of_rows = parts.explanations.as_ref().map(|_| LUNDBERG_2020);
    let has_curves = parts.variables.iter().any(|page| !page.curves.is_empty());
    let mut of_parts: Vec<Reference> = Vec::new();
    of_parts.extend(parts.has_intervals().then_some(ISHWARAN_2019));
    of_parts.extend(parts.selection.as_ref().map(|_| BENARD_2022));
    if parts.disagreement.is_some() {
        of_parts.extend([BENARD_2022, LI_2019]);
    }
    if has_curves {
        of_parts.extend([FRIEDMAN_2001, GOLDSTEIN_2015]);
    }
    [BREIMAN_2001]
        .iter()
        .chain(&of_rows)
        .chain(&of_parts)
        .chain(&of_growing)
        .chain(of_measures)
        .map(|reference| (reference.key, *reference))
        .collect()
}

/// A paragraph to paste into a paper.
pub(super) fn methods(study: &Study, parts: &Parts, forest: &ForestSummary) -> String {
    let data = &*study.data;
    let (kind, criterion) = match data.target().task() {
        Task::Regression => ("regression", "variance"),
        Task::Classification => ("classification", "Gini impurity"),
    };
    let mut text = format!(
        "A random forest (Breiman 2001) of {} was {} wald {} on {}{}{} and {} \
         to predict {}.",
        counted(forest.n_trees, &format!("{kind} tree")),
        if study.config.is_some() { "grown with" } else { "analysed with" },
        env!("CARGO_PKG_VERSION"),
        counted(data.n_rows(), "row"),
        if data.clusters().is_some() { " in clusters" } else { "" },
        if data.weights().is_some() { " with case weights" } else { "" },
        counted(data.n_features(), "input variable"),
        data.target().name(),
    );
    if let Some(config) = &study.config
        && let Ok(settings) = config.resolve(data)
    {
        let units = if data.clusters().is_some() { "clusters" } else { "rows" };
        let rows = match settings.sampling {
            Sampling::Bootstrap => format!("a bootstrap sample of the {units}"),
            Sampling::Subsample => format!(
                "a subsample of {} % of the {units} without replacement",
                settings.sample_fraction * 100.0
            ),
            Sampling::All => "all rows".to_owned(),
        };
        let criterion = match settings.impurity {
            Impurity::Entropy => "entropy",
            Impurity::Poisson => "half the Poisson deviance",
            Impurity::AbsoluteError => "absolute deviation from the median",
            Impurity::Variance | Impurity::Gini => criterion,
        };
        text += &format!(
            " Each tree was grown on {rows}{}; at each node with more than {}, {}.{} The random seed \
             was {}.",
            variables(config),
            match settings.min_node_size {
                1 => "one draw".to_owned(),
                n => counted(n, "draw"),
            },
            division(&settings, criterion),
            constraints(config, data.target()),
            config.seed
        );
    }
    if let Some(explained) = forest.explained_variance {
        text +=
            &format!(" Out of bag the forest explained {:.1} % of the variance", 100.0 * explained);
        text += &match forest.auc {
            Some(area) => format!(" (Brier score), with an area under the curve of {area:.3}."),
            None if data.target().task() == Task::Classification => " (Brier score).".to_owned(),
            None => ".".to_owned(),
        };
    }
    for (measure, importance) in shown(study, parts) {
        let info = measure.id().info();
        let cited: Vec<String> =
            info.references.iter().map(|reference| reference.short.to_owned()).collect();
        text += &format!(
            " Importance by {} was computed as in {}.",
            in_sentence(info.name),
            listed(&cited, "and")
        );
        if importance.p_values.iter().flatten().any(Option::is_some) {
            text += " Its p-values compare with the values at or below zero of variables of the \
                     same type, mirrored at zero; they are not adjusted for the number of \
                     variables.";
        }
    }
    text += &of_parts(parts);
    if let Some(explanations) = &parts.explanations {
        text += &format!(
            " Predictions for {} were explained by Shapley values (path-dependent TreeSHAP; \
             {}).",
            counted(explanations.rows.len(), "row"),
            LUNDBERG_2020.short
        );
    }
    text
}

/// What was done beside measuring.
fn of_parts(parts: &Parts) -> String {
    let mut text = String::new();
    if parts.has_intervals() {
        text += &format!(
            " Intervals also cover the sampling error of the rows, which was estimated by forests \
             on parts of them ({}).",
            ISHWARAN_2019.short
        );
    }
    if parts.disagreement.is_some() {
        text += &format!(
            " Differences between measures were traced to impurity decreases on out-of-bag rows \
             ({}) and to the terms of the permutation importance and variables that stand in for \
             each other ({}).",
            LI_2019.short, BENARD_2022.short
        );
    }
    if let Some(selection) = &parts.selection {
        text += &format!(
            " Variables were selected by backward elimination with `{}` in cross-validation ({}, \
             Algorithm 2).",
            selection.measure, BENARD_2022.short
        );
    }
    if parts.variables.iter().any(|page| !page.curves.is_empty()) {
        text += &format!(
            " Partial dependence was computed as in {}, curves of single rows as in {}.",
            FRIEDMAN_2001.short, GOLDSTEIN_2015.short
        );
    }
    text
}

/// Which variables a tree uses, where it does not use all.
fn variables(config: &ForestConfig) -> String {
    match config.subspace {
        None => String::new(),
        Some(subspace) => format!(" and {subspace} randomly drawn variables (Ho 1998)"),
    }
}

/// How a node is divided.
fn division(settings: &Settings, criterion: &str) -> String {
    let mtry = settings.mtry;
    match settings.splitting {
        Splitting::Best => format!(
            "the best of all splits on {mtry} randomly drawn variables was taken by the decrease \
             in {criterion} (Breiman et al. 1984)"
        ),
        Splitting::RandomThreshold if mtry == 1 => "one random split on one randomly drawn \
                                                    variable was taken (totally randomized \
                                                    trees; Geurts, Ernst & Wehenkel 2006)"
            .to_owned(),
        Splitting::RandomThreshold => format!(
            "the best of {mtry} random splits, one for each of {mtry} randomly drawn variables, \
             was taken by the decrease in {criterion} (Geurts, Ernst & Wehenkel 2006)"
        ),
        Splitting::Multiway => {
            let of = if mtry == 1 {
                "a randomly drawn variable that no node above splits on".to_owned()
            } else {
                format!(
                    "the best, by the decrease in {criterion}, of {mtry} randomly drawn variables \
                     that no node above splits on"
                )
            };
            let pure = if settings.split_pure { ", also in pure nodes" } else { "" };
            format!("a child was made for every level of {of}{pure} (Louppe et al. 2013)")
        }
        Splitting::Conditional => conditional_division(settings),
    }
}

/// The variables with which predictions may change in one direction only.
fn constraints(config: &ForestConfig, target: &Target) -> String {
    let [rising, falling] = Trend::ALL.map(|trend| listed(&config.monotonic.names(trend), "and"));
    let predictions = match target.classes() {
        Some([.., second]) => format!("the probability of {second}"),
        _ => "predictions".to_owned(),
    };
    let of = match (rising.as_str(), falling.as_str()) {
        ("", "") => return String::new(),
        (names, "") => format!("decreased with {names}"),
        ("", names) => format!("increased with {names}"),
        (rising, falling) => format!("decreased with {rising} or increased with {falling}"),
    };
    format!(" Splits after which {predictions} would have {of} were not made.")
}

fn conditional_division(settings: &Settings) -> String {
    let p_values = match settings.p_values {
        PValues::Univariate => "p-value",
        PValues::Bonferroni => "p-value (Bonferroni-adjusted)",
    };
    let above = match settings.min_criterion {
        0.0 => String::new(),
        criterion => format!(", if 1 - p was above {criterion}"),
    };
    format!(
        "the variable with the smallest {p_values} of the quadratic test of independence from the \
         target, of {} randomly drawn variables, was divided where its two-sample statistic was \
         largest{above} (conditional inference trees; Hothorn, Hornik & Zeileis 2006)",
        settings.mtry
    )
}
