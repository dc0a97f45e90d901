//! Importances from few runs, in words and as tables.

use wald::words::counted;
use wald_surrogate::{Estimate, Settings, SourceKind, Surrogate, Way};

use crate::terminal::{self, Terminal};
use crate::text::numbers::NumberFormat;
use crate::text::table::Table;

const WIDEST_NAME: usize = 32;

/// The verdict, a table for each measure, and what its columns are.
pub(crate) fn surrogate_text(found: &Surrogate, settings: &Settings, terminal: Terminal) -> String {
    let width = terminal.text_width();
    let mut text = terminal::wrap(&verdict(found), width).join("\n");
    text.push_str("\n\n");
    for at in 0..found.two_step.len() {
        text.push_str(&table(found, at, settings, terminal));
        text.push('\n');
    }
    text.pop();
    terminal.shown(text + &terminal::legend(&legend(found, settings), terminal))
}

fn verdict(found: &Surrogate) -> String {
    let verdict = &found.judged.verdict;
    let what = match verdict.believed {
        Way::TwoStep => "Believe the two steps, not the forest of the runs",
        Way::Direct => "Believe the forest of the runs, not the two steps",
    };
    format!("{what}: {}.", verdict.reason)
}

fn table(found: &Surrogate, at: usize, settings: &Settings, terminal: Terminal) -> String {
    let (direct, estimate) = (&found.direct[at], &found.two_step[at]);
    let Estimate { importance, errors, intervals } = estimate;
    let believed = found.judged.verdict.believed;
    let order = if believed == Way::TwoStep { importance.order() } else { direct.order() };
    let format = NumberFormat::of(importance.values.iter().flatten().copied());
    let number = |value| format.estimate(value, None);
    let doubtful = |way: Way| if way == believed { "" } else { "\n(doubtful)" };
    let is_sobol = importance.id == "sobol_mda";
    let exact = found.exact.as_ref().filter(|_| is_sobol);
    let mut table = Table::new(terminal, &order)
        .names(WIDEST_NAME, |&index| &importance.names[index])
        .right(&format!("two\nsteps{}", doubtful(Way::TwoStep)), |&index| {
            number(importance.values[index])
        })
        .right("±\ntrees", |&index| number(errors[index].map(|errors| errors.trees)))
        .right("±\nrows", |&index| number(errors[index].map(|errors| errors.rows)))
        .right("±\nprocess", |&index| number(errors[index].map(|errors| errors.process)))
        .right(&format!("{} %\ninterval", 100.0 * settings.confidence.get()), |&index| {
            intervals[index]
                .map_or_else(|| "–".to_owned(), |found| format.range(found.low, found.high))
        });
    if let Some(exact) = exact {
        table = table.right("without\nforest", |&index| number(Some(exact.values[index])));
    }
    table = table.right(&format!("forest\nof runs{}", doubtful(Way::Direct)), |&index| {
        number(direct.values[index])
    });
    format!("{}: {}\n{}", importance.id, importance.unit, table.text())
}

fn legend(found: &Surrogate, settings: &Settings) -> Vec<String> {
    let n_rows = found.sample.n_rows();
    let inputs = match found.source {
        SourceKind::Copula => "with the margins of the runs and a Gaussian copula",
        SourceKind::Independent => "independent, with the margins of the runs",
        SourceKind::Law => "of the given law",
        SourceKind::Rows => "of the given table",
    };
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let explained = &found.judged.explained;
    let mut entries = vec![
        format!(
            "two steps: forest of {} of a Gaussian process fitted to {}; inputs {inputs}{}",
            counted(n_rows, "row"),
            counted(found.model.n_runs(), "run"),
            found.explained_by_forest.map_or_else(String::new, |share| format!(
                "; this forest explains {} of their variance out of bag",
                percent(share)
            ))
        ),
        format!(
            "± trees, rows, process: standard errors of the finite number of trees, of the finite \
             sample, and of the process: the runs are few; intervals of {} % include all",
            100.0 * settings.confidence.get()
        ),
    ];
    if found.exact.is_some() {
        entries.push(
            "without forest: total Sobol index of the process by the conditional law of the inputs, \
             as a check of the second step"
                .to_owned(),
        );
    }
    entries.push(format!(
        "the process: leave-one-out Q² {:.3}, refitted in ten folds {:.3}, PVA {:.2}, IAE-alpha {:.3} \
         (0 is perfect); noise is {} of its variance; the forest of the runs explains {}",
        explained.leave_one_out,
        explained.cross_validated,
        found.judged.pva,
        found.judged.iae_alpha,
        percent(found.model.process().parameters().log_noise.exp()),
        explained.forest.map_or_else(|| "an unknown share".to_owned(), percent)
    ));
    entries
}
