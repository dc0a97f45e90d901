//! Losses of predictions.

mod kind;
mod prediction;

pub use kind::Loss;
pub(crate) use prediction::{prediction_loss, response_in, unseen_loss, unseen_response_in};
