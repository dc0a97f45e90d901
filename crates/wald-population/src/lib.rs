//! The exact world: a joint distribution of categorical variables and a target, and the
//! importances of infinitely many trees on infinitely many rows of it.
//!
//! Louppe, Wehenkel, Sutera & Geurts (2013) derive them for totally randomized trees
//! ([`Population::exact`]); [`Population::best_of`] follows trees that take the best of K variables
//! and gives local importances (Sutera et al. 2021); [`Population::sampled`] estimates both from
//! random orders of the variables and random paths. [`Population::find`] computes several of these at
//! once.
//!
//! Impurity is entropy in bits, the Gini index, or the variance. Sets of variables are divided by
//! all their categories, so that the trees are multiway trees.
//!
//! ```
//! use wald::data::{Column, Target};
//! use wald::{Dataset, Run};
//! use wald_population::{Limits, Population, Relevance};
//!
//! # fn main() -> Result<(), wald::Error> {
//! // y is the exclusive or of two fair coins.
//! let coins = [vec![0.0, 0.0, 1.0, 1.0], vec![0.0, 1.0, 0.0, 1.0]];
//! let columns = ["a", "b"].into_iter().zip(coins).map(|(name, coin)| Column::numeric(name, coin));
//! let classes = vec!["equal".to_owned(), "different".to_owned()];
//! let target = Target::classification("y", classes, vec![0, 1, 1, 0])?;
//! let data = Dataset::new(columns.collect::<Result<_, _>>()?, target)?;
//!
//! let population = Population::new(&data, None)?;
//! let exact = population.exact(&Limits::default(), &Run::all())?;
//! // Neither is informative alone, each determines the target given the other.
//! assert_eq!(exact.importances().by_degree, [[0.0, 0.5], [0.0, 0.5]]);
//! assert_eq!(exact.relevance(), [Relevance::Strong; 2]);
//! # Ok(())
//! # }
//! ```

mod best_of;
mod categories;
mod chosen;
mod cost;
mod exact;
mod found;
mod importances;
mod layer;
mod left;
mod limits;
mod local;
mod node;
mod output;
mod population;
mod response;
mod sampled;
mod set;
mod walk;

pub use best_of::{BestOf, TreeSettings};
pub use exact::{Exact, Term};
pub use found::{Categories, Category, Found, Request, StandardErrors};
pub use importances::{Importances, Relevance};
pub use limits::Limits;
pub use local::LocalImportances;
pub use population::Population;
pub use sampled::{SampleSettings, Sampled};
pub use set::VariableSet;
