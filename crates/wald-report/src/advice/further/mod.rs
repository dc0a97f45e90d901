//! Questions beyond the two objectives, and the procedures that answer them.

mod questions;

use std::collections::BTreeSet;

use crate::advice::objectives::{FEW_ROWS, Known};
use crate::advice::{Answer, FurtherQuestion};
use wald::data::Response;
use wald::message::Procedure;
use wald::{Dataset, MeasureId};

/// As many rows or clusters as there are folds of conditional tests.
const FEWEST_UNITS: usize = 5;

/// With more columns, pairs of them take long.
const MOST_IN_PAIRS: usize = 50;

/// The questions that data and forest allow, each with what the findings imply for its answer. `spread`
/// are the columns on which the size of errors depends.
pub(super) fn further(
    known: Known<'_>,
    data: &Dataset,
    spread: Option<&[usize]>,
) -> Vec<FurtherQuestion> {
    let allows = |id: MeasureId| known.allowed.contains(&id);
    let depend = Depend::of(known, data);
    let n_clusters = data.clusters().map(|of| of.iter().collect::<BTreeSet<_>>().len());
    let n_units = n_clusters.unwrap_or_else(|| data.n_rows());
    let is_grown = known.grows_again && n_units >= FEWEST_UNITS;
    let has_out_of_bag = allows(MeasureId::SobolMda);
    let mut asked = Vec::new();
    if is_grown {
        asked.push(questions::conditional(known, depend));
    }
    // Rows of a cluster are not permuted one by one.
    if is_grown && has_out_of_bag && n_clusters.is_none() {
        asked.push(questions::boruta(depend));
    }
    if is_grown {
        asked.push(questions::ipss(depend));
    }
    asked.push(questions::effect(depend, data));
    if known.interactions.answer != Answer::No
        && allows(MeasureId::TreeShap)
        && data.n_features() <= MOST_IN_PAIRS
    {
        asked.push(questions::interaction(depend));
    }
    if is_grown && known.interactions.answer != Answer::No {
        asked.push(questions::sets(depend));
    }
    if is_grown && has_out_of_bag {
        asked.push(questions::stability());
        asked.push(questions::tables());
    }
    if has_out_of_bag {
        if matches!(data.target().response(), Response::Regression(_)) {
            let names = spread.map(|columns| {
                let name = |&index: &usize| data.features().columns()[index].name().to_owned();
                columns.iter().map(name).collect::<Vec<_>>()
            });
            asked.push(questions::interval(names.as_deref()));
            if is_grown {
                asked.push(questions::distribution(names.as_deref()));
            }
        }
        asked.push(questions::rows(data));
    }
    asked.into_iter().map(|asked| asked.worded(known, n_units)).collect()
}

/// Whether variables depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depend {
    Yes,
    Perhaps,
    No,
}

impl Depend {
    fn of(known: Known<'_>, data: &Dataset) -> Self {
        // Columns of a group are not tested against each other.
        let is_grouped = data.groups().members().iter().any(|members| members.len() > 1);
        match known.dependence.answer {
            Answer::Yes => Self::Yes,
            Answer::No if !is_grouped => Self::No,
            Answer::No | Answer::Unknown => Self::Perhaps,
        }
    }
}

/// A question, the procedure that answers it, and what to know of it on these data.
struct Asked {
    id: &'static str,
    question: &'static str,
    procedure: Procedure,
    answer: String,
}

impl Asked {
    fn worded(self, known: Known<'_>, n_units: usize) -> FurtherQuestion {
        let is_of_forest = matches!(self.id, "effect" | "interaction" | "sets" | "rows");
        let is_of_rows = !matches!(self.id, "effect" | "interaction" | "rows");
        let thin = if is_of_forest && known.strength.is_nothing() {
            "; nothing shows that the forest predicts better than the mean"
        } else if is_of_rows && n_units < FEW_ROWS {
            "; there are few rows for it"
        } else {
            ""
        };
        FurtherQuestion {
            id: self.id.to_owned(),
            question: self.question.to_owned(),
            answer: format!("{}{thin}.", self.answer),
            command: known.wording.line(&self.procedure),
        }
    }
}
