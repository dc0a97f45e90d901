//! Ridge regression on the stumps of a tree: what MDI+ is made of (Agarwal et al. 2023, Sections 3
//! and 4).
//!
//! Every split of a tree becomes a column, its stump: 0 for rows that do not reach the split, and
//! otherwise one of two values, by the child that the row goes to (`design.rs`). The variables
//! themselves are columns, too. Stumps of nodes none of which is above the other share no row, so
//! that eliminating them from the leaves up fills nothing in: solving takes nodes x (depth +
//! columns)^2 operations instead of nodes^3 (`elimination.rs`). The penalty is the one with the least
//! error where each row is left out in turn, which needs no refit (`fit.rs`).

mod design;
mod elimination;
mod fit;
mod response;

pub(crate) use design::Design;
pub(crate) use fit::fit;
pub(crate) use response::responses;
