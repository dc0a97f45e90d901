//! Shapley values of the loss: by how much each variable, once it is known, lowers the loss of the
//! forest for a row (Lundberg et al. 2020, "explaining the loss"; Sutera et al. 2021, footnote 9).
//!
//! The loss of a mean over trees is no mean of losses, so that trees cannot be explained one by one.
//! But between a row and a background row only those variables count whose values lead to different
//! children at some node that a mixture of both reaches. One walk through every tree finds the leaves
//! that mixtures reach, and what each requires of a mixture (`pair.rs`, `patterns.rs`).
//!
//! From there two ways lead to the values, and the cheaper one is taken. With m variables, what the
//! forest predicts for all 2^m mixtures gives the Shapley values of any loss by their definition
//! (`subsets.rs`). The squared loss is a sum over pairs of leaves, whatever m is (`squares.rs`).

mod pair;
mod patterns;
mod rows;
mod squares;
mod subsets;

pub(crate) use rows::{LossOfRows, mixture_bytes};
