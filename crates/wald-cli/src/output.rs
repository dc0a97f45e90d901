//! Where results go: the standard output, or a file that is never half-written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::interrupt;
use crate::messages;
use crate::terminal::Terminal;

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
        let exists = fs::symlink_metadata(given).is_ok();
        let mut path = given.to_owned();
        if exists {
            let kind = fs::metadata(given).map_err(cannot_write)?;
            if kind.is_dir() {
                return Err(cannot_write(io::ErrorKind::IsADirectory.into()));
            }
            if !kind.is_file() {
                return Ok(Self::Device(path));
            }
            path = fs::canonicalize(given).map_err(cannot_write)?;
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
        let destination = Self::File { path, given: given.into(), replace: force };
        // Whether a file can be created is known for sure only once one was.
        interrupt::create(|| destination.temporary()).map_err(cannot_write)?;
        Ok(destination)
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
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
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

    /// Writes a temporary file, then renames it.
    fn replace(
        &self,
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> io::Result<()> {
        let Self::File { path, replace, .. } = self else { return Ok(()) };
        let mut file = BufWriter::new(interrupt::create(|| self.temporary())?);
        write(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Ok(existing) = fs::metadata(path) {
            fs::set_permissions(file.path(), existing.permissions())?;
        }
        file.as_file().sync_all()?;
        interrupt::persist(file.into_temp_path(), |temporary| {
            if *replace {
                temporary.persist(path).map_err(|error| error.error)
            } else {
                temporary.persist_noclobber(path).map_err(|error| error.error)
            }
        })?;
        sync_folder(path);
        Ok(())
    }

    /// A new file beside the destination, with the permissions of any new file.
    fn temporary(&self) -> io::Result<tempfile::NamedTempFile> {
        let Self::File { path, .. } = self else { return Err(io::ErrorKind::Unsupported.into()) };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".wald-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(folder(path))
    }
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
        if place == *results {
            let what = "the picture and the results cannot go to the same place";
            let help = "name a file by `--output`, or another one by `--svg`";
            return Err(Failure::usage(what, help));
        }
        Ok(Some(Self { path, place }))
    }

    /// Writes the picture, and says so.
    pub(crate) fn write(&self, svg: &str, quiet: bool) -> Result<(), Failure> {
        self.place.write(|writer| writer.write_all(svg.as_bytes()))?;
        if !quiet {
            messages::say(&messages::written(self.path));
        }
        Ok(())
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
fn to_stdout(write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> Result<(), Failure> {
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
