//! Tables good and bad: every bad input ends in a message that names the place, every good one
//! in the decided values.

#![expect(clippy::unwrap_used, reason = "a failing test may panic")]
#![expect(clippy::format_collect, reason = "small tables are clearer when built in one line")]

mod arrow;
mod bytes;
mod header;
mod mixed;
mod new_rows;
mod parquet;
mod round_trip;
mod shape;
mod support;
mod target;
mod values;
mod weights;
