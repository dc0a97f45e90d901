//! The native part of the R package `wald`: the engine's types as R meets them.
//!
//! Nothing is computed here. `R/R/` holds what users see; these functions are its own affair. Each
//! takes and returns R objects as they are, and none raises an R error, because R leaves a function
//! that raises one without dropping what it holds: a failure is a value, of which R makes a condition
//! (`failure.rs`).

#![expect(missing_docs, reason = "the macro that lists functions for R writes one without")]
#![expect(
    clippy::needless_pass_by_value,
    reason = "R's arguments arrive as values; they are references that R counts"
)]
#![expect(clippy::used_underscore_binding, reason = "of what makes functions R's")]

mod advice;
mod comparison;
mod conditional;
mod explanation;
mod failure;
mod forest;
mod given;
mod importance;
mod interactions;
mod masking;
mod pointer;
mod population;
mod report;
mod selection;
mod settings;
mod simulate;
mod surrogate;
mod table;
mod uncertainty;
mod values;
mod watch;
mod weights;
mod wording;

use extendr_api::extendr_module;

extendr_module! {
    mod wald;
    use advice;
    use comparison;
    use conditional;
    use explanation;
    use forest;
    use importance;
    use interactions;
    use masking;
    use pointer;
    use population;
    use report;
    use selection;
    use settings;
    use simulate;
    use surrogate;
    use table;
    use uncertainty;
    use weights;
}
