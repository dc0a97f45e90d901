//! Bénard, Da Veiga & Scornet (2022): inconsistency of the mean decrease accuracy, and the
//! Sobol-MDA.

pub(crate) mod elimination;
mod example_1;
pub(crate) mod figures;
mod limits;
pub(crate) mod limits_check;
pub(crate) mod noise;
pub(crate) mod prostate;
mod real_data;
pub(crate) mod table_1;
pub(crate) mod table_3;
pub(crate) mod table_4;
pub(crate) mod table_5;
pub(crate) mod theorems;
pub(crate) mod two_step;

pub(crate) const SOURCE: &str =
    "Bénard, Da Veiga & Scornet 2022, Biometrika 109(4), arXiv:2102.13347";
