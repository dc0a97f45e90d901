//! What wald promises of its error bars and p-values, by simulation.

pub(crate) mod coverage;

const SOURCE: &str = "Ishwaran H, Lu M (2019). Standard errors and confidence intervals for \
                      variable importance in random forest regression, classification, and \
                      survival. Statistics in Medicine 38, 558-582.";
