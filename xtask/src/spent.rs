//! Time that programs took: on the clock, and of processors.

use std::fmt;
use std::fs;
use std::ops::Add;
use std::time::{Duration, Instant};

/// A moment to measure from.
pub(crate) struct Start {
    clock: Instant,
    processors: Option<Duration>,
}

impl Start {
    /// Now.
    pub(crate) fn now() -> Self {
        Self { clock: Instant::now(), processors: of_children() }
    }

    /// What has been spent since.
    pub(crate) fn spent(&self) -> Spent {
        let processors = of_children().zip(self.processors);
        Spent {
            elapsed: self.clock.elapsed(),
            processors: processors.map(|(now, then)| now.saturating_sub(then)),
        }
    }
}

/// Time on the clock, and of the processors where the system counts it.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    elapsed: Duration,
    processors: Option<Duration>,
}

impl Spent {
    /// None.
    pub(crate) const NOTHING: Self =
        Self { elapsed: Duration::ZERO, processors: Some(Duration::ZERO) };
}

impl Add for Spent {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let processors = self.processors.zip(other.processors);
        Self {
            elapsed: self.elapsed + other.elapsed,
            processors: processors.map(|(one, other)| one + other),
        }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>7.1} s elapsed", self.elapsed.as_secs_f64())?;
        self.processors.map_or(Ok(()), |time| write!(f, " {:>7.1} s CPU", time.as_secs_f64()))
    }
}

/// Processor time of all programs that were started and have ended, in user and system mode.
fn of_children() -> Option<Duration> {
    of_children_in(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// `cutime` and `cstime`, the 16th and 17th field, in hundredths of a second. The second field, a
/// name in brackets, may hold blanks.
fn of_children_in(stat: &str) -> Option<Duration> {
    let (_, behind_name) = stat.rsplit_once(") ")?;
    let mut fields = behind_name.split(' ').skip(13);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(Duration::from_millis(10 * (user + system)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_of_programs_that_ended_is_read_behind_the_name() {
        let stat = "7 (a) name) S 1 7 7 0 -1 4194560 900 80 0 0 5 6 1234 56 20 0 1 0 99 8 1";
        assert_eq!(of_children_in(stat), Some(Duration::from_millis(12_900)));
        assert_eq!(of_children_in("7 (name) S 1"), None);
    }

    #[test]
    fn unknown_times_make_unknown_sums() {
        let unknown = Spent { elapsed: Duration::from_secs(2), processors: None };
        assert_eq!((unknown + Spent::NOTHING).to_string(), "    2.0 s elapsed");
        assert_eq!(
            (Spent::NOTHING + Spent::NOTHING).to_string(),
            "    0.0 s elapsed     0.0 s CPU"
        );
    }
}
