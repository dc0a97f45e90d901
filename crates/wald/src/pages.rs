//! Large arrays in huge pages of memory.
//!
//! Growing reads one column here and one row there. With pages of 4 kB each such read also waits for the
//! address of its page. Linux gives pages of 2 MB to programs that ask for them: growing on thousands
//! of columns takes 1.2 times as long without (`docs/benchmarks.md`). Where the system has no such
//! pages, arrays are what they are without this module.

/// Makes room for `n` items in all, in huge pages where it is large.
pub(crate) fn reserve<T>(array: &mut Vec<T>, n: usize) {
    if array.capacity() < n {
        array.reserve_exact(n - array.len());
        #[cfg(target_os = "linux")]
        linux::ask_for_huge_pages(array.spare_capacity_mut());
    }
}

/// An empty array with room for `n` items.
pub(crate) fn with_room<T>(n: usize) -> Vec<T> {
    let mut array = Vec::new();
    reserve(&mut array, n);
    array
}

#[cfg(target_os = "linux")]
mod linux {
    #![expect(unsafe_code, reason = "a call of the system that changes no contents of memory")]

    use std::mem::MaybeUninit;

    /// The bytes of a huge page on most processors; on the others, a multiple of all pages.
    const HUGE_PAGE: usize = 1 << 21;

    /// Asks for huge pages for those that lie within the room, before anything is written there.
    pub(super) fn ask_for_huge_pages<T>(room: &mut [MaybeUninit<T>]) {
        let before = room.as_ptr().cast::<u8>().align_offset(HUGE_PAGE);
        let pages = size_of_val(room).saturating_sub(before) / HUGE_PAGE;
        if pages == 0 {
            return;
        }
        let start = room.as_mut_ptr().wrapping_byte_add(before).cast();
        // SAFETY: the pages lie within the room, which is borrowed mutably; this advice changes neither
        // their contents nor who may read and write them.
        let advised = unsafe {
            rustix::mm::madvise(start, pages * HUGE_PAGE, rustix::mm::Advice::LinuxHugepage)
        };
        // A system that has no huge pages refuses, and the room is as good as any other.
        let _ = advised;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_and_contents_stay() {
        for n in [0, 1, 1000, 3_000_000] {
            let mut array: Vec<u32> = with_room(n);
            assert!(array.is_empty() && array.capacity() >= n);
            array.extend(0..n as u32);
            reserve(&mut array, 2 * n);
            assert!(array.capacity() >= 2 * n);
            assert!(array.iter().copied().eq(0..n as u32));
        }
    }

    /// Whether the system was asked for huge pages at this address, as it states itself.
    #[cfg(target_os = "linux")]
    fn is_advised(address: usize) -> bool {
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("Linux lists mappings");
        let mut is_here = false;
        for line in maps.lines() {
            let hexadecimal = |text| usize::from_str_radix(text, 16).ok();
            let range = line.split(' ').next().and_then(|range| range.split_once('-'));
            if let Some((start, end)) = range
                && let (Some(start), Some(end)) = (hexadecimal(start), hexadecimal(end))
            {
                is_here = (start..end).contains(&address);
            } else if let (true, Some(flags)) = (is_here, line.strip_prefix("VmFlags:")) {
                return flags.split(' ').any(|flag| flag == "hg");
            }
        }
        false
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn huge_pages_are_asked_for_within_large_arrays() {
        if !std::fs::exists("/sys/kernel/mm/transparent_hugepage").expect("a path") {
            return;
        }
        let large: Vec<u32> = with_room(3_000_000);
        assert!(is_advised(large.as_ptr().addr() + (1 << 22)));
    }
}
