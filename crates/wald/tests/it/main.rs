//! Integration tests of the engine: one binary.
#![expect(missing_docs, unreachable_pub, reason = "tests are read, not called")]

mod growing;
mod laws;
mod permutation;
mod support;
