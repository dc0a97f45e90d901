//! The pieces of work that make a report.

/// A piece of work: its name, what is done, and the notice if it cannot be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) name: &'static str,
    pub(super) doing: &'static str,
    pub(super) missing: &'static str,
}

pub(super) const ADVICE: Piece = Piece {
    name: "advice",
    doing: "asking what misleads importances",
    missing: "advice on measures is left out",
};
pub(super) const ANSWER: Piece = Piece {
    name: "answer",
    doing: "measuring what matters",
    missing: "what matters, in words and by groups, is left out",
};
pub(super) const INFLUENCE: Piece = Piece {
    name: "shapley effects",
    doing: "sharing out what is explained",
    missing: "`shapley_effects`, which are advised for all influential variables, are left out",
};
pub(super) const DEPENDENCE: Piece = Piece {
    name: "dependence",
    doing: "looking for dependence",
    missing: "dependence between variables is left out",
};
pub(super) const FURTHER: Piece = Piece {
    name: "further measures",
    doing: "measuring further",
    missing: "the terms of the permutation importance are left out",
};
pub(super) const INTERVALS: Piece = Piece {
    name: "intervals",
    doing: "growing forests on parts of the rows",
    missing: "intervals over samples of rows are left out",
};
pub(super) const DISAGREEMENT: Piece = Piece {
    name: "disagreement",
    doing: "asking why measures disagree",
    missing: "why measures disagree is left out",
};
pub(super) const VARIABLES: Piece = Piece {
    name: "variables",
    doing: "looking at single variables",
    missing: "single variables are left out",
};
pub(super) const SELECTION: Piece = Piece {
    name: "selection",
    doing: "selecting variables",
    missing: "the selection of variables is left out",
};
pub(super) const ROWS: Piece = Piece {
    name: "single rows",
    doing: "explaining rows",
    missing: "single rows are not explained",
};
