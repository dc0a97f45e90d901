//! Whether wald's advice is right where the truth is known.

pub(crate) mod table_2;
mod worlds;

const SOURCE: &str = "Bénard C, Da Veiga S, Scornet E (2022). Mean decrease accuracy for random \
                      forests: inconsistency, and a practical solution via the Sobol-MDA. \
                      Biometrika 109(4), 881-900. Table 2.";
