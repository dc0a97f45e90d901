//! The questions, one function each.

use super::{Asked, Depend};
use crate::advice::objectives::Known;
use crate::advice::words::listed;
use wald::Dataset;
use wald::data::{Column, ColumnData, Response};
use wald::message::Procedure;

/// Of partial dependence.
const EXTRAPOLATES: &str = "; where variables depend on each other, it averages predictions on rows \
                            that do not occur";

/// Names of variables that are shown.
const NAMED: usize = 3;

pub(super) fn conditional(known: Known<'_>, depend: Depend) -> Asked {
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

pub(super) fn boruta(depend: Depend) -> Asked {
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

pub(super) fn ipss(depend: Depend) -> Asked {
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

pub(super) fn effect(depend: Depend, data: &Dataset) -> Asked {
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

pub(super) fn interaction(depend: Depend) -> Asked {
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

pub(super) fn sets(depend: Depend) -> Asked {
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

pub(super) fn stability() -> Asked {
    Asked {
        id: "stability",
        question: "Would other rows give the same values and ranks?",
        procedure: Procedure::new("uncertainty"),
        answer: "Forests on parts of the rows give intervals of values and of ranks".to_owned(),
    }
}

pub(super) fn tables() -> Asked {
    Asked {
        id: "comparison",
        question: "Do the importances differ in another table, of another year or place?",
        procedure: Procedure::new("compare"),
        answer:
            "Forests on parts of the rows of both tables give each difference an interval and a \
                 p-value"
                .to_owned(),
    }
}

/// What the size of errors depends on, in a sentence without its full stop.
fn sizes_of_errors(names: Option<&[String]>) -> String {
    match names {
        None => {
            "Whether the size of out-of-bag errors depends on variables is not known".to_owned()
        }
        Some([]) => "The size of out-of-bag errors is not found to depend on a variable".to_owned(),
        Some(names) => {
            format!(
                "The size of out-of-bag errors depends on {}, because the spread of the target does \
                 or because the forest has not learnt its mean everywhere",
                listed(names, NAMED)
            )
        }
    }
}

pub(super) fn interval(names: Option<&[String]>) -> Asked {
    let mut answer =
        "Quantiles of the target, from the weights that the forest gives to the training \
                      rows, are the ends of an interval for a row"
            .to_owned();
    if names.is_some_and(|names| !names.is_empty()) {
        answer.push_str(
            "; the size of errors depends on variables, and intervals are too wide where it is small, \
             too narrow where it is large, unless trees split on these variables",
        );
    }
    Asked {
        id: "interval",
        question: "Between which values does the target of a row lie?",
        procedure: Procedure::new("predict").by("quantiles"),
        answer,
    }
}

pub(super) fn distribution(names: Option<&[String]>) -> Asked {
    let found = sizes_of_errors(names);
    Asked {
        id: "distribution",
        question: "Which variables change the spread, the tails or a quantile of the target?",
        procedure: Procedure::of("importance", "distribution_retrain"),
        answer: format!(
            "{found}; forests that are grown again without a variable show what the distribution of \
             the target loses, of which the mean is only a part"
        ),
    }
}

pub(super) fn rows(data: &Dataset) -> Asked {
    let other = match data.target().response() {
        Response::Regression(_) | Response::Several(_) => "other rows",
        Response::Classification(_) => "other rows of its class",
    };
    Asked {
        id: "rows",
        question: "Which rows are like no others?",
        procedure: Procedure::new("proximities"),
        answer: format!(
            "The outlier score of a row is large where it seldom shares a leaf with {other}, in trees \
             that did not see it; above 10 it is worth a look"
        ),
    }
}
