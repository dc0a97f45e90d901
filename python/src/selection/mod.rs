//! Which variables to keep.

pub(crate) mod boruta;
pub(crate) mod elimination;
pub(crate) mod ipss;
