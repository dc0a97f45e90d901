//! What external pointers of R's point to.
//!
//! R does not know the type behind a pointer. All pointers of the package therefore have one type, and a
//! class that pointers of other packages lack.

use std::sync::Arc;

use extendr_api::prelude::*;
use wald::Dataset;

use crate::failure::Failure;
use crate::forest::Forest;

/// The class of pointers.
const CLASS: &str = "wald_native";

/// What the engine keeps for R.
pub(crate) enum Kept {
    Data(Arc<Dataset>),
    Forest(Forest),
}

impl Kept {
    pub(crate) fn into_robj(self) -> Result<Robj, Failure> {
        let mut pointer = Robj::from(ExternalPtr::new(self));
        let marked = pointer.set_class([CLASS]).map(|_| ());
        marked.map_err(|error| Failure::internal(error.to_string()))?;
        Ok(pointer)
    }
}

/// A pointer of R's that points to something: those of a session that has ended do not.
fn kept(value: &Robj) -> Option<ExternalPtr<Kept>> {
    if !value.inherits(CLASS) {
        return None;
    }
    ExternalPtr::try_from(value)
        .ok()
        .filter(|pointer: &ExternalPtr<Kept>| pointer.try_addr().is_ok())
}

/// A data set of R's.
pub(crate) fn data(value: &Robj) -> Result<Arc<Dataset>, Failure> {
    match kept(value).as_deref() {
        Some(Kept::Data(data)) => Ok(Arc::clone(data)),
        _ => Err(Failure::internal("a data set was expected")),
    }
}

/// A forest of R's.
pub(crate) fn forest(value: &Robj) -> Result<Forest, Failure> {
    match kept(value).as_deref() {
        Some(Kept::Forest(forest)) => Ok(forest.clone()),
        _ => Err(Failure::internal("a forest was expected")),
    }
}

/// Whether a pointer still points to what this session has made.
#[extendr]
fn is_alive(pointer: Robj) -> bool {
    kept(&pointer).is_some()
}

extendr_module! {
    mod pointer;
    fn is_alive;
}
