//! Which sentence comes out of which numbers, and how values are counted.

use crate::making::compared::Compared;
use crate::making::masked::Hidden;
use crate::making::sentences::{
    Facts, Overfit, Shared, Standing, Third, apart, ordinal, percent, sentence,
};
use crate::parts::{Distribution, MaskingPoint};
use wald::data::Column;
use wald::importance::{DataUsed, Importance};
use wald::measure::{Measure, MeasureId, MeasureSettings};

/// A measure of three variables with the same standard error.
fn compared(id: MeasureId, values: [f64; 3], error: Option<f64>) -> Compared {
    let measure = Measure::new(id, MeasureSettings::default()).expect("defaults");
    let importance = Importance {
        data: DataUsed::OutOfBag,
        unit: String::new(),
        values: values.map(Some).to_vec(),
        standard_errors: error.map(|error| vec![Some(error); 3]),
        ..id.info().importance()
    };
    Compared::over_trees(&measure, &importance)
}

const MDI: &str = "Mean decrease in impurity";
const SOBOL: &str = "Sobol-MDA";
const PERMUTED: &str = "Permutation importance (Breiman-Cutler)";

fn all_facts() -> Facts {
    let point = |mtry, share| MaskingPoint { mtry, share };
    Facts {
        overfitting: Some(Overfit { in_bag: 0.2, out_of_bag: 0.05, is_something: true }),
        partner: Some(Standing { name: "b".to_owned(), own: 0.004, alone: 0.012, together: 0.121 }),
        shared: Some(Shared { out_of_bag: 0.18, lost: 0.004, with: None }),
        third: Some(Third { share: 0.052, with: "b".to_owned(), dependence: 0.9 }),
        hidden: Some(Hidden { first: point(1, 12.0), last: point(3, 3.1) }),
    }
}

#[test]
fn ranks_alone_say_whether_measures_agree() {
    let facts = Facts::default();
    let text = |one, other, error| {
        let measures =
            [compared(MeasureId::Mdi, one, error), compared(MeasureId::SobolMda, other, error)];
        sentence(&measures, 0, &facts)
    };
    assert_eq!(text([3.0, 2.0, 1.0], [3.0, 2.0, 1.0], Some(0.1)), "Both measures rank it 1st.");
    assert_eq!(
        text([3.0, 2.9, 1.0], [2.9, 3.0, 1.0], Some(0.1)),
        "Its ranks, 1 to 2, differ by no more than their errors allow."
    );
    assert_eq!(
        text([3.0, 2.0, 1.0], [1.0, 2.0, 3.0], None),
        "Its ranks, 1 to 3, come without all their errors, and may differ by chance."
    );
    assert_eq!(
        text([3.0, 2.0, 1.0], [1.0, 2.0, 3.0], Some(0.1)),
        format!(
            "{MDI} ranks it 1st and {SOBOL} 3rd, which is more than their errors explain. None of \
             the tested causes exceeds its error."
        )
    );
}

#[test]
fn causes_are_named_where_they_bear_on_the_measures() {
    let (high, low) = ([3.0, 2.0, 1.0], [1.0, 2.0, 3.0]);
    let text = |better, worse, facts: &Facts| {
        sentence(&[compared(better, high, Some(0.1)), compared(worse, low, Some(0.1))], 0, facts)
    };
    let begin = |one: &str, other: &str| {
        format!("{one} ranks it 1st and {other} 3rd, which is more than their errors explain.")
    };
    let overfitting = "Its splits remove 20 % of the target's impurity in rows that trees have \
                       seen, but 5.0 % in rows they have not seen: the rest is overfitting.";
    let partner = "\"b\" can replace it: leaving it out costs 0.40 % of the variance, leaving out \
                        \"b\" costs 1.2 %, but leaving out both costs 12 %.";
    let third = "Permuting it costs 5.2 % of the variance more than leaving it out: a term that \
                 is not an importance and arises from dependence (by ranks it depends most on \
                 \"b\": 0.90).";
    let hidden = "Others are chosen before it: it has 12 % of all positive importances together \
                  where 1 variable is tried at a node, and 3.1 % where 3 are.";
    let facts = all_facts();
    assert_eq!(
        text(MeasureId::Mdi, MeasureId::SobolMda, &facts),
        format!("{} {overfitting} {partner} {hidden}", begin(MDI, SOBOL))
    );
    assert_eq!(
        text(MeasureId::MdaBreimanCutler, MeasureId::SobolMda, &facts),
        format!("{} {partner} {third} {hidden}", begin(PERMUTED, SOBOL))
    );
    // What Sobol-MDA finds more important is no matter of what permuting adds.
    let only_third = Facts { third: facts.third.clone(), ..Facts::default() };
    assert!(text(MeasureId::SobolMda, MeasureId::Mdi, &only_third).ends_with("exceeds its error."));
    // What is the case whatever the ranks is reported also where measures agree.
    let measures = [MeasureId::Mdi, MeasureId::SobolMda].map(|id| compared(id, high, Some(0.1)));
    let agreed = sentence(&measures, 0, &facts);
    assert_eq!(agreed, format!("Both measures rank it 1st. {partner} {hidden}"));
}

#[test]
fn what_others_tell_is_said_without_a_partner_too() {
    let measures =
        [MeasureId::Mdi, MeasureId::SobolMda].map(|id| compared(id, [3.0, 2.0, 1.0], Some(0.1)));
    let text = |lost, with: Option<(&str, f64)>| {
        let with = with.map(|(name, dependence)| (name.to_owned(), dependence));
        let shared = Some(Shared { out_of_bag: 0.18, lost, with });
        sentence(&measures, 0, &Facts { shared, ..Facts::default() })
    };
    assert_eq!(
        text(0.004, Some(("b", 0.912))),
        "Both measures rank it 1st. Its splits remove 18 % of the target's impurity in rows that \
         trees have not seen, but leaving it out costs only 0.40 % of the variance: other \
         variables carry the same information (by ranks it depends most on \"b\": 0.91)."
    );
    assert!(
        text(0.004, Some(("b", 0.999)))
            .ends_with("(by ranks it depends most on \"b\": above 0.99).")
    );
    // Hardly any dependence is no reason.
    assert!(text(0.004, Some(("b", 0.05))).contains(
        "of the variance: without it, the trees predict as well by other splits (by ranks"
    ));
    assert!(text(-0.01, None).ends_with(
        "but leaving it out costs nothing: without it, the trees predict as well by other splits."
    ));
}

#[test]
fn ranks_are_apart_where_their_intervals_do_not_meet() {
    let measures = [
        compared(MeasureId::Mdi, [3.0, 2.0, 1.0], Some(0.1)),
        compared(MeasureId::SobolMda, [1.0, 2.0, 3.0], Some(0.1)),
        compared(MeasureId::MdiOob, [1.0, 3.0, 2.0], Some(5.0)),
    ];
    let of = |variable: usize| {
        let found = apart(&measures, variable);
        found.iter().map(|pair| (pair.better.id, pair.worse.id, pair.ranks)).collect::<Vec<_>>()
    };
    assert_eq!(of(0), [("mdi", "sobol_mda", [1, 3])]);
    assert_eq!(of(1), []);
    assert_eq!(of(2), [("sobol_mda", "mdi", [1, 3])]);
    assert_eq!(measures[0].correlation(&measures[1]), Some(-1.0));
    // Ranks 3, 2, 1 and 1, 3, 2: 1 - 6 (4 + 1 + 1) / (3 * 8).
    assert!((measures[0].correlation(&measures[2]).expect("varies") + 0.5).abs() < 1e-12);
    let flat = compared(MeasureId::Mdi, [1.0; 3], None);
    assert_eq!(flat.correlation(&measures[0]), None);
}

#[test]
fn numbers_are_told_with_enough_digits() {
    assert_eq!(
        [0.004, 0.0123, 0.1237, -0.002, 1.0, -0.00001].map(percent),
        ["0.40 %", "1.2 %", "12 %", "-0.20 %", "100 %", "0 %"]
    );
    assert_eq!(
        [1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal),
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"]
    );
}

fn numbers(values: &[f64]) -> Distribution {
    Distribution::of(&Column::numeric("x", values.to_vec()).expect("finite"))
}

#[test]
fn every_row_is_counted_once() {
    let whole = numbers(&[0.0, 2.0, 2.0, f64::NAN, 3.0]);
    let Distribution::Numeric { edges, counts } = &whole else { panic!("numbers") };
    assert_eq!(
        (edges.as_slice(), counts.as_slice()),
        (&[-0.5, 0.5, 1.5, 2.5, 3.5][..], &[1, 0, 2, 1][..])
    );
    let same = numbers(&[7.25; 3]);
    assert_eq!(same, Distribution::Numeric { edges: vec![6.75, 7.75], counts: vec![3] });
    let none = numbers(&[f64::NAN; 2]);
    assert_eq!(none, Distribution::Numeric { edges: vec![0.0], counts: Vec::new() });
    let far = numbers(&[-f64::MAX, 0.0, f64::MAX]);
    let Distribution::Numeric { edges, counts } = far else { panic!("numbers") };
    assert!(edges.is_sorted() && edges.iter().all(|edge| edge.is_finite()));
    assert_eq!(counts, [1, 0, 1, 0, 1]);
    let codes = (0..40).map(|row| row % 15).collect();
    let levels = (0..15).map(|level| format!("level {level}")).collect();
    let column = Column::categorical("x", levels, codes).expect("codes of levels");
    let Distribution::Categorical { counts, others } = Distribution::of(&column) else {
        panic!("levels");
    };
    assert_eq!((counts.len(), counts[0].1, others), (12, 3, 6));
    assert_eq!(counts.iter().map(|(_, count)| count).sum::<usize>() + others, 40);
}
