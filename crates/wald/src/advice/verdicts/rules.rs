//! The verdict on each measure in each cell of Table 2, and its source.

use super::Objective;
use crate::advice::Validity::{self, Careful, Invalid, Valid};
use crate::measure::MeasureId;

const TABLE_2: &str = "Bénard, Da Veiga & Scornet 2022, Table 2";
const THEOREM_2: &str = "Bénard, Da Veiga & Scornet 2022, Theorem 2";

/// The verdict on a measure: whether it serves in each cell, why, and the source.
pub(super) struct Rule {
    /// Independent, dependent and additive, dependent with interactions.
    pub(super) serves: [Validity; 3],
    /// In the same order.
    pub(super) because: [&'static str; 3],
    pub(super) source: &'static str,
}

/// Measures that are judged, in the order in which equally valid ones are listed.
pub(super) const JUDGED: &[MeasureId] = &[
    MeasureId::SobolMda,
    MeasureId::MdaBreimanCutler,
    MeasureId::MdaIshwaranKogalur,
    MeasureId::MdaTrainTest,
    MeasureId::TotalSobolRegrow,
    MeasureId::TotalSobolRetrain,
    MeasureId::TotalSobolFull,
    MeasureId::ShapleyEffects,
    MeasureId::Sage,
    MeasureId::ConditionalPermutation,
    MeasureId::SobolMdaLundberg,
    MeasureId::MdaRandomSplit,
    MeasureId::Mdi,
    MeasureId::MdiOob,
    MeasureId::Ufi,
    MeasureId::Air,
    MeasureId::TreeShap,
    MeasureId::TreeShapOob,
    MeasureId::TreeShapOobCovariance,
    MeasureId::SplitCount,
    MeasureId::MinimalDepth,
];

/// Three times the same.
const fn same(text: &'static str) -> [&'static str; 3] {
    [text, text, text]
}

const TOTAL_SOBOL: &str = "Estimates the total Sobol index: what is lost without the variable.";
const NOT_WHAT_IS_SHARED: &str = "Estimates the total Sobol index, which is near zero for \
                                  influential variables that others can replace.";
const INDEPENDENT: &str = "With independent variables it estimates the total Sobol index, which \
                           serves both objectives (Corollary 1).";
const THIRD_TERM: &str = "Contains the third term of Proposition 2, which is not an importance \
                          and can exceed the others.";

const PART_OF_INTERACTIONS: &str = "Credits a variable for part of the interactions only; the \
                                    order is often that of the total Sobol index.";
const SHARES_CREDIT: &str = "Shares credit among variables that can replace each other: it does \
                             not show what is lost without one.";
const SHAPLEY_EFFECTS: &str = "Shapley effects share what dependence and interactions have in \
                               common among the variables; one that only depends on influential \
                               ones has a share, too.";

/// `None` for measures that are not judged.
#[expect(clippy::too_many_lines, reason = "a table of declarations")]
pub(super) fn rule(id: MeasureId, objective: Objective) -> Option<Rule> {
    let is_selection = objective == Objective::Selection;
    let rule = match id {
        MeasureId::MdaBreimanCutler | MeasureId::MdaTrainTest => Rule {
            serves: [Valid, if is_selection { Invalid } else { Valid }, Invalid],
            because: [
                INDEPENDENT,
                if is_selection {
                    "Adds the full total Sobol index, so that variables which others can replace \
                     stay high (Corollary 2)."
                } else {
                    "Estimates the total and the full total Sobol index together: variables that \
                     others can replace are found, too (Corollary 2)."
                },
                THIRD_TERM,
            ],
            source: TABLE_2,
        },
        MeasureId::MdaIshwaranKogalur => Rule {
            serves: [Valid, if is_selection { Valid } else { Invalid }, Invalid],
            because: [
                INDEPENDENT,
                if is_selection {
                    "Without interactions it estimates the total Sobol index (Corollary 2)."
                } else {
                    NOT_WHAT_IS_SHARED
                },
                THIRD_TERM,
            ],
            source: TABLE_2,
        },
        MeasureId::SobolMda | MeasureId::TotalSobolRegrow | MeasureId::TotalSobolRetrain => Rule {
            serves: if is_selection { [Valid; 3] } else { [Valid, Invalid, Invalid] },
            because: match (is_selection, id) {
                (true, MeasureId::SobolMda) => same(
                    "Estimates the total Sobol index, also where variables depend on each other \
                          and interact.",
                ),
                (true, _) => same(TOTAL_SOBOL),
                (false, _) => [INDEPENDENT, NOT_WHAT_IS_SHARED, NOT_WHAT_IS_SHARED],
            },
            source: if id == MeasureId::SobolMda {
                THEOREM_2
            } else {
                "Bénard, Da Veiga & Scornet 2022, Definition 1, by growing trees without the \
                 variable"
            },
        },
        MeasureId::TotalSobolFull => Rule {
            serves: if is_selection { [Careful, Invalid, Invalid] } else { [Careful; 3] },
            because: if is_selection {
                [
                    "In the limit it is right with independent variables; before, it is strongly \
                     biased.",
                    "Measures what the variable shares with others, not what is lost without it.",
                    "Measures what the variable shares with others, not what is lost without it.",
                ]
            } else {
                same(
                    "Tends to the full total Sobol index, which this objective asks for, but is \
                      strongly biased with any real number of rows.",
                )
            },
            source: "Bénard, Da Veiga & Scornet 2022, Remark 1",
        },
        MeasureId::SobolMdaLundberg => Rule {
            serves: [Valid, Invalid, Invalid],
            because: [
                "With independent variables it estimates the total Sobol index.",
                "Averages over the variable without conditioning on the others: biased, the \
                 more the stronger the dependence.",
                "Averages over the variable without conditioning on the others: biased, the \
                 more the stronger the dependence.",
            ],
            source: "Bénard, Da Veiga & Scornet 2022, Table 3; Aas, Jullum & Løland 2021",
        },
        MeasureId::ConditionalPermutation => Rule {
            serves: if is_selection { [Careful; 3] } else { [Careful, Invalid, Invalid] },
            because: if is_selection {
                same(
                    "Permutes among rows that are alike in the associated variables, which points \
                     to what only this variable explains; no limit is known, and cells may be too \
                     small or too large.",
                )
            } else {
                [
                    "Permutes among rows that are alike in associated variables; no limit is \
                     known.",
                    "Leaves out what variables share: those that others can replace are near zero.",
                    "Leaves out what variables share: those that others can replace are near zero.",
                ]
            },
            source: "Strobl et al. 2008",
        },
        MeasureId::MdaRandomSplit => Rule {
            serves: if is_selection {
                [Careful, Invalid, Invalid]
            } else {
                [Careful, Careful, Invalid]
            },
            because: [
                "Akin to mda_breiman_cutler; no limit is known.",
                "Akin to mda_breiman_cutler, which adds what variables share; no limit is known.",
                "Akin to mda_breiman_cutler, which contains a term that is not an importance.",
            ],
            source: "Hapfelmeier et al. 2014; by analogy with Table 2 of Bénard et al. 2022",
        },
        MeasureId::Mdi => Rule {
            serves: [Careful, Invalid, Invalid],
            because: [
                "Consistent where variables are independent and effects add up; with deep trees \
                 it is above zero for noise, and more so for variables of many values.",
                "Not well defined where variables depend on each other.",
                "Not well defined where effects interact or variables depend on each other.",
            ],
            source: "Scornet 2023; Strobl et al. 2007; Li et al. 2019",
        },
        MeasureId::MdiOob | MeasureId::Ufi | MeasureId::Air => Rule {
            serves: if is_selection { [Careful, Invalid, Invalid] } else { [Careful; 3] },
            because: [
                "Mean decrease in impurity without its bias; with independent variables and \
                 effects that add up its limit is known.",
                if is_selection {
                    "Dependent variables share credit: it does not show what is lost without one."
                } else {
                    "Separates relevant variables from noise in simulations; their order is not \
                     well defined."
                },
                if is_selection {
                    "Its limit is not well defined where effects interact: it does not show what \
                     is lost without a variable."
                } else {
                    "Separates relevant variables from noise in simulations; their order is not \
                     well defined."
                },
            ],
            source: "Li et al. 2019, Table 1; Zhou & Hooker 2021; Nembrini, König & Wright 2018; \
                     Scornet 2023",
        },
        MeasureId::ShapleyEffects => Rule {
            serves: if is_selection { [Careful, Invalid, Invalid] } else { [Valid; 3] },
            because: if is_selection {
                [PART_OF_INTERACTIONS, SHARES_CREDIT, SHARES_CREDIT]
            } else {
                [
                    "Shapley effects: between what a variable explains alone and its total Sobol \
                     index.",
                    SHAPLEY_EFFECTS,
                    SHAPLEY_EFFECTS,
                ]
            },
            source: "Bénard, Biau, Da Veiga & Scornet 2022; Owen 2014",
        },
        MeasureId::Sage => Rule {
            serves: if is_selection {
                [Careful, Invalid, Invalid]
            } else {
                [Valid, Careful, Careful]
            },
            because: if is_selection {
                [PART_OF_INTERACTIONS, SHARES_CREDIT, SHARES_CREDIT]
            } else {
                [
                    "Shapley values of the loss: with independent variables they estimate Shapley \
                     effects.",
                    "Shapley values share what variables have in common, as this objective asks; \
                     but unknown values are drawn without regard to those known.",
                    "Stands in for Shapley effects: unknown values are drawn without regard to \
                     those known.",
                ]
            },
            source: "Bénard, Da Veiga & Scornet 2022, section 1; Owen 2014; Covert, Lundberg & \
                     Lee 2020",
        },
        MeasureId::TreeShap | MeasureId::TreeShapOob | MeasureId::TreeShapOobCovariance => Rule {
            serves: if is_selection { [Invalid; 3] } else { [Careful; 3] },
            because: if is_selection {
                same("Explains predictions, not what is lost without the variable.")
            } else {
                same(
                    "Measures how far a variable moves predictions, not whether the target \
                     follows; splits are averaged without regard to dependence.",
                )
            },
            source: "Lundberg et al. 2020; Aas, Jullum & Løland 2021",
        },
        MeasureId::SplitCount | MeasureId::MinimalDepth => Rule {
            serves: if is_selection { [Invalid; 3] } else { [Careful; 3] },
            because: if is_selection {
                same("Measures where splits are, not what is lost without the variable.")
            } else {
                same("Measures where splits are, not how much they explain.")
            },
            source: "Ishwaran et al. 2010 (minimal depth); no limit is known",
        },
        _ => return None,
    };
    Some(rule)
}
