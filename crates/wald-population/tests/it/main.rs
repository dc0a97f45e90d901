//! Integration tests of the exact world: one binary.
#![expect(unreachable_pub, reason = "tests are read, not called")]

mod joint;
mod laws;
mod local;
mod refusals;
mod sampled;
mod worked_cases;

// Shared with the tests of the engine, which need more of them.
#[allow(dead_code, reason = "not all of it is needed here")]
#[path = "../../../wald/tests/it/golden_case.rs"]
mod golden_case;
#[allow(dead_code, reason = "not all of it is needed here")]
#[path = "../../../wald/tests/it/multiway_limits.rs"]
mod multiway_limits;
#[allow(dead_code, reason = "not all of it is needed here")]
#[path = "../../../wald/tests/it/support.rs"]
mod support;
