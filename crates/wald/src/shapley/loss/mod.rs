//! Shapley values of the loss: by how much each variable, once it is known, lowers the loss of the
//! forest for a row (Lundberg et al. 2020, "explaining the loss"; Sutera et al. 2021, footnote 9).
//!
//! The loss of a mean over trees is no mean of losses, so that trees cannot be explained one by one.
//! But between a row and a background row only those variables count whose values lead to different
//! children at some node that a mixture of both comes to. With m of them, what the forest predicts
//! for all 2^m mixtures comes of one walk through every tree, and then the Shapley values of any loss
//! follow from their definition.

mod pair;
mod rows;

pub(crate) use rows::{LossOfRows, mixture_bytes};
