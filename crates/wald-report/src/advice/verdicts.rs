//! Which measure serves which objective in which cell of Table 2 of Bénard, Da Veiga & Scornet 2022,
//! and what is known of the measures that the table does not have.

use crate::advice::Validity::{self, Careful, Invalid, Valid};
use crate::advice::{Answer, Verdict};
use wald::measure::MeasureId;

/// The two objectives of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Objective {
    /// (i): few variables, best accuracy.
    Selection,
    /// (ii): all influential variables.
    Influence,
}

/// A column of Table 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    Independent { is_additive: bool },
    Additive,
    Interacting,
}

/// The cells that the evidence does not rule out.
pub(super) fn possible(dependence: Answer, interactions: Answer) -> Vec<Cell> {
    let of = |answer: Answer| match answer {
        Answer::Yes => &[true][..],
        Answer::No => &[false],
        Answer::Unknown => &[false, true],
    };
    let cell = |is_dependent: bool, interacts: bool| match (is_dependent, interacts) {
        (false, interacts) => Cell::Independent { is_additive: !interacts },
        (true, false) => Cell::Additive,
        (true, true) => Cell::Interacting,
    };
    let pairs = of(dependence).iter().flat_map(|&dependent| {
        of(interactions).iter().map(move |&interacts| cell(dependent, interacts))
    });
    pairs.collect()
}

/// Measures that are judged, in the order in which equally valid ones are listed.
fn judged() -> Vec<MeasureId> {
    let place = |id: &MeasureId| id.info().facts.verdicts.map(|verdicts| verdicts.place);
    let mut judged: Vec<MeasureId> =
        MeasureId::ALL.iter().copied().filter(|id| place(id).is_some()).collect();
    judged.sort_by_key(place);
    judged
}

/// All measures, valid ones first. Where the evidence leaves several cells, a measure that serves in
/// some of them only is to be used with care.
pub(super) fn verdicts(
    objective: Objective,
    allowed: &[MeasureId],
    cells: &[Cell],
    favours_kinds: bool,
) -> Vec<Verdict> {
    let judged = judged().into_iter().filter(|id| allowed.contains(id));
    let mut all: Vec<Verdict> =
        judged.filter_map(|id| verdict(id, objective, cells, favours_kinds)).collect();
    all.sort_by_key(|verdict| match verdict.validity {
        Valid => 0,
        Careful => 1,
        Invalid => 2,
    });
    all
}

fn verdict(
    id: MeasureId,
    objective: Objective,
    cells: &[Cell],
    favours_kinds: bool,
) -> Option<Verdict> {
    let info = id.info();
    let row = info.facts.verdicts?.row;
    let rule = match objective {
        Objective::Selection => &row.selection,
        Objective::Influence => &row.influence,
    };
    let of_cell = |cell: &Cell| {
        let at = match cell {
            Cell::Independent { .. } => 0,
            Cell::Additive => 1,
            Cell::Interacting => 2,
        };
        // Impurity decreases have a limit that means something only where effects add up.
        let is_impurity = info.facts.has_limit_where_additive;
        let interacts = *cell == Cell::Independent { is_additive: false };
        if is_impurity && interacts {
            (rule.serves[2], rule.because[2])
        } else {
            (rule.serves[at], rule.because[at])
        }
    };
    let found: Vec<(Validity, &str)> = cells.iter().map(of_cell).collect();
    let all = |validity: Validity| found.iter().all(|(of, _)| *of == validity);
    let (validity, reason) = match found.first() {
        Some((_, because)) if all(Valid) => (Valid, (*because).to_owned()),
        Some((_, because)) if all(Invalid) => (Invalid, (*because).to_owned()),
        Some((_, because)) if all(Careful) => (Careful, (*because).to_owned()),
        _ => {
            let worst = found
                .iter()
                .find(|(of, _)| *of == Invalid)
                .or_else(|| found.iter().find(|(of, _)| *of == Careful));
            let because = worst.map_or("", |(_, because)| *because);
            (Careful, format!("The evidence does not settle it. It may be that: {because}"))
        }
    };
    let learns_by_heart = favours_kinds && info.facts.favours_many_values;
    let (validity, reason) = if learns_by_heart && validity != Invalid {
        let why = "Variables of many values are favoured on these data even if they are irrelevant \
                   (see the finding on kinds of variables).";
        (Invalid, why.to_owned())
    } else {
        (validity, reason)
    };
    Some(Verdict {
        measure: info.id.to_owned(),
        name: info.name.to_owned(),
        validity,
        reason,
        source: row.source.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 2 of the paper, word for word.
    #[test]
    fn permutation_importances_are_valid_as_table_2_says() {
        let valid = |measure: &str, cell: Cell| -> Vec<&str> {
            let of = |objective, name| {
                let all = verdicts(objective, MeasureId::ALL, &[cell], false);
                let found = all.iter().find(|one| one.measure == measure).expect("is judged");
                assert_ne!(found.validity, Careful, "{measure}");
                (found.validity == Valid).then_some(name)
            };
            of(Objective::Selection, "i")
                .into_iter()
                .chain(of(Objective::Influence, "ii"))
                .collect()
        };
        for is_additive in [false, true] {
            for measure in ["mda_train_test", "mda_breiman_cutler", "mda_ishwaran_kogalur"] {
                assert_eq!(valid(measure, Cell::Independent { is_additive }), ["i", "ii"]);
                assert!(valid(measure, Cell::Interacting).is_empty());
            }
        }
        assert_eq!(valid("mda_train_test", Cell::Additive), ["ii"]);
        assert_eq!(valid("mda_breiman_cutler", Cell::Additive), ["ii"]);
        assert_eq!(valid("mda_ishwaran_kogalur", Cell::Additive), ["i"]);
        // Theorem 2.
        assert_eq!(valid("sobol_mda", Cell::Additive), ["i"]);
        assert_eq!(valid("sobol_mda", Cell::Interacting), ["i"]);
        assert_eq!(valid("shapley_effects", Cell::Interacting), ["ii"]);
    }

    #[test]
    fn every_judged_measure_has_a_verdict_for_each_objective() {
        let cells = possible(Answer::Unknown, Answer::Unknown);
        for objective in [Objective::Selection, Objective::Influence] {
            let all = verdicts(objective, MeasureId::ALL, &cells, false);
            assert_eq!(all.len(), judged().len());
            assert!(all.iter().all(|one| !one.reason.is_empty() && !one.source.is_empty()));
        }
    }

    #[test]
    fn what_is_not_settled_calls_for_care() {
        let cells = possible(Answer::Yes, Answer::Unknown);
        assert_eq!(cells, [Cell::Additive, Cell::Interacting]);
        let all = verdicts(Objective::Influence, MeasureId::ALL, &cells, false);
        let of =
            |measure: &str| all.iter().find(|one| one.measure == measure).map(|one| one.validity);
        assert_eq!(of("mda_breiman_cutler"), Some(Careful));
        assert_eq!(of("mda_ishwaran_kogalur"), Some(Invalid));
        let all = verdicts(Objective::Selection, MeasureId::ALL, &cells, false);
        assert_eq!(all[0].measure, "sobol_mda");
        assert_eq!(all[0].validity, Valid);
        assert_eq!(possible(Answer::Unknown, Answer::Unknown).len(), 4);
    }

    #[test]
    fn measures_that_favour_kinds_of_variables_are_not_valid_where_kinds_differ() {
        let cells = [Cell::Independent { is_additive: true }];
        let all = verdicts(Objective::Influence, MeasureId::ALL, &cells, true);
        let of =
            |measure: &str| all.iter().find(|one| one.measure == measure).map(|one| one.validity);
        assert_eq!(of("mdi"), Some(Invalid));
        assert_eq!(of("mdi_oob"), Some(Careful));
    }
}
