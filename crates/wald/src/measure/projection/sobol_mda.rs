//! Sobol-MDA: Bénard, Da Veiga & Scornet 2022, section 3.1.

use std::collections::BTreeMap;

use crate::data::{Dataset, Truth};
use crate::error::Error;
use crate::forest::{Aggregation, Forest};
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{BENARD_2022, Reference};
use crate::measure::definition::verdicts::{
    INDEPENDENT, Judgement, NOT_WHAT_IS_SHARED, Row, Validity, Verdicts,
};
use crate::measure::definition::{
    Copies, KeptAltered, Kind, MeasureDef, MeasureInfo, MeasureOption, MeasureSettings,
    Requirement, Scale, Term,
};
use crate::measure::kernel::altered_predictions::{Altered, AlteredTree, Increases};
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::part::Taken;
use crate::measure::kernel::row_sums::Shape;
use crate::measure::projection::kernel::masking::{ComparedTree, Hidden, TooLarge, material};
use crate::measure::projection::kernel::projected_cart::Projection;
use crate::measure::projection::kernel::sets::Sets;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};
use crate::run::Run;

const IN_ALL_CASES: &str = "\
    Estimates the total Sobol index, also where variables depend on each other and interact.";

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Valid, Validity::Valid, Validity::Valid],
        because: [IN_ALL_CASES; 3],
    },
    influence: Judgement {
        serves: [Validity::Valid, Validity::Invalid, Validity::Invalid],
        because: [INDEPENDENT, NOT_WHAT_IS_SHARED, NOT_WHAT_IS_SHARED],
    },
    source: "Bénard, Da Veiga & Scornet 2022, Theorem 2",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "sobol_mda";
    const CALLED: &'static [&'static str] = &["sobol", "sobolindex", "totalsobol"];
    const NAME: &'static str = "Sobol-MDA";
    const ESTIMAND: &'static str = "\
        The share of the target's variance that is no longer explained without the variable (its \
        total Sobol index), by projecting every tree onto the other variables; valid for dependent \
        variables, too";
    const CAVEAT: &'static str = "\
        Only what no other variable explains counts: two variables that can replace each other are \
        both near zero. An irrelevant variable has a small negative value, which approaches zero \
        with more rows. If variables depend on each other and mtry is near their number, as in \
        scikit-learn's regression forests, a variable masks its possible substitutes and its value \
        is too large: use a smaller mtry, or total_sobol_regrow";
    const SOURCE: &'static str = "Bénard, Da Veiga & Scornet 2022, section 3.1 and Algorithm 1";
    const REFERENCES: &'static [Reference] = &[BENARD_2022];
    const UNIT: &'static str = "share of the variance of the target";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "\
        one to three times that of growing the forest, for any number of variables";
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = &[
        Requirement::OutOfBagRows,
        Requirement::EqualTrees,
        Requirement::MeansOfRows,
        Requirement::SharesOfClasses,
    ];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const CLASSIFICATION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::PerClass];
    const OF_SEVERAL_TARGETS: bool = true;
    const KIND: Kind = Kind::TotalSobol;
    const STANDS_FOR_PART: bool = true;
    const COPIES: Copies = Copies::All;
    const TERM: Option<Term> = Some(Term::TotalSobol);
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 1, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        let hidden = Hidden::for_notes(subject)?;
        Ok(Plan::fold(SobolMda { hidden, ..SobolMda::new(settings, subject) }))
    }

    fn altered(settings: &MeasureSettings) -> Option<KeptAltered> {
        Some(KeptAltered::of_part(settings.part))
    }
}

#[derive(Debug)]
struct SobolMda {
    /// Tests for masking in the first trees.
    hidden: Option<Hidden>,
    aggregation: Aggregation,
    n_rows: usize,
    n_groups: usize,
    n_outputs: usize,
    per_class: bool,
    /// Which trees and rows stand for all.
    part: Option<Taken>,
    truth: Truth,
    /// Sets of groups that stand in the place of groups: whether each group is in each.
    sets: Option<Vec<Vec<bool>>>,
    /// Names of the sets; none for groups.
    names: Vec<String>,
}

/// The measure of sets of groups, which may have groups in common: one value per set, named by its
/// groups. Cost per set about that of dividing all rows at all nodes of the trees that are looked at. Where no two
/// sets have a group in common, some trees are grown again without each set to see whether values are too large.
///
/// # Errors
/// As [`Forest::measure`].
pub fn jointly(
    forest: &Forest,
    data: &Dataset,
    sets: &[Vec<usize>],
    settings: &MeasureSettings,
    run: &Run,
) -> Result<Importance, Error> {
    let n_trees = settings.part.map_or(usize::MAX, |part| part.n_trees);
    let of = Sets::of(forest, data, sets);
    forest.fold(of.united.as_ref().unwrap_or(data), n_trees, run, |subject| {
        let groups = subject.groups;
        let places = of.places(groups);
        let hidden = places.as_ref().and_then(|places| {
            // Settings that a forest was grown with fit its data.
            Some(Hidden::for_notes(subject).ok()??.of(places))
        });
        let has = |at: usize| {
            let mut has = vec![false; groups.n_groups()];
            match &places {
                Some(places) => has[places[at]] = true,
                None => sets[at].iter().for_each(|&group| has[group] = true),
            }
            has
        };
        let n_groups = sets.len();
        let sets = Some((0..n_groups).map(has).collect());
        let names = of.names.clone();
        SobolMda { hidden, n_groups, sets, names, ..SobolMda::new(settings, subject) }
    })
}

/// Groups whose values are too large because the forest hides variables that could take their place,
/// and by how much, the largest excess first. So many trees are grown again.
///
/// # Errors
/// As [`Forest::measure`].
pub fn too_large(
    forest: &Forest,
    data: &Dataset,
    n_trees: usize,
    run: &Run,
) -> Result<Vec<(usize, f64)>, Error> {
    let settings = MeasureSettings::default();
    let found = forest.fold(data, usize::MAX, run, |subject| {
        // Settings that a forest was grown with fit its data.
        let hidden = Hidden::new(subject, n_trees).ok().flatten();
        Excesses(SobolMda { hidden, ..SobolMda::new(&settings, subject) })
    })?;
    let excess = |(group, excess): (usize, Option<f64>)| excess.map(|excess| (group, excess));
    let mut found: Vec<(usize, f64)> =
        found.values.into_iter().enumerate().filter_map(excess).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(found)
}

/// By group what the value is too large by; none where it is not.
#[derive(Debug)]
struct Excesses(SobolMda);

impl Fold for Excesses {
    type Part = <SobolMda as Fold>::Part;
    type Total = <SobolMda as Fold>::Total;

    fn tree(&self, view: &TreeView<'_>) -> Self::Part {
        self.0.tree(view)
    }

    fn fits(&self, tree: usize, part: &Self::Part) -> bool {
        self.0.fits(tree, part)
    }

    fn merge(&self, total: &mut Self::Total, part: Self::Part) {
        self.0.merge(total, part);
    }

    fn finish(&self, total: Self::Total, outcome: Outcome<'_>) -> Importance {
        let found = self.0.values(&total.0, outcome);
        let mut excesses = vec![None; found.values.len()];
        let too_large = self.0.too_large(&total.0, &total.1, &found.values, outcome);
        for found in material(&too_large) {
            excesses[found.value] = Some(found.excess);
        }
        Importance { values: excesses, ..found }
    }
}

impl SobolMda {
    fn new(settings: &MeasureSettings, subject: Subject<'_>) -> Self {
        Self {
            hidden: None,
            aggregation: subject.forest.aggregation(),
            n_rows: subject.training.n_rows(),
            n_groups: subject.groups.n_groups(),
            n_outputs: subject.training.n_outputs(),
            per_class: settings.per_class,
            part: Taken::of(settings, subject),
            truth: subject.training.truth().clone(),
            sets: None,
            names: Vec::new(),
        }
    }

    fn shape(&self) -> Shape {
        Shape { n_rows: self.n_rows, n_groups: self.n_groups, width: self.n_outputs }
    }

    fn values(&self, total: &Altered, outcome: Outcome<'_>) -> Importance {
        let found = total.increases(self.n_groups, outcome);
        share_of_variance(&Definition::INFO, &found, self.per_class, self.part.as_ref(), outcome)
    }

    fn too_large(
        &self,
        total: &Altered,
        compared: &[ComparedTree],
        values: &[Option<f64>],
        outcome: Outcome<'_>,
    ) -> Vec<TooLarge> {
        let hidden = self.hidden.as_ref();
        hidden.map_or_else(Vec::new, |hidden| hidden.too_large(compared, total, values, outcome))
    }

    fn compared(&self, view: &TreeView<'_>, changes: &Changes) -> Option<ComparedTree> {
        self.hidden.as_ref().and_then(|hidden| hidden.tree(view, changes))
    }

    fn changes(&self, view: &TreeView<'_>) -> Changes {
        match &self.sets {
            None => Projection::changes(view, self.aggregation),
            Some(sets) => {
                let leaves_out = |set: usize, group: usize| sets[set][group];
                Projection::onto(view, self.aggregation, sets.len(), &leaves_out)
            }
        }
    }
}

impl Fold for SobolMda {
    /// `None` for trees that are not looked at.
    type Part = Option<(AlteredTree, Option<ComparedTree>)>;
    type Total = (Altered, Vec<ComparedTree>);

    fn tree(&self, view: &TreeView<'_>) -> Self::Part {
        let Some(part) = &self.part else {
            let changes = self.changes(view);
            let compared = self.compared(view, &changes);
            return Some((AlteredTree::new(view, self.aggregation, changes, Vec::new()), compared));
        };
        if !part.has_tree(view.index) {
            return None;
        }
        let placed = part.placed(view);
        let some = placed.as_ref().map(|placed| view.with_rows(placed));
        let view = some.as_ref().unwrap_or(view);
        let changes = self.changes(view);
        let compared = self.compared(view, &changes);
        Some((AlteredTree::of_part(view, self.aggregation, changes), compared))
    }

    fn fits(&self, _: usize, part: &Self::Part) -> bool {
        part.as_ref().is_none_or(|(tree, compared)| {
            tree.fits(self.shape(), self.part.is_some())
                && compared.as_ref().is_none_or(|compared| compared.fits(self.shape()))
        })
    }

    fn merge(&self, (total, all): &mut Self::Total, part: Self::Part) {
        let shape = self.shape();
        let Some((tree, compared)) = part else { return };
        match &self.part {
            Some(part) => total.add_of_part(tree, shape, &self.truth, self.aggregation, part),
            None => total.add(tree, shape),
        }
        all.extend(compared);
    }

    fn finish(&self, total: Self::Total, outcome: Outcome<'_>) -> Importance {
        let mut found = self.values(&total.0, outcome);
        found.names.clone_from(&self.names);
        let too_large = self.too_large(&total.0, &total.1, &found.values, outcome);
        let note = self.hidden.as_ref().and_then(|hidden| hidden.note(&too_large, outcome));
        found.notes.extend(note);
        if !too_large.is_empty() {
            let mut excesses = vec![None; found.values.len()];
            too_large.iter().for_each(|of| excesses[of.value] = Some(of.excess));
            found.excesses = Some(excesses);
        }
        found
    }
}

/// The increase of the squared loss over all rows, in shares of the variance of the target; of
/// classes also by class, if asked for.
pub(crate) fn share_of_variance(
    info: &MeasureInfo,
    found: &Increases,
    per_class: bool,
    part: Option<&Taken>,
    outcome: Outcome<'_>,
) -> Importance {
    let variance = found.variance.unwrap_or_else(|| outcome.training.response_variance());
    let scaled = |sums: &[f64], weight: f64| -> Vec<Option<f64>> {
        let divisor = variance * weight;
        sums.iter().map(|sum| (divisor > 0.0).then(|| sum / divisor)).collect()
    };
    // Rows that stand for all rows of the table add an error of their own; those of the table stand for
    // others (Williamson, Gilbert, Simon & Carone 2021).
    let drawn = part.map_or(0.0, |part| 1.0 - part.n_rows as f64 / part.of_rows as f64);
    let errors = |share_of_rows: f64, of_rows: &[f64]| -> Option<Vec<Option<f64>>> {
        let of_trees = found.standard_errors.as_ref()?;
        let of_rows = of_rows.iter().copied().chain(std::iter::repeat(0.0));
        let both = |(trees, rows): (&f64, f64)| (trees * trees + share_of_rows * rows).sqrt();
        let both: Vec<f64> = of_trees.iter().zip(of_rows).map(both).collect();
        Some(scaled(&both, found.weight))
    };
    // Rows are drawn one by one to stand for those of the table; but where these are in clusters, the table
    // is a sample of clusters. A single one does not show how much they differ.
    let total = errors(1.0, found.of_clusters.as_ref().unwrap_or(&found.of_rows));
    let finite = |error: Option<f64>| error.filter(|error| error.is_finite());
    let mut notes = Vec::new();
    if let Some(part) = part {
        notes.push(format!("from {}", part.words()));
    }
    if found.n_never > 0 {
        notes.push(format!("rows never out of bag, which count as unchanged: {}", found.n_never));
    }
    if variance <= 0.0 {
        notes.push("undefined, because the target is constant".to_owned());
    }
    let classes = outcome.classes.iter().zip(&found.per_class).zip(&found.class_weights);
    let by_class = classes.map(|((class, sums), weight)| (class.clone(), scaled(sums, *weight)));
    Importance {
        loss: Some(Loss::Squared.id()),
        values: scaled(&found.values, found.weight),
        standard_errors: errors(drawn, &found.of_rows),
        total_errors: total.map(|all| all.into_iter().map(finite).collect()),
        per_class: per_class.then(|| by_class.collect()),
        settings: BTreeMap::from([("normalise", "variance".to_owned())]),
        notes,
        ..info.importance()
    }
}
