//! What the crates beside the engine build their own work from: threads whose results arrive in
//! order, and streams of random numbers.

pub use crate::random::{Purpose, Stream};
pub use crate::threads::ordered;
