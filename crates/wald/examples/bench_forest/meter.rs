//! Time and memory of this process.

use std::fs;
use std::time::Instant;

/// Elapsed time, and processor time where the system tells it.
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

/// User and system time of all threads so far (proc(5), fields 14 and 15 of `stat`, which
/// Linux counts in hundredths of a second).
fn processor_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(11).map_while(|field| field.parse::<f64>().ok());
    Some((ticks.next()? + ticks.next()?) / 100.0)
}

/// The most memory that this process has held so far, in bytes; `None` outside Linux.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(1024 * kibibytes)
}
