//! From a table and a forest to the advice.

use crate::advice::cardinality::cardinality;
use crate::advice::case_weights::case_weights;
use crate::advice::dependence::dependence;
use crate::advice::dependent_rows::dependent_rows;
use crate::advice::forest_quality::{imbalance, strength, weak_forest};
use crate::advice::further::further;
use crate::advice::independent::independent;
use crate::advice::interactions::interactions;
use crate::advice::leakage::leakage;
use crate::advice::masking::masking;
use crate::advice::missingness::missingness;
use crate::advice::node_size::node_size;
use crate::advice::objectives::{Known, objectives, summary, without_measure};
use crate::advice::repeated_rows::repeated_rows;
use crate::advice::small_and_smooth::small_and_smooth;
use crate::advice::spread::spread;
use crate::advice::support::support;
use crate::advice::trees::too_few_trees;
use crate::advice::{Advice, Concern, named};
use crate::study::{Front, Study};
use wald::forest::{ClassWeight, ForestConfig};
use wald::setting;
use wald::work::{repeats, response_variance};
use wald::{Dataset, Error, Measure, MeasureId, Origin, SelectionConfig};

/// How it is tested.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdviceSettings {
    /// Level of the tests, in (0, 1).
    pub level: f64,
    /// Seed of rows, signs and forests that are drawn for comparison.
    pub seed: u64,
}

impl Default for AdviceSettings {
    fn default() -> Self {
        Self { level: 0.05, seed: 0 }
    }
}

impl AdviceSettings {
    /// Checks ranges.
    ///
    /// # Errors
    /// [`Error::Setting`] for a level outside of (0, 1).
    pub fn validate(self) -> Result<(), Error> {
        if self.level > 0.0 && self.level < 1.0 {
            return Ok(());
        }
        Err(Error::bad_setting(
            setting::LEVEL,
            format!("the level of the tests is {}", self.level),
            "give a probability above 0 and below 1; 0.05 is usual",
        ))
    }
}

/// What there is to say of a target that does not vary.
fn of_constant(data: &Dataset) -> Option<String> {
    let target = named(data.target().name());
    (response_variance(data) <= 0.0).then(|| {
        format!(
            "The target {target} is constant: no variable can help to predict it, and no measure can \
             distinguish variables. Choose another target."
        )
    })
}

/// What is measured before advice is given: means over trees show whether there are enough of them.
pub fn measures(origin: Origin<'_>, data: &Dataset) -> Vec<Measure> {
    let measure = Measure::from(MeasureId::MdaBreimanCutler);
    origin.check(&measure, data).map_or(Vec::new(), |()| vec![measure])
}

/// Tests what the choice of a measure depends on, and determines which measure answers which
/// question.
///
/// The result is the same for any number of threads. Cost, beside the forest: all pairs of variables
/// on at most 2000 rows, 9 forests of 100 trees on at most 3000 rows (17 where these leave doubt) with
/// additive fits of their predictions, 8 forests of 50 trees on at most 1000 rows, where variables depend on each other
/// 100 trees on at most 2000 rows, grown about five times, and for a numeric target of at most 500 rows
/// up to 11 Gaussian processes of at most 100 rows.
///
/// # Errors
/// [`Error::Setting`] for settings out of range or a configuration that does not fit the data,
/// [`Error::Data`] when a foreign forest has other classes than the data, and [`Error::Cancelled`].
pub fn advise(study: &Study, settings: AdviceSettings, front: &dyn Front) -> Result<Advice, Error> {
    settings.validate()?;
    let (data, run, wording) = (&*study.data, &front.run().unshared(), front.wording());
    let defaults = ForestConfig::default();
    let config = study.config.as_ref().unwrap_or(&defaults);
    config.resolve(data)?;
    let names = data.groups().names();
    let strength = strength(study)?;
    let weighing = &*data.of_positive_weight()?;
    // Copies of a row would be in bag and out of bag of a tree at once.
    let repeats = repeats(weighing);
    let distinct = &*repeats.without_copies(data)?;
    let of_weight = distinct.of_positive_weight()?;
    let independent = &*independent(&of_weight, settings.seed)?;
    let dependence = dependence(independent, settings.level, settings.seed, run)?;
    let support = support(independent, &dependence, run)?;
    let interactions = interactions(distinct, config, settings.level, settings.seed, run)?;
    let cardinality = cardinality(distinct, config, settings.seed, run)?;
    let mut findings = vec![
        dependence.finding(names),
        interactions.finding(),
        support.finding(names),
        weak_forest(strength),
        masking(study, &dependence, run)?,
        too_few_trees(study),
        node_size(study, strength.explained, wording)?,
        cardinality,
        leakage(distinct, settings.seed, run)?,
        repeated_rows(repeats),
        missingness(study, settings, wording)?,
        imbalance(study, wording),
        small_and_smooth(distinct, strength.explained, settings.seed, wording, run)?,
    ];
    findings.extend(dependent_rows(study, wording)?);
    findings.extend(case_weights(study, wording));
    let concern = |id: &str| {
        let of_id = findings.iter().find(|finding| finding.id == id);
        of_id.map_or(Concern::None, |finding| finding.concern)
    };
    let is_serious = |id: &str| concern(id) == Concern::Serious;
    let is_one_cluster =
        data.clusters().is_some_and(|of| of.iter().all(|cluster| cluster == &of[0]));
    let without_measure = without_measure(study.config.as_ref(), is_one_cluster, wording);
    let other_forest = match &study.config {
        _ if is_one_cluster => "A forest of at least two clusters",
        Some(config) if config.stratify => "A forest that draws all rows alike",
        Some(config) if config.class_weight != ClassWeight::Equal => {
            "A forest that weighs all rows alike"
        }
        _ => "A forest that is grown from the table",
    };
    let selection = SelectionConfig::new(config.clone(), MeasureId::SobolMda.into());
    let known = Known {
        dependence: &dependence,
        interactions: &interactions,
        strength,
        wording,
        n_rows: data.n_rows(),
        allowed: &study.allowed,
        without_measure: &without_measure,
        grows_again: study.config.is_some(),
        can_select: selection.check(data).is_ok(),
        other_forest,
        is_outside: is_serious("support"),
        favours_kinds: is_serious("cardinality"),
        hides: is_serious("masking"),
        is_smooth: concern("small_and_smooth") != Concern::None,
    };
    let objectives = objectives(known);
    let further = further(known, data, spread(study, settings, run)?.as_deref());
    let summary = match of_constant(data) {
        Some(sentence) => vec![sentence],
        None => summary(known, &findings, &objectives, names),
    };
    Ok(Advice { summary, findings, objectives, further })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use wald::data::{Column, Target};

    #[test]
    fn a_row_of_every_cluster_is_independent() {
        let numbers = || (0..60).map(f64::from).collect::<Vec<f64>>();
        let column = Column::numeric("x", numbers()).expect("finite");
        let target = Target::regression("y", numbers()).expect("finite");
        let data = Dataset::new(vec![column], target).expect("consistent");
        assert_eq!(independent(&data, 1).expect("rows").n_rows(), 60);
        let clusters: Vec<u32> = (0..60).map(|row| row / 4).collect();
        let data = data.with_clusters(clusters).expect("a cluster per row");
        let found = independent(&data, 1).expect("rows");
        assert_eq!(found.clusters().expect("clusters").len(), 15);
        let distinct: BTreeSet<&u32> = found.clusters().expect("clusters").iter().collect();
        assert_eq!(distinct.len(), 15);
    }
}
