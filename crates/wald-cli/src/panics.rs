//! A panic is a defect of wald: it is reported in one line, like every other failure.

use std::panic;
use std::sync::{Mutex, PoisonError};

use crate::failure::Failure;

/// The first panic; those of waiting threads follow from it.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Runs `work`; a panic becomes a failure.
pub(crate) fn caught<T>(
    work: impl FnOnce() -> Result<T, Failure> + panic::UnwindSafe,
) -> Result<T, Failure> {
    // The hook prints nothing, because some panics are caught and mended on their way up.
    panic::set_hook(Box::new(|info| {
        let text = info.payload_as_str().unwrap_or("unknown");
        let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(format!("{text}{}", place.unwrap_or_default()));
    }));
    panic::catch_unwind(work).unwrap_or_else(|_| {
        let first = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(Failure::internal(&first.unwrap_or_default()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_in_one_line() {
        let outcome = caught(|| {
            let values: Vec<u32> = Vec::new();
            assert_eq!(values.len(), 1, "two\nlines");
            Ok(())
        });
        let _ = panic::take_hook();
        let failure = outcome.expect_err("it panicked");
        assert_eq!(failure.exit_code, 70);
        assert!(failure.what.starts_with("internal error: ") && !failure.what.contains('\n'));
    }
}
