//! The works that measures come from.

#![expect(missing_docs, reason = "a constant is the work that it names")]

use serde::Serialize;

/// A work to cite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// Key, for example `breiman2001`.
    pub key: &'static str,
    /// How a sentence names it, for example `Breiman 2001`.
    pub short: &'static str,
    /// The full reference.
    pub text: &'static str,
}

pub const AGARWAL_2023: Reference = Reference {
    key: "agarwal2023",
    short: "Agarwal et al. 2023",
    text: "Agarwal A, Kenney AM, Tan YS, Tang TM, Yu B (2023). MDI+: a flexible random forest-based \
           feature importance framework. arXiv:2307.01932.",
};

pub const APLEY_2020: Reference = Reference {
    key: "apley2020",
    short: "Apley & Zhu 2020",
    text: "Apley DW, Zhu J (2020). Visualizing the effects of predictor variables in black box \
           supervised learning models. Journal of the Royal Statistical Society B 82(4), 1059-1086. \
           doi:10.1111/rssb.12377.",
};

pub const ATHEY_2019: Reference = Reference {
    key: "athey2019",
    short: "Athey, Tibshirani & Wager 2019",
    text: "Athey S, Tibshirani J, Wager S (2019). Generalized random forests. Annals of Statistics \
           47(2), 1148-1178. doi:10.1214/18-AOS1709.",
};

pub const BREIMAN_1984: Reference = Reference {
    key: "breiman1984",
    short: "Breiman et al. 1984",
    text: "Breiman L, Friedman JH, Olshen RA, Stone CJ (1984). Classification and Regression \
           Trees. Wadsworth, Belmont.",
};

pub const BREIMAN_2001: Reference = Reference {
    key: "breiman2001",
    short: "Breiman 2001",
    text: "Breiman L (2001). Random forests. Machine Learning 45, 5-32. \
           doi:10.1023/A:1010933404324.",
};

pub const BENARD_SHAFF_2022: Reference = Reference {
    key: "benardbiau2022",
    short: "Bénard, Biau, Da Veiga & Scornet 2022",
    text: "Bénard C, Biau G, Da Veiga S, Scornet E (2022). SHAFF: fast and consistent Shapley \
           effect estimates via random forests. Proceedings of the 25th International Conference \
           on Artificial Intelligence and Statistics, PMLR 151, 5563-5582.",
};

pub const SOBOL_1993: Reference = Reference {
    key: "sobol1993",
    short: "Sobol 1993",
    text: "Sobol IM (1993). Sensitivity estimates for nonlinear mathematical models. Mathematical \
           Modeling and Computational Experiment 1, 407-414.",
};

pub const GAMBOA_2022: Reference = Reference {
    key: "gamboa2022",
    short: "Gamboa, Gremaud, Klein & Lagnoux 2022",
    text: "Gamboa F, Gremaud P, Klein T, Lagnoux A (2022). Global sensitivity analysis: a novel \
           generation of mighty estimators based on rank statistics. Bernoulli 28(4), 2345-2374.",
};

pub const BROTO_2020: Reference = Reference {
    key: "broto2020",
    short: "Broto, Bachoc & Depecker 2020",
    text: "Broto B, Bachoc F, Depecker M (2020). Variance reduction for estimation of Shapley effects \
           and adaptation to unknown input distribution. SIAM/ASA Journal on Uncertainty \
           Quantification 8(2), 693-716.",
};

pub const BENARD_2022: Reference = Reference {
    key: "benard2022",
    short: "Bénard, Da Veiga & Scornet 2022",
    text: "Bénard C, Da Veiga S, Scornet E (2022). Mean decrease accuracy for random forests: \
           inconsistency, and a practical solution via the Sobol-MDA. Biometrika 109(4), \
           881-900. doi:10.1093/biomet/asac017.",
};

pub const BENARD_2024: Reference = Reference {
    key: "benard2024",
    short: "Bénard, Näf & Josse 2024",
    text: "Bénard C, Näf J, Josse J (2024). MMD-based variable importance for distributional random \
           forest. Proceedings of the 27th International Conference on Artificial Intelligence and \
           Statistics, PMLR 238, 1324-1332. arXiv:2310.12115.",
};

pub const COVERT_2020: Reference = Reference {
    key: "covert2020",
    short: "Covert, Lundberg & Lee 2020",
    text: "Covert I, Lundberg SM, Lee S-I (2020). Understanding global feature contributions with \
           additive importance measures. Advances in Neural Information Processing Systems 33, \
           17212-17223.",
};

pub const FRIEDMAN_2008: Reference = Reference {
    key: "friedman2008",
    short: "Friedman & Popescu 2008",
    text: "Friedman JH, Popescu BE (2008). Predictive learning via rule ensembles. Annals of Applied \
           Statistics 2(3), 916-954. doi:10.1214/07-AOAS148.",
};

pub const FRIEDMAN_2001: Reference = Reference {
    key: "friedman2001",
    short: "Friedman 2001",
    text: "Friedman JH (2001). Greedy function approximation: a gradient boosting machine. Annals \
           of Statistics 29(5), 1189-1232. doi:10.1214/aos/1013203451.",
};

pub const GNEITING_2007: Reference = Reference {
    key: "gneiting2007",
    short: "Gneiting & Raftery 2007",
    text: "Gneiting T, Raftery AE (2007). Strictly proper scoring rules, prediction, and estimation. \
           Journal of the American Statistical Association 102(477), 359-378. \
           doi:10.1198/016214506000001437.",
};

pub const GOLDSTEIN_2015: Reference = Reference {
    key: "goldstein2015",
    short: "Goldstein et al. 2015",
    text: "Goldstein A, Kapelner A, Bleich J, Pitkin E (2015). Peeking inside the black box: \
           visualizing statistical learning with plots of individual conditional expectation. \
           Journal of Computational and Graphical Statistics 24(1), 44-65. \
           doi:10.1080/10618600.2014.907095.",
};

pub const GEURTS_2006: Reference = Reference {
    key: "geurts2006",
    short: "Geurts, Ernst & Wehenkel 2006",
    text: "Geurts P, Ernst D, Wehenkel L (2006). Extremely randomized trees. Machine Learning 63, \
           3-42. doi:10.1007/s10994-006-6226-1.",
};

pub const HAPFELMEIER_2014: Reference = Reference {
    key: "hapfelmeier2014",
    short: "Hapfelmeier et al. 2014",
    text: "Hapfelmeier A, Hothorn T, Ulm K, Strobl C (2014). A new variable importance measure \
           for random forests with missing data. Statistics and Computing 24, 21-34. \
           doi:10.1007/s11222-012-9349-1.",
};

pub const HO_1998: Reference = Reference {
    key: "ho1998",
    short: "Ho 1998",
    text: "Ho TK (1998). The random subspace method for constructing decision forests. IEEE \
           Transactions on Pattern Analysis and Machine Intelligence 20(8), 832-844. \
           doi:10.1109/34.709601.",
};

pub const HOTHORN_2006: Reference = Reference {
    key: "hothorn2006",
    short: "Hothorn, Hornik & Zeileis 2006",
    text: "Hothorn T, Hornik K, Zeileis A (2006). Unbiased recursive partitioning: a conditional \
           inference framework. Journal of Computational and Graphical Statistics 15(3), \
           651-674. doi:10.1198/106186006X133933.",
};

pub const ISHWARAN_2007: Reference = Reference {
    key: "ishwaran2007",
    short: "Ishwaran 2007",
    text: "Ishwaran H (2007). Variable importance in binary regression trees and forests. \
           Electronic Journal of Statistics 1, 519-537. doi:10.1214/07-EJS039.",
};

pub const ISHWARAN_2008: Reference = Reference {
    key: "ishwaran2008",
    short: "Ishwaran et al. 2008",
    text: "Ishwaran H, Kogalur UB, Blackstone EH, Lauer MS (2008). Random survival forests. The \
           Annals of Applied Statistics 2(3), 841-860. doi:10.1214/08-AOAS169.",
};

pub const ISHWARAN_2010: Reference = Reference {
    key: "ishwaran2010",
    short: "Ishwaran et al. 2010",
    text: "Ishwaran H, Kogalur UB, Gorodeski EZ, Minn AJ, Lauer MS (2010). High-dimensional \
           variable selection for survival data. Journal of the American Statistical \
           Association 105(489), 205-217. doi:10.1198/jasa.2009.tm08622.",
};

pub const ISHWARAN_2019: Reference = Reference {
    key: "ishwaran2019",
    short: "Ishwaran & Lu 2019",
    text: "Ishwaran H, Lu M (2019). Standard errors and confidence intervals for variable importance in \
           random forest regression, classification, and survival. Statistics in Medicine 38(4), \
           558-582. doi:10.1002/sim.7803.",
};

pub const JANITZA_2018: Reference = Reference {
    key: "janitza2018",
    short: "Janitza, Celik & Boulesteix 2018",
    text: "Janitza S, Celik E, Boulesteix A-L (2018). A computationally fast variable importance \
           test for random forests for high-dimensional data. Advances in Data Analysis and \
           Classification 12(4), 885-915. doi:10.1007/s11634-016-0276-4.",
};

pub const LI_2019: Reference = Reference {
    key: "li2019",
    short: "Li et al. 2019",
    text: "Li X, Wang Y, Basu S, Kumbier K, Yu B (2019). A debiased MDI feature importance \
           measure for random forests. Advances in Neural Information Processing Systems 32.",
};

pub const LOUPPE_2013: Reference = Reference {
    key: "louppe2013",
    short: "Louppe et al. 2013",
    text: "Louppe G, Wehenkel L, Sutera A, Geurts P (2013). Understanding variable importances \
           in forests of randomized trees. Advances in Neural Information Processing Systems \
           26, 431-439.",
};

pub const LIANG_2025: Reference = Reference {
    key: "liang2025",
    short: "Liang et al. 2025",
    text: "Liang Z, Rewolinski ZT, Agarwal A, Tang TM, Yu B (2025). Local MDI+: local feature \
           importances for tree-based models. arXiv:2506.08928.",
};

pub const LUNDBERG_2018: Reference = Reference {
    key: "lundberg2018",
    short: "Lundberg, Erion & Lee 2018",
    text: "Lundberg SM, Erion GG, Lee S-I (2018). Consistent individualized feature attribution \
           for tree ensembles. arXiv:1802.03888.",
};

pub const LUNDBERG_2020: Reference = Reference {
    key: "lundberg2020",
    short: "Lundberg et al. 2020",
    text: "Lundberg SM, Erion G, Chen H, DeGrave A, Prutkin JM, Nair B, Katz R, Himmelfarb J, \
           Bansal N, Lee S-I (2020). From local explanations to global understanding with \
           explainable AI for trees. Nature Machine Intelligence 2, 56-67. \
           doi:10.1038/s42256-019-0138-9.",
};

pub const MEINSHAUSEN_2006: Reference = Reference {
    key: "meinshausen2006",
    short: "Meinshausen 2006",
    text: "Meinshausen N (2006). Quantile regression forests. Journal of Machine Learning Research 7, \
           983-999.",
};

pub const NEMBRINI_2018: Reference = Reference {
    key: "nembrini2018",
    short: "Nembrini, König & Wright 2018",
    text: "Nembrini S, König IR, Wright MN (2018). The revival of the Gini importance? \
           Bioinformatics 34(21), 3711-3718. doi:10.1093/bioinformatics/bty373.",
};

pub const SAABAS_2014: Reference = Reference {
    key: "saabas2014",
    short: "Saabas 2014",
    text: "Saabas A (2014). Interpreting random forests. \
           https://blog.datadive.net/interpreting-random-forests/.",
};

pub const STROBL_2007: Reference = Reference {
    key: "strobl2007",
    short: "Strobl et al. 2007",
    text: "Strobl C, Boulesteix A-L, Zeileis A, Hothorn T (2007). Bias in random forest \
           variable importance measures: illustrations, sources and a solution. BMC \
           Bioinformatics 8, 25. doi:10.1186/1471-2105-8-25.",
};

pub const STROBL_2008: Reference = Reference {
    key: "strobl2008",
    short: "Strobl et al. 2008",
    text: "Strobl C, Boulesteix A-L, Kneib T, Augustin T, Zeileis A (2008). Conditional variable \
           importance for random forests. BMC Bioinformatics 9, 307. \
           doi:10.1186/1471-2105-9-307.",
};

pub const SUTERA_2021: Reference = Reference {
    key: "sutera2021",
    short: "Sutera et al. 2021",
    text: "Sutera A, Louppe G, Huynh-Thu VA, Wehenkel L, Geurts P (2021). From global to local MDI \
           variable importances for random forests and when they are Shapley values. Advances in \
           Neural Information Processing Systems 34.",
};

pub const YU_2022: Reference = Reference {
    key: "yu2022",
    short: "Yu et al. 2022",
    text: "Yu P, Xu C, Bifet A, Read J (2022). Linear TreeSHAP. Advances in Neural Information \
           Processing Systems 35.",
};

pub const ZHOU_2021: Reference = Reference {
    key: "zhou2021",
    short: "Zhou & Hooker 2021",
    text: "Zhou Z, Hooker G (2021). Unbiased measurement of feature importance in tree-based \
           methods. ACM Transactions on Knowledge Discovery from Data 15(2), 26. \
           doi:10.1145/3429445.",
};
