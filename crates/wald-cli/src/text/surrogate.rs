//! Importances from few runs, in words and as tables.

use wald::words::{counted, percent};
use wald_surrogate::{Estimate, Settings, SourceKind, Surrogate, Way};

use crate::terminal::{self, Terminal};
use crate::text::table::Table;
use wald::digits::Digits;

const WIDEST_NAME: usize = 32;

/// The verdict, a table for each measure, and what its columns are.
pub(crate) fn surrogate_text(found: &Surrogate, settings: &Settings, terminal: Terminal) -> String {
    let mut text = terminal::indented("", &verdict(found), 0, terminal) + "\n";
    for at in 0..found.two_step.len() {
        text.push_str(&table(found, at, settings, terminal));
        text.push('\n');
    }
    text.pop();
    terminal.shown(text + &terminal::legend(&legend(found, settings), terminal))
}

fn verdict(found: &Surrogate) -> String {
    let verdict = &found.judged.verdict;
    format!("{}: {}.", verdict.believed.advice(), verdict.reason)
}

fn table(found: &Surrogate, at: usize, settings: &Settings, terminal: Terminal) -> String {
    let (direct, estimate) = (&found.direct[at], &found.two_step[at]);
    let Estimate { importance, errors, intervals } = estimate;
    let believed = found.judged.verdict.believed;
    let order = if believed == Way::Direct { direct.order() } else { importance.order() };
    let format = Digits::of(importance.values.iter().flatten().copied());
    let number = |value| format.estimate(value, None);
    let doubtful = |way: Way| if way == believed { "" } else { "\n(doubtful)" };
    let exact = found.exact_of(at);
    let of_what = if found.source.is_estimated() { ",\nlaw given" } else { "\ninterval" };
    let mut table = Table::new(terminal, &order)
        .names(WIDEST_NAME, |&index| &importance.names[index])
        .right(&format!("two\nsteps{}", doubtful(Way::TwoStep)), |&index| {
            number(importance.values[index])
        })
        .right("±\ntrees", |&index| number(errors[index].and_then(|errors| errors.trees)))
        .right("±\nrows", |&index| number(errors[index].map(|errors| errors.rows)))
        .right("±\nprocess", |&index| number(errors[index].map(|errors| errors.process)))
        .right(&format!("{} %{of_what}", in_percent(settings)), |&index| {
            intervals[index]
                .map_or_else(|| "–".to_owned(), |found| format.range(found.low, found.high))
        });
    if let Some(exact) = exact {
        table = table.right("without\nforest", |&index| number(Some(exact.values[index])));
    }
    table = table.right(&format!("forest\nof runs{}", doubtful(Way::Direct)), |&index| {
        number(direct.values[index])
    });
    let title = format!("{}: {}", importance.id, importance.unit);
    terminal::indented("", &title, 0, terminal) + &table.text()
}

/// A probability in percent, without the noise of its last digits.
fn in_percent(settings: &Settings) -> f64 {
    (1e8 * settings.confidence.get()).round() / 1e6
}

fn legend(found: &Surrogate, settings: &Settings) -> Vec<String> {
    let n_rows = found.sample.n_rows();
    let inputs = match found.source {
        SourceKind::Copula => "with the margins of the runs and a Gaussian copula",
        SourceKind::Independent => "independent, with the margins of the runs",
        SourceKind::Law => "of the given law",
        SourceKind::Rows => "of the given table",
    };
    let explained = &found.judged.explained;
    let mut entries = vec![
        format!(
            "two steps: forest of {} whose target is the mean of a Gaussian process, without noise, fitted to \
             {}; inputs {inputs}{}",
            counted(n_rows, "row"),
            counted(found.model.n_runs(), "run"),
            found.explained_by_forest.map_or_else(String::new, |share| format!(
                "; this forest explains {} of their variance out of bag",
                percent(share)
            ))
        ),
        format!(
            "± trees, rows, process: standard errors of the finite number of trees, of the finite \
             sample, and of the process: the runs are few; intervals of {} % include these three{}",
            in_percent(settings),
            if found.source.is_estimated() {
                ", not the error of the law of inputs, which is estimated from the runs"
            } else {
                ""
            }
        ),
    ];
    if (0..found.two_step.len()).any(|at| found.exact_of(at).is_some()) {
        entries.push(
            "without forest: total Sobol index of the process by the conditional law of the inputs, \
             as a check of the second step"
                .to_owned(),
        );
    }
    entries.push(format!(
        "the process: leave-one-out Q² {:.3}, ten-fold cross-validated Q² {:.3}, predictive variance \
         adequacy (PVA) {:.2} and error of coverage (IAE-alpha) {:.3}, both 0 where perfect; noise is {} of \
         the variance of the outputs; the forest of the runs explains {}",
        explained.leave_one_out,
        explained.cross_validated,
        found.judged.pva,
        found.judged.iae_alpha,
        percent(found.model.noise_share()),
        explained.forest.map_or_else(|| "an unknown share".to_owned(), percent)
    ));
    entries
}
