//! Progress with the remaining time, for work that takes longer than a moment.

use std::io::{self, IsTerminal};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use wald::Progress;

use crate::terminal::{Terminal, is_dumb};

/// Shorter work shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// What is counted, such as trees, and what is only a measure of the work that is done.
const COUNT: &str = "{msg}  {bar:30} {pos}/{len}  {eta} left";
const PERCENT: &str = "{msg}  {bar:30} {percent} %  {eta} left";

/// Runs `work`, and shows on a terminal how far it is.
pub(crate) fn with_progress<T: Send>(
    doing: &str,
    progress: &Progress,
    quiet: bool,
    work: impl FnOnce() -> T + Send,
) -> T {
    watched(doing, COUNT, progress, quiet, work)
}

/// As [`with_progress`], where the counted units are of no interest to the reader.
pub(crate) fn with_percent<T: Send>(
    doing: &str,
    progress: &Progress,
    quiet: bool,
    work: impl FnOnce() -> T + Send,
) -> T {
    watched(doing, PERCENT, progress, quiet, work)
}

fn watched<T: Send>(
    doing: &str,
    template: &str,
    progress: &Progress,
    quiet: bool,
    work: impl FnOnce() -> T + Send,
) -> T {
    if quiet || is_dumb() || !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (finished, waiting) = mpsc::channel::<()>();
        let worker = scope.spawn(move || {
            // Dropped at the end of the work, even by a panic.
            let _finished = finished;
            work()
        });
        show(doing, template, progress, &waiting);
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Draws until the sender is gone.
fn show(doing: &str, template: &str, progress: &Progress, waiting: &mpsc::Receiver<()>) {
    let goes_on = |time| waiting.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout);
    let start = Instant::now();
    if !goes_on(PATIENCE) {
        return;
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
        .with_elapsed(start.elapsed())
        .with_message(wald_table::escape_controls(doing));
    bar.set_style(style("{msg}  {elapsed}"));
    let mut is_counting = false;
    while goes_on(TICK) {
        let (done, total) = progress.counts();
        if total > 0 && !is_counting {
            is_counting = true;
            bar.set_style(style(template));
        }
        if is_counting {
            bar.set_length(total);
            bar.set_position(done);
        } else {
            bar.tick();
        }
    }
    bar.finish_and_clear();
}

fn style(template: &str) -> ProgressStyle {
    let marks = if Terminal::stderr().unicode { "█▉▊▋▌▍▎▏ " } else { "#. " };
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars(marks)
}
