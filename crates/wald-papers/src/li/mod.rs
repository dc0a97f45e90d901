//! Li, Wang, Basu, Kumbier & Yu (2019): the bias of the mean decrease in impurity, and MDI-oob.

mod areas;
mod chip;
pub(crate) mod figures;
pub(crate) mod honest;
mod identification;
mod rows;
pub(crate) mod shapley;
pub(crate) mod table_1;
pub(crate) mod theorem_1;

pub(crate) const SOURCE: &str =
    "Li, Wang, Basu, Kumbier & Yu 2019, Advances in Neural Information Processing Systems 32";
