//! Files that are written as a whole or not at all: a temporary file beside the path gets the name of
//! the result once all of it is on the disk.
//!
//! Refusals are errors of the system, whose kinds state what is wrong: `AlreadyExists`,
//! `IsADirectory`, `NotFound` (the folder) and others.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use crate::temporary;
pub use crate::temporary::Temporary;

/// What takes a result, perhaps on another thread.
pub type Writer = dyn Write + Send;

/// Where a result goes, checked before any work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// A pipe or device, which is written as it is.
    Device(PathBuf),
    /// A file.
    File {
        /// Its path, symbolic links resolved.
        path: PathBuf,
        /// Whether an existing file is replaced.
        replace: bool,
    },
}

impl Output {
    /// Checks that `given` can be written and, unless it is to be replaced, does not exist.
    ///
    /// # Errors
    /// `AlreadyExists`, `IsADirectory`, or why the folder cannot be written.
    pub fn check(given: &Path, replace: bool, temporary: &Temporary) -> io::Result<Self> {
        let exists = match fs::symlink_metadata(given) {
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        if exists {
            let kind = fs::metadata(given)?;
            if kind.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if !kind.is_file() {
                if !is_pipe(&kind) {
                    // A pipe would wait for its reader.
                    File::options().write(true).open(given)?;
                }
                return Ok(Self::Device(given.to_owned()));
            }
            if !replace {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
        }
        let path = real(given)?;
        // Whether a file can be created is known for sure only once one was.
        temporary::create(folder(&path), temporary)?;
        Ok(Self::File { path, replace })
    }

    /// Writes the whole result; on failure an existing file stays as it was.
    ///
    /// # Errors
    /// `AlreadyExists` for a file that came into being since the check; otherwise why the result
    /// cannot be written.
    pub fn write(
        &self,
        temporary: &Temporary,
        write: impl FnOnce(&mut Writer) -> io::Result<()>,
    ) -> io::Result<()> {
        let (path, replace) = match self {
            Self::File { path, replace } => (path, *replace),
            Self::Device(path) => {
                let mut file = BufWriter::new(File::options().write(true).open(path)?);
                return write(&mut file).and_then(|()| file.flush());
            }
        };
        let mut file = BufWriter::new(temporary::create(folder(path), temporary)?);
        write(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Ok(existing) = fs::metadata(path) {
            fs::set_permissions(file.path(), existing.permissions())?;
        }
        file.as_file().sync_all()?;
        // The file stays open, and thereby locked, until it has its name.
        let (_held, written) = file.into_parts();
        {
            let mut temporary = temporary.lock().unwrap_or_else(PoisonError::into_inner);
            *temporary = None;
            let named =
                if replace { written.persist(path) } else { written.persist_noclobber(path) };
            named.map_err(|error| error.error)?;
        }
        sync_folder(path);
        Ok(())
    }

    /// Whether the two are one file, pipe or device, however it is spelt.
    pub fn is_same(&self, other: &Self) -> bool {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match (self, other) {
            (Self::File { path, .. }, Self::File { path: other, .. }) => {
                let ignores_case = cfg!(any(windows, target_vendor = "apple"));
                let lower = |path: &Path| path.to_string_lossy().to_lowercase();
                path == other || ignores_case && lower(path) == lower(other)
            }
            (Self::Device(path), Self::Device(other)) => real(path) == real(other),
            _ => false,
        }
    }

    /// Whether the standard output goes to the same file or pipe; devices can take both.
    #[cfg(unix)]
    pub fn is_stdout(&self) -> bool {
        use std::os::fd::AsFd;
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let (Self::File { path, .. } | Self::Device(path)) = self;
        let stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from);
        let Ok(stdout) = stdout.and_then(|stdout| stdout.metadata()) else { return false };
        let identity = |of: &fs::Metadata| (of.dev(), of.ino());
        !stdout.file_type().is_char_device()
            && fs::metadata(path).is_ok_and(|named| identity(&named) == identity(&stdout))
    }

    /// Whether the standard output goes to the same file or pipe, which only Unix tells.
    #[cfg(not(unix))]
    pub fn is_stdout(&self) -> bool {
        false
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
    std::os::unix::fs::FileTypeExt::is_fifo(&kind.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}

/// Makes the rename last; systems that cannot sync a folder lose nothing but that.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(folder(path)) {
        let _ = folder.sync_all();
    }
}
