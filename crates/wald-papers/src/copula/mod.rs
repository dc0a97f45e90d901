//! Designs whose inputs are a normal copula, and what is true of them.

mod truth;
mod world;

pub(crate) use truth::{Draws, Truth};
pub(crate) use world::{Margin, Response, World};
