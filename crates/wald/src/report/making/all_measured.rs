//! All that was measured for a report.

use crate::importance::Importance;
use crate::measure::Measure;
use crate::report::making::sampled::SampledMeasure;

/// What was measured: that of the report first, then what terms need besides.
pub(super) struct AllMeasured<'a> {
    pub(super) measures: Vec<(&'a Measure, &'a Importance)>,
    pub(super) sampled: Vec<Option<SampledMeasure>>,
}
