//! Importances from few runs by a Gaussian process, as the plain data of a page or a picture.

mod build;
mod page;

pub use page::{Judgement, LeftOut, SurrogateReport, TwoWays, Value};
