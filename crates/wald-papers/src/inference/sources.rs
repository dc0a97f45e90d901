//! The works behind error bars and p-values.

pub(super) const SOURCE: &str = "Ishwaran H, Lu M (2019). Standard errors and confidence intervals for \
                      variable importance in random forest regression, classification, and \
                      survival. Statistics in Medicine 38, 558-582.";

pub(super) const SOURCE_OF_TESTS: &str = "Altmann A et al. (2010). Permutation importance: a corrected feature \
                               importance measure. Bioinformatics 26, 1340-1347. Janitza S, Celik E, \
                               Boulesteix A-L (2018). A computationally fast variable importance test \
                               for random forests for high-dimensional data. Advances in Data \
                               Analysis and Classification 12, 885-915.";
