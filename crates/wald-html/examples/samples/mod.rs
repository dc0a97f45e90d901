//! Reports that exercise the page: usual ones and unusual ones. Their numbers are made up.

mod advised;
mod answered;
mod explained;
mod few_runs;
mod parts;
mod words;

use wald::data::Task;
use wald_report::{
    Citation, ColumnKind, ColumnSummary, Confusion, DataSummary, ForestSummary, MeasureSummary,
    NamedValue, RankedVariable, Report, ReportNotice,
};

/// Names that try to break out of the page or its layout.
pub(crate) const HOSTILE: [&str; 16] = [
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "<!--",
    "]]>",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt;",
    "javascript:alert(1)",
    "emoji 🧬👩🏽‍🔬",
    "עברית עם english",
    "العمر (سنة)",
    "two\nlines",
    "carriage\rreturn",
    "\u{1b}[31mred\u{1b}[0m",
    "separators \u{2028}\u{2029}\u{202e}reversed",
    "",
];

pub(crate) use few_runs::few_runs;

/// Every sample with the name of its file.
pub(crate) fn all() -> Vec<(&'static str, Report)> {
    vec![
        ("regression", regression()),
        ("binary", binary()),
        ("multiclass", multiclass()),
        ("many_classes", many_classes()),
        ("hostile", hostile()),
        ("wide", wide()),
        ("broad", broad()),
        ("single", single()),
        ("undefined", undefined()),
        ("bare", bare()),
    ]
}

const HOUSING: [&str; 13] = [
    "rooms",
    "lower_status",
    "distance",
    "crime_rate",
    "nitric_oxides",
    "pupil_teacher_ratio",
    "tax",
    "age",
    "industry",
    "black",
    "highway_access",
    "zoned",
    "river",
];

fn regression() -> Report {
    let names = owned(&HOUSING);
    let mut report = report(Task::Regression, "median_value", &names, 3);
    report.data.columns[12].kind =
        ColumnKind::Categorical { most_frequent: vec![("no".into(), 471), ("yes".into(), 35)] };
    report.data.columns[12].n_distinct = 2;
    report.explanations = Some(explained::explanations(&names, None, 300));
    parts::fill(&mut report, 13);
    report
}

fn binary() -> Report {
    let parts = [
        "radius",
        "texture",
        "perimeter",
        "area",
        "smoothness",
        "compactness",
        "concavity",
        "concave points",
        "symmetry",
        "fractal dimension",
    ];
    let kinds = ["mean", "error", "worst"];
    let names: Vec<String> = kinds
        .iter()
        .flat_map(|kind| parts.iter().map(move |part| format!("{kind} {part}")))
        .collect();
    let mut report = report(Task::Classification, "benign", &names, 4);
    classify(&mut report, &["malignant", "benign"]);
    report.explanations =
        Some(explained::explanations(&names, Some(&["malignant", "benign"]), 250));
    report.forest.auc = Some(0.990_4);
    parts::fill(&mut report, 30);
    report.data.n_rows_read = 571;
    report.data.notices = vec![
        notice("note", None, "2 rows without a value of the target were left out"),
        notice(
            "id-like",
            Some("worst area"),
            "has 544 distinct values in 569 rows: it may be an identifier",
        ),
        notice(
            "leak",
            Some("mean concavity"),
            "predicts the target almost alone: was it known before the target?",
        ),
        notice("missing", Some("error texture"), "has 61 missing values, 10.7 % of the rows"),
    ];
    report
}

fn multiclass() -> Report {
    let names =
        owned(&["flipper length", "bill length", "bill depth", "body mass", "island", "sex"]);
    let mut report = report(Task::Classification, "species", &names, 2);
    let species = ["Adelie", "Chinstrap", "Gentoo"];
    classify(&mut report, &species);
    report.explanations = Some(explained::explanations(&names, Some(&species), 120));
    report.answer = Some(answered::answer("species", &names, 3));
    report
}

fn many_classes() -> Report {
    let mut report = report(Task::Classification, "product", &owned(&["size", "price"]), 1);
    let classes: Vec<String> = (0..60).map(|i| format!("product {i}")).collect();
    let classes: Vec<&str> = classes.iter().map(String::as_str).collect();
    classify(&mut report, &classes);
    report
}

fn hostile() -> Report {
    let mut names = owned(&HOSTILE);
    names.push(format!("long {}", "abcdefghi ".repeat(499)));
    names.push("unbroken".repeat(625));
    let target = "</title><script>alert(2)</script>";
    let mut report = report(Task::Classification, target, &names, 2);
    let classes = ["<b>yes</b>", "\u{202e}no", ""];
    classify(&mut report, &classes);
    report.explanations = Some(explained::explanations(&names, Some(&classes), 60));
    parts::fill(&mut report, 18);
    report.answer = Some(answered::answer(target, &names, 14));
    let attack = "</script><img src=x onerror=alert(3)>";
    report.data.source = format!("{attack}.csv");
    report.command = format!("wald report '{attack}.csv' --target '{target}'");
    report.methods.push_str(attack);
    report.citations[0].text.push_str(attack);
    report.forest.settings.push((attack.into(), attack.into()));
    report.measures[0].notes.push(attack.into());
    report.data.notices.push(notice(attack, Some(attack), attack));
    report.data.columns[3].kind =
        ColumnKind::Categorical { most_frequent: vec![(attack.into(), 3), ("x".repeat(5000), 2)] };
    report
}

fn wide() -> Report {
    let names: Vec<String> = (0..1000).map(|i| format!("gene_{i:04}")).collect();
    let mut report = report(Task::Regression, "expression", &names, 5);
    parts::fill(&mut report, 100);
    report
}

/// As many variables as most tables have at most, with all parts.
fn broad() -> Report {
    let names: Vec<String> = (0..200).map(|i| format!("sensor_{i:03}_temperature")).collect();
    let mut report = report(Task::Regression, "output", &names, 4);
    report.explanations = Some(explained::explanations(&names, None, 300));
    parts::fill(&mut report, 100);
    report
}

fn single() -> Report {
    let names = owned(&["dose"]);
    let mut report = report(Task::Regression, "yield", &names, 1);
    report.explanations = Some(explained::explanations(&names, None, 1));
    report
}

fn undefined() -> Report {
    let mut report = report(Task::Regression, "constant", &owned(&HOUSING[..4]), 2);
    report.forest.explained_variance = None;
    report.forest.errors[0].value = 0.0;
    for measure in &mut report.measures {
        for variable in measure.ranking.iter_mut().skip(1) {
            (variable.value, variable.standard_error) = (None, None);
            (variable.low, variable.high) = (None, None);
        }
    }
    report.measures[0].ranking[0].value = Some(f64::NAN);
    report.measures[1].ranking[0].value = Some(f64::INFINITY);
    report.data.columns[0].kind = ColumnKind::Numeric { minimum: None, mean: None, maximum: None };
    report
}

/// As little as a report can hold.
fn bare() -> Report {
    let mut report = report(Task::Regression, "y", &[], 0);
    report.forest.convergence.clear();
    report.forest.settings.clear();
    report.citations.clear();
    report
}

fn report(task: Task, target: &str, names: &[String], n_measures: usize) -> Report {
    let loss = if task == Task::Regression { "mean squared error" } else { "misclassified share" };
    let convergence =
        (1..=50).map(|i| (i * 10, 11.2 + 9.0 / f64::from(i as u32) + 0.2 * noise(i, 99))).collect();
    Report {
        title: format!("What matters for {target}"),
        version: "0.1.0".into(),
        date: "2026-11-21".into(),
        command: format!("wald report table.csv --target {target} --trees 500 --seed 1"),
        seed: 1,
        task,
        target: target.into(),
        predictions: None,
        data: DataSummary {
            source: "table.csv".into(),
            n_rows_read: 12_345,
            n_rows: 12_345,
            n_features: names.len(),
            n_missing: 61,
            target: column(target, 0),
            columns: names.iter().enumerate().map(|(i, name)| column(name, i + 1)).collect(),
            notices: Vec::new(),
        },
        forest: ForestSummary {
            n_trees: 500,
            mean_leaves: 41.372,
            mean_depth: 9.418,
            settings: [("trees", "500"), ("mtry", "5"), ("min-node-size", "5"), ("sampling", "bootstrap")]
                .map(|(name, value)| (name.into(), value.into())).to_vec(),
            n_rows_out_of_bag: 12_345,
            errors: vec![
                NamedValue { id: "loss".into(), name: loss.into(), value: 11.234_567 },
                NamedValue { id: "absolute".into(), name: "mean absolute error".into(), value: 0.021_934 },
            ],
            explained_variance: (task == Task::Regression).then_some(0.865_432_1),
            auc: None,
            confusion: None,
            convergence,
            convergence_loss: "loss".into(),
        },
        measures: words::MEASURES.iter().take(n_measures).enumerate()
            .map(|(i, words)| measure(words, names, i)).collect(),
        answer: None,
        advice: None,
        disagreement: None,
        dependence: None,
        variables: Vec::new(),
        selection: None,
        explanations: None,
        methods: "Variable importance was estimated with wald 0.1.0 on a random forest (Breiman 2001) \
            of 500 trees with the Sobol-MDA (Bénard, Da Veiga and Scornet 2022), which projects each \
            tree on the remaining variables. Intervals cover the Monte-Carlo error over trees only."
            .into(),
        citations: vec![
            Citation { key: "breiman2001".into(), text: "Breiman, L. (2001). Random forests. Machine Learning 45, 5–32. https://doi.org/10.1023/A:1010933404324".into(), bibtex: "@article{breiman2001,\n  author    = {Breiman, L.},\n  title     = {{Random forests}},\n  year      = {2001},\n}".into() },
            Citation { key: "benard2022".into(), text: "Bénard, C., Da Veiga, S. and Scornet, E. (2022). Mean decrease accuracy for random forests: inconsistency, and a practical solution via the Sobol-MDA. Biometrika 109, 881–900.".into(), bibtex: "@article{benard2022,\n  author    = {Bénard, C. and Da Veiga, S. and Scornet, E.},\n  year      = {2022},\n}".into() },
        ],
    }
}

fn measure(words: &[&str; 6], names: &[String], index: usize) -> MeasureSummary {
    let small = index >= 3;
    let with_interval = index < 2;
    let with_p_values = index == 2;
    let scale = [0.4, 12.0, 3100.0, 9.0, 1.0][index];
    let mut ranking: Vec<RankedVariable> = names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            // The first two measures agree more than others do.
            let least = if index < 2 { 0.6 } else { 0.1 };
            let jitter = least + (1.0 - least) * noise(i, index);
            let shrink = if small { 1.0 } else { 0.72_f64.powi(i as i32) };
            let value = scale * (shrink * jitter - if small { 0.0 } else { 0.004 });
            let error = scale * (0.03 * shrink + 0.001);
            RankedVariable {
                rank: 0,
                name: name.clone(),
                value: Some(value),
                standard_error: with_interval.then_some(error),
                p_value: with_p_values.then(|| 1.0 / (1 + (997 * i + 40) % 120) as f64),
                low: with_interval.then_some(value - 1.96 * error),
                high: with_interval.then_some(value + 1.96 * error),
                sampling: None,
            }
        })
        .collect();
    ranking.sort_by(|a, b| {
        let order = a.value.unwrap_or(0.0).total_cmp(&b.value.unwrap_or(0.0));
        if small { order } else { order.reverse() }
    });
    for (i, variable) in ranking.iter_mut().enumerate() {
        variable.rank = i + 1;
    }
    let [id, name, estimand, caveat, source, unit] = words.map(str::to_owned);
    MeasureSummary {
        id,
        name,
        estimand,
        caveat,
        source,
        unit,
        data: "out-of-bag rows of each tree".into(),
        small_is_important: small,
        errors_over: with_interval.then(|| "trees".into()),
        interval: with_interval.then(|| {
            "95 % for the Monte-Carlo error over trees, not for the sampling of rows".into()
        }),
        sampling: None,
        null: with_p_values.then(|| {
            "of the hypothesis that the variable is irrelevant; the null is made of the values at \
             or below zero, and of the same values above zero"
                .into()
        }),
        ranking,
        notes: Vec::new(),
    }
}

fn classify(report: &mut Report, classes: &[&str]) {
    let counts = (0..classes.len())
        .map(|i| {
            let cell = |j| if i == j { 180 + 7 * i as u64 } else { (2 * i + 3 * j) as u64 % 9 };
            (0..classes.len()).map(cell).collect()
        })
        .collect();
    report.forest.confusion = Some(Confusion { classes: owned(classes), counts });
    report.forest.errors[0].value = 0.038_664;
    for point in &mut report.forest.convergence {
        point.1 = 0.035 + (point.1 - 11.2) / 60.0;
    }
    let levels = classes.iter().take(5).map(|class| ((*class).to_owned(), 180)).collect();
    report.data.target.kind = ColumnKind::Categorical { most_frequent: levels };
    report.data.target.n_distinct = classes.len();
}

fn column(name: &str, i: usize) -> ColumnSummary {
    let scale = 10.0_f64.powi(i as i32 % 5 - 2);
    ColumnSummary {
        name: name.into(),
        n_missing: if i % 7 == 5 { 61 } else { 0 },
        n_distinct: 544 - i.min(500),
        kind: ColumnKind::Numeric {
            minimum: Some(-scale * noise(i, 7)),
            mean: Some(scale * (0.9 + noise(i, 8))),
            maximum: Some(scale * (3.1 + noise(i, 9))),
        },
    }
}

fn notice(kind: &str, column: Option<&str>, message: &str) -> ReportNotice {
    ReportNotice { kind: kind.into(), column: column.map(Into::into), message: message.into() }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A number in [0, 1) that looks random and is the same everywhere.
fn noise(i: usize, stream: usize) -> f64 {
    let bits = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (stream as u64 + 1).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}
