//! Which command made a report.

use std::path::Path;

/// The words of this command.
pub(crate) fn words() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned())
}

/// The last part of a path: a page that is passed on does not reveal folders.
pub(crate) fn file_name(source: &str) -> String {
    let name = Path::new(source).file_name();
    name.map_or(source.to_owned(), |name| name.to_string_lossy().into_owned())
}
