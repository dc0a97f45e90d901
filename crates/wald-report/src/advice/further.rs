//! Questions beyond the two objectives, and the procedures that answer them.

use crate::advice::objectives::{FEW_ROWS, Known};
use crate::advice::{Answer, FurtherQuestion};
use wald::Dataset;
use wald::message::Procedure;

/// The questions that the data allow, each with what the findings imply for its answer.
pub(super) fn further(known: Known<'_>, data: &Dataset) -> Vec<FurtherQuestion> {
    let is_dependent = known.dependence.answer != Answer::No;
    let mut asked = vec![conditional(known, is_dependent)];
    // Both draw rows or permute them one by one.
    if data.clusters().is_none() {
        asked.push(boruta(is_dependent));
    }
    asked.push(ipss(is_dependent));
    asked.push(effect(is_dependent));
    if known.interactions.answer != Answer::No {
        asked.push(Asked {
            id: "interaction",
            question: "Which variables interact?",
            procedure: Procedure::of("explain", "friedman_h"),
            answer: "Friedman's H is the share of what two variables do to predictions together \
                     that is not the sum of what each does alone"
                .to_owned(),
        });
    }
    asked.push(Asked {
        id: "stability",
        question: "Would other rows give the same values and ranks?",
        procedure: Procedure::new("uncertainty"),
        answer: "Forests on parts of the rows give intervals of values and of ranks, and p-values"
            .to_owned(),
    });
    let is_short = data.n_rows() < FEW_ROWS;
    asked.into_iter().map(|asked| asked.worded(known, is_short)).collect()
}

/// A question, the procedure that answers it, and what to know of it on these data.
struct Asked {
    id: &'static str,
    question: &'static str,
    procedure: Procedure,
    answer: String,
}

impl Asked {
    fn worded(self, known: Known<'_>, is_short: bool) -> FurtherQuestion {
        let thin = if is_short && self.id != "effect" { "; there are few rows for it" } else { "" };
        FurtherQuestion {
            id: self.id.to_owned(),
            question: self.question.to_owned(),
            answer: format!("{}{thin}.", self.answer),
            command: known.wording.line(&self.procedure),
        }
    }
}

fn conditional(known: Known<'_>, is_dependent: bool) -> Asked {
    let mut answer = "Held-out predictions are compared with those on values that are drawn given \
                      the other variables"
        .to_owned();
    if is_dependent {
        answer.push_str(", so that dependence does not mislead the test");
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

fn boruta(is_dependent: bool) -> Asked {
    let mut answer = "Boruta confirms variables that exceed permuted copies of all variables in \
                      significantly many forests"
        .to_owned();
    if is_dependent {
        answer.push_str("; one that only depends on relevant variables is confirmed as well");
    }
    Asked {
        id: "relevance",
        question: "Which variables are relevant at all, even if others can replace them?",
        procedure: Procedure::new("select").by("boruta"),
        answer,
    }
}

fn ipss(is_dependent: bool) -> Asked {
    let mut answer = "Integrated path stability selection bounds the number of false positives \
                      among the variables that forests on halves of the rows agree on"
        .to_owned();
    if is_dependent {
        answer.push_str("; variables that depend on relevant ones do not count as false");
    }
    Asked {
        id: "false_discoveries",
        question: "Which variables, with few false discoveries?",
        procedure: Procedure::new("select").by("ipss"),
        answer,
    }
}

fn effect(is_dependent: bool) -> Asked {
    let (measure, answer) = if is_dependent {
        (
            "ale",
            "Accumulated local effects of a number move each row to values near its own; partial \
             dependence also averages predictions on rows that do not occur, because variables \
             depend on each other",
        )
    } else {
        ("pdp", "Partial dependence is the mean prediction with the variable set to each value")
    };
    Asked {
        id: "effect",
        question: "How does the prediction change with one variable?",
        procedure: Procedure::of("explain", measure),
        answer: answer.to_owned(),
    }
}
