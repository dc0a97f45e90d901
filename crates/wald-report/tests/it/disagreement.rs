//! Why measures disagree, against the paper, the measures and procedures behind them.

use wald::simulate::BenardExample1;
use wald::{Dataset, ForestConfig, MeasureId, Run};
use wald_report::Depth;

use crate::parts::{copies, made, measure};
use crate::support::{Shape, dataset, threads};

/// Bénard et al. 2022, Table 3: S-MDA .45 .08 .08 .05 .05 of X3, X4, X5, X1, X2, BC-MDA .37 .10 .09
/// .24 .24 (of twice the variance), IK-MDA .43 .14 .13 .29 .28.
#[test]
fn terms_are_those_of_the_paper() {
    let data = BenardExample1::default().draw(3000, 1).expect("valid");
    let (mtry, min_node_size) = (Some(2), Some(5));
    let config = ForestConfig { n_trees: 300, mtry, min_node_size, ..ForestConfig::default() };
    let made = made(&data, &config, Depth::Quick);
    let published = [
        ("x3", 0.45, 2.0 * 0.37 - 0.43, 0.43 - 0.45),
        ("x4", 0.08, 2.0 * 0.10 - 0.14, 0.14 - 0.08),
        ("x5", 0.08, 2.0 * 0.09 - 0.13, 0.13 - 0.08),
        ("x1", 0.05, 2.0 * 0.24 - 0.29, 0.29 - 0.05),
        ("x2", 0.05, 2.0 * 0.24 - 0.28, 0.28 - 0.05),
    ];
    for (name, total, full, third) in published {
        let found = made.variable(name).decomposition.expect("all three measures");
        for (found, expected) in
            [(found.total_sobol, total), (found.full_total_sobol, full), (found.third, third)]
        {
            assert!((found - expected).abs() < 0.06, "{name}: {found} for {expected}");
        }
    }
    // Permuting ranks X1 and X2 second and third, and Sobol-MDA last: the third term.
    for (name, other) in [("x1", "x2"), ("x2", "x1")] {
        let variable = made.variable(name);
        assert!(variable.rank_spread >= 2);
        let words = format!("arises from dependence (by ranks it depends most on \"{other}\": ");
        assert!(variable.sentence.contains("Permuting it costs 2"), "{}", variable.sentence);
        let (_, rest) = variable.sentence.split_once(&words).expect("its partner");
        // Spearman's correlation of normal variables with correlation .9, of 2000 of the rows.
        let (found, _) = rest.split_once(')').expect("a number");
        let expected = 6.0 / std::f64::consts::PI * 0.45_f64.asin();
        let found: f64 = found.parse().expect("a number");
        assert!((found - expected).abs() < 0.02, "{}", variable.sentence);
    }
    assert!(!made.variable("x3").sentence.contains("Permuting"));
}

#[test]
fn terms_are_made_of_the_measures() {
    let shape = Shape { n_rows: 150, n_classes: 3, missing: true, weights: true, seed: 4 };
    let data = dataset(shape);
    let config = ForestConfig { n_trees: 30, ..ForestConfig::default() };
    let made = made(&data, &config, Depth::Quick);
    let ids = [
        MeasureId::Mdi,
        MeasureId::MdiOob,
        MeasureId::MdaBreimanCutler,
        MeasureId::MdaIshwaranKogalur,
        MeasureId::SobolMda,
        MeasureId::TotalSobolFull,
    ];
    let run = &Run::on(threads());
    let measured = made.forest().measure(&data, &ids.map(measure), run).expect("apply");
    let [mdi, mdi_oob, _, ishwaran, sobol, full] = measured.importances.as_slice() else {
        panic!("six measures")
    };
    // The variance is what total_sobol_full divides by.
    let breiman = &measured.importances[2];
    for (at, name) in measured.groups.names().iter().enumerate() {
        let value = |importance: &wald::Importance| importance.values[at].expect("defined");
        let variable = made.variable(name);
        let terms = variable.decomposition.expect("made");
        assert!((terms.full_total_sobol - value(full)).abs() < 1e-12);
        assert_eq!(terms.total_sobol, value(sobol));
        let share = |importance| value(importance) / (value(breiman) - value(ishwaran));
        if value(full).abs() > 1e-6 {
            let third = share(ishwaran) * value(full) - value(sobol);
            assert!((terms.third - third).abs() < 1e-9, "{name}");
        }
        let overfitting = variable.overfitting.expect("made");
        let (in_bag, unseen) = (overfitting.in_bag, overfitting.out_of_bag);
        let difference = unseen * value(mdi) - in_bag * value(mdi_oob);
        assert!(difference.abs() < 1e-12, "{name}");
        assert_eq!(in_bag > 0.0, name != "constant");
        assert!((0.0..1.0).contains(&in_bag));
        // Of splits that remove nothing, nobody is redundant.
        if variable.sentence.contains("Its splits remove") {
            assert!(in_bag >= 0.005 && !variable.sentence.contains("remove -"));
            assert!(
                !variable.sentence.contains("carry the same information") || unseen >= 0.005,
                "{name}"
            );
        }
    }
}

#[test]
fn copies_stand_in_for_each_other() {
    let data = copies(400);
    let config = ForestConfig { n_trees: 60, ..ForestConfig::default() };
    let made = made(&data, &config, Depth::Full);
    let both = vec!["a".to_owned(), "b".to_owned()];
    let grouped = data.clone().with_groups(&[("both".to_owned(), both)]).expect("columns");
    let run = &Run::on(threads());
    let value = |data: &Dataset, name: &str| {
        let measured = made.forest().measure(data, &[measure(MeasureId::SobolMda)], run);
        let measured = measured.expect("applies");
        let at = measured.groups.names().iter().position(|known| known == name).expect("known");
        measured.importances[0].values[at].expect("defined")
    };
    for (name, other) in [("a", "b"), ("b", "a")] {
        let variable = made.variable(name);
        let [partner] = variable.partners.as_slice() else { panic!("{variable:?}") };
        assert_eq!(partner.name, other);
        assert_eq!(partner.alone, value(&data, other));
        assert_eq!(partner.together, value(&grouped, "both"));
        assert!(partner.together > 0.5 && partner.alone < 0.1);
        let words = format!("\"{other}\" can replace it: leaving it out ");
        assert!(variable.sentence.contains(&words), "{}", variable.sentence);
    }
    for name in ["c", "d"] {
        let variable = made.variable(name);
        assert_eq!(variable.partners, []);
        assert!(!variable.sentence.contains("carry the same information"), "{}", variable.sentence);
    }
}

#[test]
fn masking_is_importance_by_mtry() {
    let data = copies(200);
    let config = ForestConfig { n_trees: 40, ..ForestConfig::default() };
    let made = made(&data, &config, Depth::Full);
    let run = &Run::on(threads());
    let mtry = [1, 2, 3, 4];
    let found = wald::masking::masking(&data, &config, &measure(MeasureId::MdiOob), &mtry, run);
    let found = found.expect("valid");
    for (at, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let points = &made.variable(name).masking;
        assert_eq!(points.len(), 4);
        for (point, importance) in points.iter().zip(&found.importances) {
            // Of what is above zero: no share exceeds the whole.
            let total: f64 = importance.values.iter().flatten().map(|value| value.max(0.0)).sum();
            let share = 100.0 * importance.values[at].expect("defined") / total;
            assert!((point.share - share).abs() < 1e-9);
            assert!(point.share <= 100.0);
        }
        assert_eq!(points.iter().map(|point| point.mtry).collect::<Vec<_>>(), mtry);
    }
}
