//! Temporary files beside results. They are named by the machine and locked while they are written,
//! so that those of runs that were killed differ from those of runs that go on.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

/// The temporary file that is being written, if any. Whoever holds the lock decides whether it
/// exists, so that the handler of a signal can remove it.
pub type Temporary = Mutex<Option<PathBuf>>;

const SUFFIX: &str = ".tmp";

/// A new file in the folder, with the permissions of any new file; what killed runs have left there is
/// removed.
pub(crate) fn create(folder: &Path, temporary: &Temporary) -> io::Result<NamedTempFile> {
    let prefix = prefix();
    loop {
        let file = {
            let mut temporary = temporary.lock().unwrap_or_else(PoisonError::into_inner);
            let file = new(folder, &prefix)?;
            *temporary = Some(file.path().to_owned());
            file
        };
        if is_held(file.as_file())? {
            remove_leftovers(folder, &prefix, file.as_file());
            return Ok(file);
        }
    }
}

fn new(folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Locks are those of one machine, unless a network file system shares them: a machine leaves the
/// files of others alone.
#[cfg(unix)]
fn prefix() -> String {
    let names = rustix::system::uname();
    let machine = names.nodename().to_string_lossy();
    let plain = machine.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(40);
    format!(".wald-{}-", plain.collect::<String>())
}

#[cfg(not(unix))]
fn prefix() -> String {
    ".wald-".to_owned()
}

/// Locks a new file; false where another run took it for a leftover in the moment before. Where
/// files cannot be locked, leftovers are not removed.
#[cfg(unix)]
fn is_held(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    match file.try_lock() {
        Ok(()) => Ok(file.metadata()?.nlink() > 0),
        Err(fs::TryLockError::WouldBlock) => Ok(false),
        Err(fs::TryLockError::Error(_)) => Ok(true),
    }
}

/// Other systems keep others from writing a file that is locked; theirs are not.
#[cfg(not(unix))]
fn is_held(_: &File) -> io::Result<bool> {
    Ok(true)
}

/// Removes this user's files of that name that no process holds. What cannot be read or removed
/// stays.
#[cfg(unix)]
fn remove_leftovers(folder: &Path, prefix: &str, own: &File) {
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    let (Ok(entries), Ok(own)) = (fs::read_dir(folder), own.metadata()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let middle = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(SUFFIX));
        if !middle.is_some_and(|random| random.chars().all(|c| c.is_ascii_alphanumeric())) {
            continue;
        }
        // Not through a link, and not waiting for a pipe.
        let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits();
        let opened = File::options().write(true).custom_flags(flags as i32).open(entry.path());
        let Ok(file) = opened else { continue };
        let is_own = file.metadata().is_ok_and(|found| found.is_file() && found.uid() == own.uid());
        if is_own && file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(not(unix))]
fn remove_leftovers(_: &Path, _: &str, _: &File) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn leftovers_go_and_files_in_use_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let create = || create(folder.path(), &Temporary::default()).expect("created");
        let in_use = create();
        let name = |random: &str| folder.path().join(format!("{}{random}{SUFFIX}", prefix()));
        let (leftover, foreign) = (name("Ab12cd"), folder.path().join(".wald-other-Ab12cd.tmp"));
        let (result, linked) = (name("of.mine"), name("linked"));
        for path in [&leftover, &foreign, &result] {
            fs::write(path, "old").expect("written");
        }
        std::os::unix::fs::symlink(&foreign, &linked).expect("linked");
        let next = create();
        assert!(!leftover.exists());
        for path in [in_use.path(), next.path(), &foreign, &result, &linked] {
            assert!(path.exists(), "{}", path.display());
        }
        drop(in_use);
        assert!(next.path().exists());
    }
}
