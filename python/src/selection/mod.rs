//! Which variables to keep.

mod boruta;
mod elimination;
mod ipss;

pub(crate) use boruta::boruta;
pub(crate) use elimination::eliminate;
pub(crate) use ipss::ipss;
