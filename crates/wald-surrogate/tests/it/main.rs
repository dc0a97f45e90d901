//! Tests of importances from few runs, from outside.

mod laws;
mod samples;
mod worlds;
mod wrong;
