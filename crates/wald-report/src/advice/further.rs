//! Questions beyond the two objectives, and the procedures that answer them.

use std::collections::BTreeSet;

use crate::advice::objectives::{FEW_ROWS, Known};
use crate::advice::{Answer, FurtherQuestion};
use wald::data::{Column, ColumnData};
use wald::message::Procedure;
use wald::{Dataset, MeasureId};

/// As many rows or clusters as there are folds of conditional tests.
const FEWEST_UNITS: usize = 5;

/// Of partial dependence.
const EXTRAPOLATES: &str = "; where variables depend on each other, it averages predictions on rows \
                            that do not occur";

/// With more columns, pairs of them take long.
const MOST_IN_PAIRS: usize = 50;

/// What further questions depend on besides the findings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grown<'a> {
    pub(super) data: &'a Dataset,
    /// Whether it is known how the forest was grown, so that others like it can be.
    pub(super) is_known: bool,
}

/// The questions that data and forest allow, each with what the findings imply for its answer.
pub(super) fn further(known: Known<'_>, grown: Grown<'_>) -> Vec<FurtherQuestion> {
    let (data, allows) = (grown.data, |id: MeasureId| known.allowed.contains(&id));
    let depend = Depend::of(known, data);
    let n_clusters = data.clusters().map(|of| of.iter().collect::<BTreeSet<_>>().len());
    let n_units = n_clusters.unwrap_or_else(|| data.n_rows());
    let is_grown = grown.is_known && n_units >= FEWEST_UNITS;
    let has_out_of_bag = allows(MeasureId::SobolMda);
    let mut asked = Vec::new();
    if is_grown {
        asked.push(conditional(known, depend));
    }
    // Rows of a cluster are not permuted one by one.
    if is_grown && has_out_of_bag && n_clusters.is_none() {
        asked.push(boruta(depend));
    }
    if is_grown {
        asked.push(ipss(depend));
    }
    asked.push(effect(depend, data));
    if known.interactions.answer != Answer::No
        && allows(MeasureId::TreeShap)
        && data.n_features() <= MOST_IN_PAIRS
    {
        asked.push(interaction(depend));
    }
    if is_grown && known.interactions.answer != Answer::No {
        asked.push(sets(depend));
    }
    if is_grown && has_out_of_bag {
        asked.push(Asked {
            id: "stability",
            question: "Would other rows give the same values and ranks?",
            procedure: Procedure::new("uncertainty"),
            answer: "Forests on parts of the rows give intervals of values and of ranks".to_owned(),
        });
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
        let is_of_forest = matches!(self.id, "effect" | "interaction" | "sets");
        let is_of_rows = !matches!(self.id, "effect" | "interaction");
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

fn conditional(known: Known<'_>, depend: Depend) -> Asked {
    let mut answer = "Held-out predictions are compared with those on values that are drawn given \
                      the other variables"
        .to_owned();
    if depend != Depend::No {
        answer.push_str(", so that dependence misleads the test less than permuting alone would");
    }
    if known.dependence.n_clusters() > 0 {
        answer.push_str(
            "; members of a cluster replace each other, and may be significant only as a group",
        );
    }
    Asked {
        id: "test",
        question: "Does a variable add anything to all others, with which p-value?",
        procedure: Procedure::new("conditional"),
        answer,
    }
}

fn boruta(depend: Depend) -> Asked {
    let mut answer = "Boruta confirms variables that exceed permuted copies of all variables in \
                      significantly many forests"
        .to_owned();
    if depend != Depend::No {
        answer.push_str("; one that only depends on relevant variables is confirmed as well");
    }
    Asked {
        id: "relevance",
        question: "Which variables are relevant at all, even if others can replace them?",
        procedure: Procedure::new("select").by("boruta"),
        answer,
    }
}

fn ipss(depend: Depend) -> Asked {
    let mut answer = "Integrated path stability selection bounds the number of false positives \
                      among the variables that forests on halves of the rows agree on"
        .to_owned();
    if depend != Depend::No {
        answer.push_str("; variables that depend on relevant ones do not count as false");
    }
    Asked {
        id: "false_discoveries",
        question: "Which variables, with few false discoveries?",
        procedure: Procedure::new("select").by("ipss"),
        answer,
    }
}

fn effect(depend: Depend, data: &Dataset) -> Asked {
    let is_number = |column: &Column| matches!(column.data(), ColumnData::Numeric(_));
    let has_number = data.features().columns().iter().any(is_number);
    let (measure, mut answer) = match depend {
        Depend::Yes | Depend::Perhaps if has_number => (
            "ale",
            "Accumulated local effects of a number move each row to values near its own; partial \
             dependence also averages predictions on rows that do not occur where variables depend \
             on each other"
                .to_owned(),
        ),
        _ => (
            "pdp",
            "Partial dependence is the mean prediction with the variable set to each value"
                .to_owned(),
        ),
    };
    if measure == "pdp" && depend != Depend::No {
        answer.push_str(EXTRAPOLATES);
    }
    Asked {
        id: "effect",
        question: "How does the prediction change with one variable?",
        procedure: Procedure::of("explain", measure),
        answer,
    }
}

fn interaction(depend: Depend) -> Asked {
    let mut answer = "Friedman's H is the share of what two variables do to predictions together \
                      that is not the sum of what each does alone"
        .to_owned();
    if depend != Depend::No {
        answer.push_str(EXTRAPOLATES);
    }
    Asked {
        id: "interaction",
        question: "Which variables interact?",
        procedure: Procedure::of("explain", "friedman_h"),
        answer,
    }
}

fn sets(depend: Depend) -> Asked {
    let mut answer = "Random intersection trees find the sets, of any size, that are frequent on \
                      paths of the forest to leaves of a class, with their stability over bootstrap \
                      samples"
        .to_owned();
    if depend != Depend::No {
        answer.push_str("; variables that depend on each other replace each other in them");
    }
    Asked {
        id: "sets",
        question: "Which sets of variables does the forest split on together?",
        procedure: Procedure::new("interactions"),
        answer,
    }
}
