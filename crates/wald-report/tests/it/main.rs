//! Integration tests of reports and advice: one binary.
#![expect(unreachable_pub, reason = "tests are read, not called")]

mod advice;
mod advice_thresholds;
mod answer;
mod dependent_rows;
mod disagreement;
mod explanations;
mod hidden;
mod parts;
mod regrown;
mod report;
mod surrogate;

// Shared with the tests of the engine, which need more of it.
#[allow(dead_code, reason = "not all of it is needed here")]
#[path = "../../../wald/tests/it/golden_case.rs"]
mod golden_case;
#[path = "../../../wald/tests/it/stump.rs"]
mod stump;
#[allow(dead_code, reason = "not all of it is needed here")]
#[path = "../../../wald/tests/it/support.rs"]
mod support;
