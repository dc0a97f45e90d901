//! How much memory the machine can still give.

use std::fs;
use std::path::Path;

/// Addresses that a thread sets aside.
const ASIDE: u64 = 66 << 20;

/// Free bytes: what the system calls available, and no more than what is left of the limits of
/// this process and its control groups. `None` where the system does not report it.
pub fn free() -> Option<u64> {
    let root = Path::new("/");
    let left = left_of_process(root, limits());
    Some(free_below(root)?.min(left.unwrap_or(u64::MAX)))
}

/// Limits of a process in bytes, where it has them.
#[derive(Debug, Clone, Copy, Default)]
struct Limits {
    /// Of all its addresses (`ulimit -v`).
    addresses: Option<u64>,
    /// Of its data (`ulimit -d`).
    data: Option<u64>,
}

#[cfg(target_os = "linux")]
fn limits() -> Limits {
    use rustix::process::{Resource, getrlimit};
    let [addresses, data] = [Resource::As, Resource::Data].map(|of| getrlimit(of).current);
    Limits { addresses, data }
}

#[cfg(not(target_os = "linux"))]
fn limits() -> Limits {
    Limits::default()
}

/// What the limits of the process leave. A thread sets aside more addresses than it fills: those of
/// its stack, and of a heap of its own, which the C library makes as long as it finds room.
fn left_of_process(root: &Path, limits: Limits) -> Option<u64> {
    let status = fs::read_to_string(root.join("proc/self/status")).ok()?;
    let used = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kibibytes.saturating_mul(1024))
    };
    let of_addresses = limits.addresses.zip(used("VmSize:")).map(|(limit, size)| {
        let left = limit.saturating_sub(size);
        // What threads that have run before set aside is there already.
        let is_aside = size.saturating_sub(used("VmRSS:").unwrap_or(size));
        let aside = ASIDE.saturating_mul(wald::Threads::all().get() as u64);
        left - aside.saturating_sub(is_aside).min(left / 2)
    });
    let of_data = limits.data.zip(used("VmData:")).map(|(limit, size)| limit.saturating_sub(size));
    of_addresses.into_iter().chain(of_data).min()
}

fn free_below(root: &Path) -> Option<u64> {
    let information = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let available = information.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = available.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let left = groups.lines().filter_map(|line| left_of_group(root, line)).min();
    Some((kibibytes.saturating_mul(1024)).min(left.unwrap_or(u64::MAX)))
}

/// What the files of a control group that are asked for are called.
struct Names {
    folder: &'static str,
    limit: &'static str,
    used: &'static str,
    /// Entries of `memory.stat` that name files kept in memory, which give way.
    files: [&'static str; 2],
}

const VERSION_1: Names = Names {
    folder: "sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    files: ["total_inactive_file", "total_active_file"],
};

const VERSION_2: Names = Names {
    folder: "sys/fs/cgroup",
    limit: "memory.max",
    used: "memory.current",
    files: ["inactive_file", "active_file"],
};

/// What a line of `/proc/self/cgroup` and the groups around that one leave (cgroups(7)).
fn left_of_group(root: &Path, line: &str) -> Option<u64> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (controllers, path) = (fields.next()?, fields.next()?);
    let names = match controllers {
        "" => VERSION_2,
        _ if controllers.split(',').any(|name| name == "memory") => VERSION_1,
        _ => return None,
    };
    let folder = root.join(names.folder);
    // In a container the path may be that of the machine outside; the folder itself always is.
    let path = Path::new(path.trim_start_matches('/'));
    path.ancestors().filter_map(|path| left_of_limit(&folder.join(path), &names)).min()
}

fn left_of_limit(folder: &Path, names: &Names) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    let (limit, used) = (number(names.limit)?, number(names.used)?);
    let statistics = read("memory.stat").unwrap_or_default();
    let of_files = statistics.lines().filter_map(|line| {
        let (name, bytes) = line.split_once(' ')?;
        names.files.contains(&name).then(|| bytes.trim().parse::<u64>().ok())?
    });
    let kept = used.saturating_sub(of_files.fold(0, u64::saturating_add));
    Some(limit.saturating_sub(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is free on a machine with these files.
    fn free_with(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("created");
            fs::write(path, text).expect("written");
        }
        free_below(root.path())
    }

    const MACHINE: (&str, &str) =
        ("proc/meminfo", "MemTotal:       8000 kB\nMemAvailable:   1000 kB\n");

    #[test]
    fn without_limits_all_that_is_available_is_free() {
        assert_eq!(free_with(&[]), None);
        assert_eq!(free_with(&[MACHINE]), Some(1_024_000));
        let unlimited = [
            MACHINE,
            ("proc/self/cgroup", "0::/user\n"),
            ("sys/fs/cgroup/user/memory.max", "max\n"),
            ("sys/fs/cgroup/user/memory.current", "5\n"),
        ];
        assert_eq!(free_with(&unlimited), Some(1_024_000));
    }

    #[test]
    fn limits_of_the_process_leave_what_it_does_not_use() {
        let root = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir_all(root.path().join("proc/self")).expect("created");
        let write = |resident: u64| {
            let sizes = format!("VmSize:\t1000 kB\nVmRSS:\t  {resident} kB\nVmData:\t 300 kB\n");
            fs::write(root.path().join("proc/self/status"), sizes).expect("written");
        };
        write(1000);
        let left = |addresses, data| left_of_process(root.path(), Limits { addresses, data });
        assert_eq!(left(None, None), None);
        // Half of what is little is set aside by threads.
        assert_eq!(left(Some(1_024_000 + 4000), None), Some(2000));
        assert_eq!(left(Some(1_024_000 + 4000), Some(307_200 + 1500)), Some(1500));
        assert_eq!(left(Some(5), None), Some(0));
        let aside = ASIDE * wald::Threads::all().get() as u64;
        assert_eq!(left(Some(1_024_000 + 5 * aside), None), Some(4 * aside));
        write(600);
        assert_eq!(left(Some(1_024_000 + 5 * aside), None), Some(4 * aside + 409_600));
    }

    #[test]
    fn the_narrowest_group_limits() {
        let files = [
            MACHINE,
            ("proc/self/cgroup", "0::/outer/inner\n"),
            ("sys/fs/cgroup/outer/inner/memory.max", "900000\n"),
            ("sys/fs/cgroup/outer/inner/memory.current", "100000\n"),
            ("sys/fs/cgroup/outer/memory.max", "700000\n"),
            ("sys/fs/cgroup/outer/memory.current", "300000\n"),
            ("sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 50000\nactive_file 9\n"),
        ];
        assert_eq!(free_with(&files), Some(450_009));
    }

    #[test]
    fn groups_of_the_first_version_limit_too() {
        let files = [
            MACHINE,
            ("proc/self/cgroup", "5:cpu:/a\n4:hugetlb,memory:/a\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "8000\n"),
            ("sys/fs/cgroup/memory/memory.stat", "cache 7000\ntotal_inactive_file 500\n"),
        ];
        assert_eq!(free_with(&files), Some(1500));
        let overdrawn = [files[0], files[1], files[2], (files[3].0, "9999\n")];
        assert_eq!(free_with(&overdrawn), Some(0));
    }
}
