//! All that was measured for a report.

use crate::making::sampled::SampledMeasure;
use wald::Importance;
use wald::measure::Measure;

/// What was measured: that of the report first, then what terms need besides.
pub(super) struct AllMeasured<'a> {
    pub(super) measures: Vec<(&'a Measure, &'a Importance)>,
    pub(super) sampled: Vec<Option<SampledMeasure>>,
}
