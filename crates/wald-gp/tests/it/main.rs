//! Tests of Gaussian processes against brute force.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod fits;
mod judgement;
mod known;
mod likelihood;
mod peers;
mod wrong;
