//! `louppe-noisy-copy`: section 5.3, where a variable masks a copy of itself.

use wald::data::{Column, Target};
use wald::{Dataset, Run};
use wald_population::{Limits, Population, TreeSettings};

use crate::exhibit::{Claim, Comparison, Comparisons, Exhibit, Published};
use crate::failure::Failure;
use crate::louppe::{ManyTrees, SOURCE, mdi, numbers, trees};

/// The copy is wrong with this probability.
const WRONG: f64 = 0.05;

/// X1 is Y, X2 its noisy copy, and, on request, X3 an irrelevant coin.
fn distribution(with_noise: bool) -> Result<Dataset, wald::Error> {
    let cells: Vec<[u32; 3]> = (0..8)
        .map(|bits| [bits & 1, bits >> 1 & 1, bits >> 2 & 1])
        .filter(|cell| with_noise || cell[2] == 0)
        .collect();
    let column = |at: usize| {
        let names = vec!["0".to_owned(), "1".to_owned()];
        Column::categorical(
            format!("X{}", at + 1),
            names,
            cells.iter().map(|cell| cell[at]).collect(),
        )
    };
    let n_columns = if with_noise { 3 } else { 2 };
    let columns = (0..n_columns).map(column).collect::<Result<_, _>>()?;
    let y = cells.iter().map(|cell| cell[0]).collect();
    let target = Target::classification("Y", vec!["0".to_owned(), "1".to_owned()], y)?;
    let weights = cells.iter().map(|cell| if cell[0] == cell[1] { 1.0 - WRONG } else { WRONG });
    Dataset::new(columns, target)?.with_weights(weights.collect())
}

pub(crate) fn run(forests: &ManyTrees) -> Result<Exhibit, Failure> {
    // I(X2; Y) = 1 - h, I(X1; Y | X2) = h, where h is the entropy of the error.
    let h = -WRONG * WRONG.log2() - (1.0 - WRONG) * (1.0 - WRONG).log2();
    let closed_form = [
        (false, 1, vec![0.5 + 0.5 * h, 0.5 - 0.5 * h]),
        (false, 2, vec![1.0, 0.0]),
        (true, 1, vec![0.5 + 0.5 * h, 0.5 - 0.5 * h, 0.0]),
        // At the root X1 is masked where X2 and X3 are drawn, in a third of all trees, and below
        // that by nothing.
        (true, 2, vec![1.0 - (1.0 - h) / 3.0, (1.0 - h) / 3.0, 0.0]),
    ];
    let (mut exact_rows, mut forest_rows) = (Vec::new(), Vec::new());
    for (case, (with_noise, mtry, expected)) in closed_form.into_iter().enumerate() {
        let data = distribution(with_noise)?;
        let settings = TreeSettings { mtry: vec![mtry], local: false };
        let work = &Run::on(forests.threads);
        let found = Population::new(&data, None)?.best_of(&settings, &Limits::default(), work)?;
        let exact = found[0].importances.values();
        let forest =
            mdi(&data, &trees(mtry, forests.n_trees, forests.seed_of(case)), forests.threads)?;
        let quantity = format!("K = {mtry}{}", if with_noise { ", X3 added" } else { "" });
        for (variable, (expected, (of_forest, error))) in
            expected.iter().zip(numbers(&forest)).enumerate()
        {
            let name = format!("X{}", variable + 1);
            let published = Published::exact(*expected, 12);
            exact_rows.push(Comparison::new(&quantity, &name, published, exact[variable], 0.0));
            let limit = Published::exact(exact[variable], 6);
            forest_rows.push(Comparison::new(&quantity, &name, limit, of_forest, error));
        }
    }
    let value = |at: usize| exact_rows[at].value.unwrap_or(f64::NAN);
    let claims = vec![
        Claim::new(
            "totally randomized trees: X1 a little more important than X2",
            value(0) > value(1) && value(1) > 0.3,
            format!("{:.4} and {:.4}", value(0), value(1)),
        ),
        Claim::new(
            "K = 2: the importance of X2 is masked as if it were irrelevant",
            value(3).abs() < 1e-12,
            format!("{:.4}", value(3)),
        ),
        Claim::new(
            "K = 2: an irrelevant variable makes X2 visible again",
            value(8) > value(3) + 0.1,
            format!("{:.4}", value(8)),
        ),
        Claim::new(
            "K = 1: an irrelevant variable changes nothing",
            (value(4) - value(0)).abs() < 1e-12 && (value(5) - value(1)).abs() < 1e-12,
            format!("{:.4} and {:.4}", value(4), value(5)),
        ),
    ];
    Ok(Exhibit {
        title: "Section 5.3: a noisy copy of a variable is masked".to_owned(),
        source: SOURCE,
        settings: vec![
            ("trees", forests.n_trees.to_string()),
            ("seed", forests.seed.to_string()),
            ("X1", "Y, a fair coin".to_owned()),
            ("X2", format!("X1, wrong with probability {WRONG}")),
            ("X3", "a fair coin".to_owned()),
        ],
        comparisons: vec![
            Comparisons {
                title: "Exact importances beside the closed forms of the section".to_owned(),
                reference: "closed form",
                rows: exact_rows,
            },
            Comparisons {
                title: "Forests beside their exact limits".to_owned(),
                reference: "exact",
                rows: forest_rows,
            },
        ],
        claims,
        ..Exhibit::default()
    })
}
