//! Where results go: the standard output, or a file that is never half-written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::SpooledTempFile;

use crate::failure::Failure;
use crate::interrupt;
use crate::messages;
use crate::temporary;
use crate::terminal::Terminal;

/// Results that wait for other files are kept in memory up to this size, then in a file.
const MOST_WAITING: usize = 1 << 24;

/// What takes a result, perhaps on another thread.
pub(crate) type Writer = dyn Write + Send;

/// A checked destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Destination {
    /// The standard output.
    Stdout,
    /// A pipe or device, which is written as it is.
    Device(PathBuf),
    /// A file, by its real path and as the user wrote it.
    File {
        /// The path, symbolic links resolved.
        path: PathBuf,
        /// The path as given.
        given: PathBuf,
        /// Whether an existing file is replaced.
        replace: bool,
    },
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
        let cannot_write = |error: io::Error| Failure::file("write", given, &error);
        let exists = match fs::symlink_metadata(given) {
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(cannot_write(error)),
        };
        if exists {
            let kind = fs::metadata(given).map_err(cannot_write)?;
            if kind.is_dir() {
                return Err(cannot_write(io::ErrorKind::IsADirectory.into()));
            }
            if !kind.is_file() {
                if !is_pipe(&kind) {
                    // A pipe would wait for its reader.
                    File::options().write(true).open(given).map_err(cannot_write)?;
                }
                return Ok(Self::Device(given.to_owned()));
            }
        }
        let path = real(given).map_err(cannot_write)?;
        if exists {
            if inputs.iter().any(|input| fs::canonicalize(input).is_ok_and(|real| real == path)) {
                return Err(Failure::usage(
                    "the output would overwrite an input",
                    "give another path with `--output`",
                )
                .at_file(&given.to_string_lossy()));
            }
            if !force {
                return Err(already_there(given));
            }
        }
        // Whether a file can be created is known for sure only once one was.
        temporary::create(folder(&path)).map_err(cannot_write)?;
        Ok(Self::File { path, given: given.into(), replace: force })
    }

    /// What a table or a list that goes there may look like.
    pub(crate) fn terminal(&self) -> Terminal {
        match self {
            Self::Stdout => Terminal::stdout(),
            _ => Terminal { width: None, unicode: true, colour: false },
        }
    }

    /// Writes the whole result; on failure an existing file stays as it was.
    pub(crate) fn write(
        &self,
        write: impl FnOnce(&mut Writer) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Self::Stdout => to_stdout(write),
            Self::Device(path) => {
                let mut file = File::options().write(true).open(path).map(BufWriter::new);
                let written = file.as_mut().map_err(|error| io::Error::from(error.kind()));
                written
                    .and_then(|file| write(file).and_then(|()| file.flush()))
                    .map_err(|error| Failure::file("write", path, &error))
            }
            Self::File { given, .. } => self.replace(write).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => already_there(given),
                _ => Failure::file("write", given, &error),
            }),
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
            .map_err(|error| Waiting::failure(&error))?;
        Ok(Waiting(Some(waiting)))
    }

    /// Writes a temporary file, then renames it.
    fn replace(&self, write: impl FnOnce(&mut Writer) -> io::Result<()>) -> io::Result<()> {
        let Self::File { path, replace, .. } = self else { return Ok(()) };
        let mut file = BufWriter::new(temporary::create(folder(path))?);
        write(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Ok(existing) = fs::metadata(path) {
            fs::set_permissions(file.path(), existing.permissions())?;
        }
        file.as_file().sync_all()?;
        // The file stays open, and thereby locked, until it has its name.
        let (_held, temporary) = file.into_parts();
        interrupt::persist(temporary, |temporary| {
            if *replace {
                temporary.persist(path).map_err(|error| error.error)
            } else {
                temporary.persist_noclobber(path).map_err(|error| error.error)
            }
        })?;
        sync_folder(path);
        Ok(())
    }

    /// Whether the two are one file, pipe or device, however it is spelt.
    fn is_same(&self, other: &Self) -> bool {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match (self, other) {
            (Self::Stdout, Self::Stdout) => true,
            (Self::Stdout, Self::File { path, .. } | Self::Device(path))
            | (Self::File { path, .. } | Self::Device(path), Self::Stdout) => is_stdout(path),
            (Self::File { path, .. }, Self::File { path: other, .. }) => {
                let ignores_case = cfg!(any(windows, target_vendor = "apple"));
                path == other
                    || ignores_case
                        && path.to_string_lossy().to_lowercase()
                            == other.to_string_lossy().to_lowercase()
            }
            (Self::Device(path), Self::Device(other)) => real(path) == real(other),
            _ => false,
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
            Some(mut waiting) => to_stdout(|writer| io::copy(&mut waiting, writer).map(|_| ())),
            None => Ok(()),
        }
    }

    fn failure(error: &io::Error) -> Failure {
        Failure::file("write", &std::env::temp_dir(), error)
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
        (Destination::File { given, .. } | Destination::Device(given), _)
        | (_, Destination::File { given, .. } | Destination::Device(given)) => given,
        (Destination::Stdout, Destination::Stdout) => Path::new("-"),
    };
    Err(Failure::usage(what, help).at_file(&place.to_string_lossy()))
}

/// A picture that is drawn beside the results.
#[derive(Debug)]
pub(crate) struct PictureFile<'a> {
    path: &'a Path,
    place: Destination,
}

impl<'a> PictureFile<'a> {
    /// Checks before any work that the picture, if one is wanted, can be written and goes elsewhere
    /// than the `results`.
    pub(crate) fn check(
        path: Option<&'a Path>,
        force: bool,
        inputs: &[&Path],
        results: &Destination,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let place = Destination::check(Some(path), force, inputs)?;
        refuse_same("the picture", &place, "the results", results)?;
        Ok(Some(Self { path, place }))
    }

    /// Writes the picture, and reports it.
    pub(crate) fn write(&self, svg: &str, quiet: bool) -> Result<(), Failure> {
        self.place.write(|writer| writer.write_all(svg.as_bytes()))?;
        if !quiet {
            messages::print(&messages::written(self.path));
        }
        Ok(())
    }
}

/// The path with links resolved, of a file that need not exist yet.
fn real(given: &Path) -> io::Result<PathBuf> {
    if fs::symlink_metadata(given).is_ok() {
        return fs::canonicalize(given);
    }
    let names_folder = given.to_string_lossy().ends_with(std::path::is_separator);
    match given.file_name().filter(|_| !names_folder) {
        Some(name) => Ok(fs::canonicalize(folder(given))?.join(name)),
        None => Err(io::ErrorKind::IsADirectory.into()),
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(unix)]
fn is_pipe(kind: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}

/// Whether the standard output goes to the file or pipe of that name; devices can take both.
#[cfg(unix)]
fn is_stdout(path: &Path) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let Ok(stdout) = stdout.and_then(|stdout| stdout.metadata()) else { return false };
    let identity = |of: &fs::Metadata| (of.dev(), of.ino());
    !stdout.file_type().is_char_device()
        && fs::metadata(path).is_ok_and(|named| identity(&named) == identity(&stdout))
}

#[cfg(not(unix))]
fn is_stdout(_: &Path) -> bool {
    false
}

/// Makes the rename last; systems that cannot sync a folder lose nothing but that.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(folder(path)) {
        let _ = folder.sync_all();
    }
}

fn already_there(path: &Path) -> Failure {
    Failure::usage("the output file exists already", "give `--force` to replace it")
        .at_file(&path.to_string_lossy())
}

/// Writes to the standard output. A reader that has seen enough, such as `head`, is no failure.
fn to_stdout(write: impl FnOnce(&mut Writer) -> io::Result<()>) -> Result<(), Failure> {
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
