//! Samples of the process, and the importances of their forests.

use wald::data::{Column, ColumnData, Response, Target};
use wald::work::{Purpose, Stream};
use wald::{Dataset, Features, Measure};
use wald_surrogate::{Law, Margin, Model, Source, SourceKind, Surrogate, Way, surrogate};

use crate::worlds::{polynomial, runs, small, table, threads};

fn measures(names: &[&str]) -> Vec<Measure> {
    names.iter().map(|name| name.parse().expect("a measure")).collect()
}

/// The two-step estimates agree with the exact indices of the process up to their errors, which are
/// small; those of the forest of 100 runs are far off.
#[test]
fn a_large_sample_shows_what_few_runs_hide() {
    let otl = |x: &[f64]| x[0] * x[1] + 2.0 * (x[2] - 0.5).powi(2) + 0.0 * x[3];
    let data = runs(100, &[(0.0, 1.0); 4], otl);
    let settings = small(2500, 40);
    let found =
        surrogate(&data, &Source::Independent, &measures(&["sobol_mda"]), &settings, &threads(2));
    let found = found.expect("valid settings");
    assert_eq!(found.judged.verdict.believed, Way::TwoStep, "{}", found.judged.verdict.reason);
    assert!(found.judged.explained.cross_validated > 0.95);
    let exact = found.exact.expect("independent inputs");
    let estimate = &found.two_step[0];
    for (at, exact) in exact.values.iter().enumerate() {
        let value = estimate.importance.values[at].expect("defined");
        let errors = estimate.errors[at].expect("defined");
        assert!((value - exact).abs() < 0.05, "x{}: {value}, not {exact}", at + 1);
        assert!((value - exact).abs() < 3.0 * errors.total() + 0.02);
        let interval = estimate.intervals[at].expect("defined");
        assert!(interval.low <= value && value <= interval.high);
    }
    let direct = found.direct[0].values[2].expect("defined");
    assert!((direct - exact.values[2]).abs() > 0.05, "the forest of the runs is far off");
}

/// Repeated runs must not give each other away, neither to the process nor to the forest: noise stays noise,
/// however often it is repeated, with equal outputs and inputs and with nearly equal ones, so that all of them
/// are runs of the process.
#[test]
fn repeated_runs_of_noise_are_not_believed() {
    for (between, apart) in [(0.0, 0.0), (1e-3, 0.0), (1e-3, 1e-4)] {
        let mut stream = Stream::new(5, 0, Purpose::Simulation { part: 4 });
        let mut column = || (0..15).map(|_| stream.unit()).collect::<Vec<f64>>().repeat(3);
        let (mut inputs, mut outputs) = (vec![column(), column()], column());
        inputs.iter_mut().flatten().for_each(|input| *input += apart * stream.unit());
        outputs.iter_mut().for_each(|output| *output += between * stream.unit());
        let data = table(inputs, outputs);
        let (source, settings) = (Source::Independent, small(200, 10));
        let found = surrogate(&data, &source, &measures(&["mdi"]), &settings, &threads(2));
        let judged = found.expect("valid settings").judged;
        assert_eq!(judged.verdict.believed, Way::Neither, "{}", judged.verdict.reason);
        assert!(judged.explained.cross_validated < 0.5, "{:?}", judged.explained);
        assert!(judged.explained.forest < Some(0.3), "{:?}", judged.explained);
    }
}

/// Inputs that do not vary change nothing but the order of draws.
#[test]
fn constant_inputs_do_not_spoil_the_forests() {
    let f = |x: &[f64]| 3.0 * x[0] + x[1];
    let varying = runs(40, &[(0.0, 1.0); 2], f);
    let with_constants = runs(40, &[(0.0, 1.0), (0.0, 1.0), (2.0, 2.0), (2.0, 2.0)], f);
    let found = [varying, with_constants].map(|data| {
        let found = surrogate(
            &data,
            &Source::Independent,
            &measures(&["sobol_mda"]),
            &small(1000, 30),
            &threads(2),
        );
        let found = found.expect("valid settings");
        (found.two_step[0].importance.values[0], found.explained_by_forest.expect("out of bag"))
    });
    let [(Some(alone), _), (Some(beside), explained)] = found else { panic!("undefined") };
    assert!((alone - 0.9).abs() < 0.05 && (beside - 0.9).abs() < 0.05, "{alone} {beside}");
    assert!(explained > 0.97, "{explained}");
}

/// Equal bits for any number of threads.
#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let data = polynomial(40);
    let find = |n| {
        let settings = small(600, 10);
        let measures = measures(&["sobol_mda", "mdi"]);
        surrogate(&data, &Source::Copula, &measures, &settings, &threads(n))
            .expect("valid settings")
    };
    let (one, three) = (find(1), find(3));
    assert_eq!(one.two_step, three.two_step);
    assert_eq!(one.exact, three.exact);
    assert_eq!(one.judged, three.judged);
    assert!(one.sample.is_same(&three.sample));
}

/// Rows of a file replace a law: their columns may stand in any order, and no exact indices are known.
#[test]
fn given_rows_are_the_sample() {
    let data = polynomial(60);
    let mut stream = Stream::new(3, 0, Purpose::Simulation { part: 2 });
    let mut column = |name: &str, half: f64| {
        let values = (0..500).map(|_| half * (2.0 * stream.unit() - 1.0)).collect();
        Column::numeric(name, values).expect("finite numbers")
    };
    let columns =
        vec![column("x3", 0.9), column("other", 1.0), column("x1", 0.9), column("x2", 2.0)];
    let rows = Features::new(columns).expect("distinct names");
    let settings = small(300, 10);
    let found = surrogate(&data, &Source::Rows(&rows), &measures(&["mdi"]), &settings, &threads(2));
    let found = found.expect("valid settings");
    assert_eq!((found.source, found.sample.n_rows()), (SourceKind::Rows, 300));
    assert!(found.exact.is_none());
    let outside: Vec<&str> = found.outside.iter().map(|outside| outside.input.as_str()).collect();
    assert_eq!(outside, ["x2"], "half of its values are beyond 1");
    assert!((found.outside[0].share - 0.5).abs() < 0.1);
    assert_eq!(found.sample.features().names(), ["x1", "x2", "x3"]);
}

/// A quarter of the variance of 2 x1 + e, both uniform, is noise; units do not matter.
#[test]
fn the_share_of_noise_is_that_of_the_runs() {
    let mut stream = Stream::new(8, 0, Purpose::Simulation { part: 5 });
    let x: Vec<f64> = (0..100).map(|_| stream.unit()).collect();
    // Variances are 4 / 12 and (2 / sqrt 3)^2 / 12.
    let noise = (0..100).map(|_| 2.0 / 3.0_f64.sqrt() * (stream.unit() - 0.5));
    let y: Vec<f64> = x.iter().zip(noise).map(|(x, noise)| 2.0 * x + noise).collect();
    let settings = wald_gp::FitSettings { n_starts: 2, ..wald_gp::FitSettings::default() };
    let share = |unit: f64| {
        let data = table(vec![x.clone()], y.iter().map(|y| unit * y).collect());
        Model::fit(&data, &settings, &threads(1)).expect("runs that vary").noise_share()
    };
    // The variance of 100 numbers errs by a seventh.
    assert!((share(1.0) - 0.25).abs() < 0.1, "{}", share(1.0));
    assert!((share(1000.0) / share(1.0) - 1.0).abs() < 1e-3, "{}", share(1000.0));
}

/// A forest of few rows explains little of a product: its values are far below total indices. Of rows that are
/// given, that is seen on as many rows of their copula; of a known law, it is known.
#[test]
fn given_rows_have_the_bias_of_rows_of_their_copula() {
    let data = runs(80, &[(-1.0, 1.0); 3], |x| x[0] * x[1] * x[2]);
    let mut stream = Stream::new(9, 0, Purpose::Simulation { part: 6 });
    let mut column = |name: &str| {
        let values = (0..400).map(|_| 2.0 * stream.unit() - 1.0).collect();
        Column::numeric(name, values).expect("finite numbers")
    };
    let rows = Features::new(["x1", "x2", "x3"].map(&mut column).to_vec()).expect("distinct names");
    let law = Law::new(vec![Margin::Uniform { low: -1.0, high: 1.0 }; 3], None);
    let (settings, sobol) = (small(400, 40), measures(&["sobol_mda"]));
    let find = |source: &Source<'_>| {
        surrogate(&data, source, &sobol, &settings, &threads(2)).expect("valid settings")
    };
    let (given, known) = (find(&Source::Rows(&rows)), find(&Source::Law(law)));
    let exact = known.exact.as_ref().expect("a known law");
    for (at, exact) in exact.values.iter().enumerate() {
        let value = |found: &Surrogate| found.two_step[0].importance.values[at].expect("defined");
        let errors = given.two_step[0].errors[at].expect("defined");
        let interval = given.two_step[0].intervals[at].expect("defined");
        let bias = value(&known) - exact;
        assert!((errors.rows / bias.abs() - 1.0).abs() < 0.15, "{errors:?}, bias {bias}");
        assert!(interval.high >= *exact && value(&given) < 0.3, "{interval:?}, {exact}");
    }
}

/// Categorical inputs are indicators for the process, and levels in the sample.
#[test]
fn categorical_inputs_keep_their_levels() {
    let numbers = polynomial(45);
    let codes: Vec<u32> = (0..45).map(|row| row % 3).collect();
    let ColumnData::Numeric(x) = numbers.features().columns()[0].data() else {
        unreachable!("numbers");
    };
    let outputs = x.iter().zip(&codes).map(|(x, &code)| x + 4.0 * f64::from(code == 1)).collect();
    let levels = ["a", "b", "c"].map(str::to_owned).to_vec();
    let columns = vec![
        Column::numeric("x", x.to_vec()).expect("finite numbers"),
        Column::categorical("kind", levels, codes).expect("known levels"),
    ];
    let target = Target::regression("y", outputs).expect("finite numbers");
    let data = std::sync::Arc::new(Dataset::new(columns, target).expect("equal lengths"));
    let settings = small(1500, 20);
    let found =
        surrogate(&data, &Source::Copula, &measures(&["sobol_mda"]), &settings, &threads(2));
    let found = found.expect("valid settings");
    assert!(found.judged.explained.cross_validated > 0.98);
    // Variances of a uniform number on (-1, 1), and of 4 with probability 1/3.
    let (x, kind) = (1.0 / 3.0, 16.0 * 2.0 / 9.0);
    let exact = found.exact.expect("independent inputs");
    assert!((exact.values[0] - x / (x + kind)).abs() < 0.04, "{}", exact.values[0]);
    assert!((exact.values[1] - kind / (x + kind)).abs() < 0.04, "{}", exact.values[1]);
}

/// A process made again from its parameters predicts as before; of runs without noise, the runs.
#[test]
fn a_process_is_made_again_from_its_parameters() {
    let data = polynomial(30);
    let settings = wald_gp::FitSettings::default();
    let model = Model::fit(&data, &settings, &threads(2)).expect("runs that vary");
    let parameters = model.process().parameters().clone();
    let again = Model::at_parameters(&data, settings.kernel, parameters.clone());
    let again = again.expect("known parameters");
    let predict = |model: &Model, n| {
        model.predict(data.features(), &threads(n)).expect("the inputs of the runs")
    };
    assert_eq!(predict(&model, 1), predict(&again, 3));
    let Response::Regression(outputs) = data.target().response() else { unreachable!("numbers") };
    for (predicted, output) in predict(&model, 1).iter().zip(outputs) {
        assert!((predicted.mean - output).abs() < 1e-3, "{predicted:?}, not {output}");
        assert!(predicted.variance < 1e-4);
    }
    let few = wald_gp::Parameters { log_lengths: vec![0.0], ..parameters };
    assert!(Model::at_parameters(&data, settings.kernel, few).is_err());
}
