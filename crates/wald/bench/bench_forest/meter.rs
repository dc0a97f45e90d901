//! Time and memory of this process.

use std::fs;
use std::time::Instant;

/// Elapsed time, and processor time on Unix.
pub(crate) struct Clock {
    start: Instant,
    processor: Option<f64>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { start: Instant::now(), processor: processor_seconds() }
    }

    /// Seconds since the start: `[elapsed, processor]`.
    pub(crate) fn read(&self) -> [Option<f64>; 2] {
        let elapsed = self.start.elapsed().as_secs_f64();
        let processor = processor_seconds().zip(self.processor).map(|(now, then)| now - then);
        [Some(elapsed), processor]
    }
}

/// Processor seconds of all threads so far, ended ones included.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it is not known")]
fn processor_seconds() -> Option<f64> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64)
}

#[cfg(not(unix))]
fn processor_seconds() -> Option<f64> {
    None
}

/// The most memory that this process has held so far, in bytes; `None` outside Linux.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(1024 * kibibytes)
}
