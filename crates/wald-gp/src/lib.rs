//! Exact Gaussian processes for few runs of an expensive model.
//!
//! The process is a constant mean, estimated by generalised least squares, a product kernel with a
//! length per input, and noise; lengths and noise maximise the likelihood. Each start of the search for
//! the maximum uses one thread, so that results do not depend on the number of threads, nor do they on the
//! registers of the processor. A fit takes time of order n³ for every step of the optimiser, and memory of
//! order n².

mod cholesky;
mod design;
mod draws;
mod fit;
mod judgement;
mod kernel;
mod likelihood;
mod matrix;
mod optimise;
mod path;
mod process;
mod products;
mod range;
mod search;

pub use cholesky::{factorised, solve};
pub use design::{Design, MOST_ROWS};
pub use fit::{FitSettings, fit, fit_on};
pub use judgement::Judgement;
pub use kernel::Kernel;
pub use likelihood::{Likelihood, Parameters};
pub use matrix::Matrix;
pub use path::Path;
pub use process::{GaussianProcess, LeaveOneOut, Prediction};
