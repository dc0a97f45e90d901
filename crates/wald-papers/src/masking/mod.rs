//! How importances of what only one variable explains depend on how the forest was grown.

pub(crate) mod node_size;
mod runs;
pub(crate) mod sobol;
mod worlds;

pub(crate) const SOURCE: &str = "Bénard, Da Veiga & Scornet 2022, section 3 (estimand); Louppe et al. 2013, section 4 (masking)";

pub(crate) use runs::Grid;
pub(crate) use worlds::WORLDS;
