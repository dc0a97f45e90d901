//! Where results go: the standard output, or a file that is never half-written.

use std::fs;
use std::io::{self, BufWriter, IsTerminal, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::{SpooledTempFile, spooled_tempfile_in};
use wald_table::file::{Output, Writer};

use crate::failure::Failure;
use crate::interrupt::TEMPORARY;
use crate::markup::{Look, Markup};
use crate::pager::{pager, show};
use crate::terminal::Terminal;

/// Results that wait for other files are kept in memory up to this size, then in a file.
const MOST_WAITING: usize = 1 << 24;

/// A checked destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Destination {
    /// The standard output.
    Stdout,
    /// Something with a path, which stands first as the user wrote it.
    Named(PathBuf, Output),
}

impl Destination {
    /// Checks before any work that `output` (`-` or nothing: the standard output) can be
    /// written, is none of the `inputs`, and does not exist unless `force` is given.
    pub(crate) fn check(
        output: Option<&Path>,
        force: bool,
        inputs: &[&Path],
    ) -> Result<Self, Failure> {
        let Some(given) = output.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::Stdout);
        };
        if let Ok(path) = fs::canonicalize(given)
            && path.is_file()
            && inputs.iter().any(|input| fs::canonicalize(input).is_ok_and(|real| real == path))
        {
            return Err(Failure::usage("the output would overwrite an input", "give another path")
                .at_file(&given.to_string_lossy()));
        }
        let checked = Output::check(given, force, &TEMPORARY);
        Ok(Self::Named(given.to_owned(), checked.map_err(|error| refusal(given, &error))?))
    }

    /// Whether it is a file, not a pipe, a device or the standard output.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self, Self::Named(_, Output::File { .. }))
    }

    /// What a table or a list that goes there may look like.
    pub(crate) fn terminal(&self, look: Look) -> Terminal {
        let terminal = match self {
            Self::Stdout if look.markup == Markup::Plain => Terminal::stdout(),
            _ => Terminal::unbounded(look.markup),
        };
        Terminal { decimal_mark: look.decimal_mark, ..terminal }
    }

    /// Whether people watch how the result is printed, so that nothing else may be shown.
    pub(crate) fn is_terminal(&self) -> bool {
        *self == Self::Stdout && io::stdout().is_terminal()
    }

    /// Writes the whole result; on failure an existing file stays as it was.
    pub(crate) fn write(
        &self,
        write: impl FnOnce(&mut Writer) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Self::Stdout if pager().is_some() => self.write_first(write)?.release(),
            Self::Stdout => written_to_stdout(write),
            Self::Named(given, output) => {
                output.write(&TEMPORARY, write).map_err(|error| refusal(given, &error))
            }
        }
    }

    /// As [`Destination::write`], but the standard output stays empty until the result is released:
    /// for results on whose way other files are made.
    pub(crate) fn write_first(
        &self,
        write: impl FnOnce(&mut Writer) -> io::Result<()>,
    ) -> Result<Waiting, Failure> {
        if *self != Self::Stdout {
            return self.write(write).map(|()| Waiting(None));
        }
        let mut waiting = SpooledTempFile::new(MOST_WAITING);
        write(&mut waiting)
            .and_then(|()| waiting.rewind())
            .map_err(|error| Failure::file("write", &std::env::temp_dir(), &error))?;
        Ok(Waiting(Some(waiting)))
    }

    /// Where pieces of a result wait until all of it is known; nothing stays behind, however the
    /// program ends.
    pub(crate) fn waiting(&self) -> SpooledTempFile {
        match self {
            Self::Named(given, Output::File { .. }) => {
                let folder = given.parent().filter(|folder| !folder.as_os_str().is_empty());
                spooled_tempfile_in(MOST_WAITING, folder.unwrap_or(Path::new(".")))
            }
            Self::Named(..) | Self::Stdout => SpooledTempFile::new(MOST_WAITING),
        }
    }

    /// Whether the two are one file, pipe or device, however it is spelt.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Stdout, Self::Stdout) => true,
            (Self::Stdout, Self::Named(_, output)) | (Self::Named(_, output), Self::Stdout) => {
                output.is_stdout()
            }
            (Self::Named(_, output), Self::Named(_, other)) => output.is_same(other),
        }
    }
}

/// A result that is not on the standard output yet.
#[derive(Debug)]
#[must_use]
pub(crate) struct Waiting(Option<SpooledTempFile>);

impl Waiting {
    pub(crate) fn release(self) -> Result<(), Failure> {
        match self.0 {
            Some(waiting) => to_stdout(waiting),
            None => Ok(()),
        }
    }
}

/// Refuses two results that go to the same place; before each comes what to call it.
pub(crate) fn refuse_same(
    name: &str,
    one: &Destination,
    other_name: &str,
    other: &Destination,
) -> Result<(), Failure> {
    if !one.is_same(other) {
        return Ok(());
    }
    let what = format!("{name} and {other_name} go to the same place");
    let help = "one result would overwrite the other: give each a file of its own";
    let place = match (one, other) {
        (Destination::Named(given, _), _) | (_, Destination::Named(given, _)) => given,
        (Destination::Stdout, Destination::Stdout) => Path::new("-"),
    };
    Err(Failure::usage(what, help).at_file(&place.to_string_lossy()))
}

/// Why a path cannot be written.
fn refusal(given: &Path, error: &io::Error) -> Failure {
    if error.kind() != io::ErrorKind::AlreadyExists {
        return Failure::file("write", given, error);
    }
    Failure::usage("the output file exists already", "give `--force` to replace it")
        .at_file(&given.to_string_lossy())
}

/// Shows what has waited.
fn to_stdout(mut waiting: SpooledTempFile) -> Result<(), Failure> {
    if let Some(pager) = pager()
        && show(&pager, &mut waiting).map_err(|error| Failure::stdout(&error))?
    {
        return Ok(());
    }
    written_to_stdout(|writer| io::copy(&mut waiting, writer).map(|_| ()))
}

/// Writes to the standard output. A reader that has seen enough, such as `head`, is no failure.
fn written_to_stdout(write: impl FnOnce(&mut Writer) -> io::Result<()>) -> Result<(), Failure> {
    let mut stdout = BufWriter::new(io::stdout());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            // What is left in the buffer has no reader either.
            let _ = stdout.into_parts();
            Ok(())
        }
        outcome => outcome.map_err(|error| Failure::stdout(&error)),
    }
}
