//! A signal that ends the program does so at once, from any phase, and leaves no temporary file
//! behind.

use std::io::{self, IsTerminal, Write};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

use wald_table::file::Temporary;

/// The temporary file that the handler removes; it cannot miss one that is just coming into being.
pub(crate) static TEMPORARY: Temporary = Temporary::new(None);

/// Whether a pager shows the result, which then knows what Ctrl-C means.
pub(crate) static PAGING: AtomicBool = AtomicBool::new(false);

/// Installs the handlers. Without them, signals still end the program in the system's way.
#[cfg(unix)]
pub(crate) fn install() {
    use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use std::sync::Arc;
    // A file that outgrows the limit of the process is then an error of writing.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    // What runs under `nohup` goes on.
    let ignored = ignored();
    let signals = [SIGHUP, SIGINT, SIGTERM].into_iter();
    let signals = signals.filter(|signal| ignored & (1 << (signal - 1)) == 0);
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) {
        let wait = move || {
            for signal in signals.forever() {
                if signal != SIGINT || !PAGING.load(Ordering::Relaxed) {
                    end(signal);
                }
            }
        };
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
    }
}

#[cfg(not(unix))]
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| end(2));
}

/// The signals that whoever started this program had set to be ignored, a bit for each.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Ends the program with the exit code by which shells report the signal.
fn end(signal: i32) {
    let temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(path) = temporary.as_ref() {
        let _ = std::fs::remove_file(path);
    }
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        // The shell's prompt starts on a line of its own.
        let _ = writeln!(stderr);
    }
    std::process::exit(128 + signal);
}
