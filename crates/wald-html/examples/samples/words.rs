//! Words of measures.

/// (id, name, estimand, caveat, source, unit).
pub(super) const MEASURES: [[&str; 6]; 5] = [
    [
        "sobol_mda",
        "Sobol-MDA",
        "The share of the target's variance that is lost when the variable is \
        removed: the total Sobol index.",
        "Shares what dependent variables have in common with nobody: \
        of two copies, both get zero.",
        "Bénard, Da Veiga and Scornet (2022), equation 6.",
        "share of the target's variance",
    ],
    [
        "mda_breiman_cutler",
        "Permutation importance",
        "The rise of the out-of-bag error when the values of \
        the variable are permuted.",
        "Under dependence it looks where there are no data, and mixes three \
        different terms.",
        "Breiman (2001), section 10.",
        "squared units of the target",
    ],
    [
        "mdi",
        "Mean decrease in impurity",
        "The weighted decrease of impurity over all splits on the \
        variable.",
        "Favours variables with many distinct values; depends on the depth of the trees.",
        "Breiman et al. (1984), section 5.3.",
        "squared units of the target",
    ],
    [
        "minimal_depth",
        "Minimal depth",
        "The mean depth of the first split on the variable.",
        "Depends on \
        mtry.",
        "Ishwaran et al. (2010).",
        "edges from the root",
    ],
    [
        "p_altmann",
        "Permuted-target p-value",
        "How often a permuted target gives a value as large.",
        "Its resolution is one over the number of permutations.",
        "Altmann et al. (2010).",
        "probability",
    ],
];
