//! Dividing positions with AVX-512, where the processor has it: 32 positions at a time instead
//! of one, with the same result as [`divide`](super::divide::divide). Growing takes 1.2 to 1.4 times
//! as long without it on tables of 20,000 rows, and 1.1 times on a million (`docs/benchmarks.md`).
//!
//! `ARCHITECTURE.md` lists the other modules with unsafe code.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "masked reads and writes of slices, look-ups whose indices were cut to size, and \
                  calls of functions compiled for a processor whose features were checked"
    )
)]

use crate::forest::grow::parts::Parts;

/// Words of 64 sides that fit into registers; positions up to 2048 are looked up there.
pub(crate) const TABLE_WORDS: usize = 32;

/// Divides the parts of the orders; see [`divide`](super::divide::divide). Returns false, and does
/// nothing, where the processor cannot.
#[cfg(target_arch = "x86_64")]
pub(crate) fn divide_columns(
    orders: &mut [u16],
    parts: &Parts<'_>,
    spare: &mut [u16],
    words: &[u64],
) -> bool {
    if is_able() {
        // SAFETY: the processor has the features that the function is compiled for.
        unsafe { avx512::divide_columns(orders, parts, spare, words) };
    }
    is_able()
}

/// See [`keep`](super::divide::keep); `None` where the processor cannot, and for more positions than
/// registers hold the marks of.
#[cfg(target_arch = "x86_64")]
pub(crate) fn keep(order: &[u16], words: &[u64], kept: &mut [u16]) -> Option<usize> {
    // SAFETY: the processor has the features that the function is compiled for.
    (is_able() && words.len() <= TABLE_WORDS).then(|| unsafe { avx512::keep(order, words, kept) })
}

/// True when the functions of this module work.
#[cfg(target_arch = "x86_64")]
pub(crate) fn is_able() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("popcnt")
}

/// Other processors cannot.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn divide_columns(
    _orders: &mut [u16],
    _parts: &Parts<'_>,
    _spare: &mut [u16],
    _words: &[u64],
) -> bool {
    false
}

/// Other processors cannot.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn is_able() -> bool {
    false
}

/// Other processors cannot.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn keep(_order: &[u16], _words: &[u64], _kept: &mut [u16]) -> Option<usize> {
    None
}

/// Fetching into the cache what will be read soon. Columns that are tried at one node have seldom been
/// read before; where they are fetched while others are searched, growing is 1.2 to 1.5 times as fast
/// on tables of thousands of columns or of a million rows. Where their cells are has to be fetched
/// first, which gains as much again with thousands of columns.
pub(crate) mod fetch {
    /// Bytes that are fetched at a time.
    const LINE: usize = 64;

    /// Fetches all items.
    #[inline]
    pub(crate) fn all<T>(items: &[T]) {
        let lines = (0..size_of_val(items)).step_by(LINE);
        lines.for_each(|offset| line(items.as_ptr().wrapping_byte_add(offset)));
    }

    /// Fetches one of the items.
    #[inline]
    pub(crate) fn one<T>(items: &[T], index: usize) {
        if let Some(item) = items.get(index) {
            line(item);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn line<T>(address: *const T) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every processor of this kind has the instruction, which changes nothing that the
        // program can observe and faults at no address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }

    /// Nothing is fetched on other processors.
    #[cfg(not(target_arch = "x86_64"))]
    fn line<T>(_address: *const T) {}
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, _mm512_and_si512, _mm512_castsi512_si256, _mm512_cvtepu16_epi32,
        _mm512_extracti64x4_epi64, _mm512_i32gather_epi32, _mm512_loadu_si512,
        _mm512_mask_blend_epi16, _mm512_mask_storeu_epi16, _mm512_maskz_compress_epi16,
        _mm512_maskz_loadu_epi16, _mm512_min_epu32, _mm512_permutex2var_epi16, _mm512_set1_epi16,
        _mm512_set1_epi32, _mm512_sllv_epi16, _mm512_sllv_epi32, _mm512_srli_epi16,
        _mm512_srli_epi32, _mm512_test_epi16_mask, _mm512_test_epi32_mask,
    };

    use super::TABLE_WORDS;
    use crate::forest::grow::parts::Parts;

    const LANES: usize = 32;

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    pub(super) fn divide_columns(
        orders: &mut [u16],
        parts: &Parts<'_>,
        spare: &mut [u16],
        words: &[u64],
    ) {
        let table = first_words(words);
        for &column in parts.columns {
            let order = parts.of(orders, column);
            if words.len() <= TABLE_WORDS {
                divide(order, spare, |positions| right_by_registers(positions, &table));
            } else {
                divide(order, spare, |positions| right_by_memory(positions, words));
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    #[inline]
    fn divide(order: &mut [u16], spare: &mut [u16], right_of: impl Fn(__m512i) -> u32) {
        if order.len() <= LANES {
            let positions = load(order);
            let valid = first_lanes(order.len());
            let right = right_of(positions) & valid;
            let left = !right & valid;
            let (to_left, to_right) = order.split_at_mut(left.count_ones() as usize);
            store(_mm512_maskz_compress_epi16(left, positions), to_left);
            store(_mm512_maskz_compress_epi16(right, positions), to_right);
            return;
        }
        let (mut n_left, mut n_right) = (0, 0);
        let mut start = 0;
        while start < order.len() {
            let end = order.len().min(start + LANES);
            let positions = load(&order[start..end]);
            let valid = u32::MAX >> (LANES - (end - start));
            let right = right_of(positions) & valid;
            let left = !right & valid;
            let (more_left, more_right) = (left.count_ones(), right.count_ones());
            // What is overwritten was read before: the left grows no faster than the start.
            let to = &mut order[n_left..n_left + more_left as usize];
            store(_mm512_maskz_compress_epi16(left, positions), to);
            let to = &mut spare[n_right..n_right + more_right as usize];
            store(_mm512_maskz_compress_epi16(right, positions), to);
            n_left += more_left as usize;
            n_right += more_right as usize;
            start = end;
        }
        for (to, from) in order[n_left..].chunks_mut(LANES).zip(spare[..n_right].chunks(LANES)) {
            store(load(from), to);
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    pub(super) fn keep(order: &[u16], words: &[u64], kept: &mut [u16]) -> usize {
        let table = first_words(words);
        let mut n_kept = 0;
        for part in order.chunks(LANES) {
            let positions = load(part);
            let chosen = right_by_registers(positions, &table) & first_lanes(part.len());
            let more = chosen.count_ones() as usize;
            let to = &mut kept[n_kept..n_kept + more];
            store(_mm512_maskz_compress_epi16(chosen, positions), to);
            n_kept += more;
        }
        n_kept
    }

    /// One bit per position: its side.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    #[inline]
    fn right_by_registers(positions: __m512i, table: &[__m512i; 4]) -> u32 {
        let word = _mm512_srli_epi16::<4>(positions);
        let low = _mm512_permutex2var_epi16(table[0], word, table[1]);
        let high = _mm512_permutex2var_epi16(table[2], word, table[3]);
        let is_high = _mm512_test_epi16_mask(word, _mm512_set1_epi16(64));
        let bit = _mm512_and_si512(positions, _mm512_set1_epi16(15));
        _mm512_test_epi16_mask(
            _mm512_mask_blend_epi16(is_high, low, high),
            _mm512_sllv_epi16(_mm512_set1_epi16(1), bit),
        )
    }

    /// One bit per position: its side.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    #[inline]
    fn right_by_memory(positions: __m512i, words: &[u64]) -> u32 {
        let low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(positions));
        let high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(positions));
        u32::from(right_of_half(low, words)) | u32::from(right_of_half(high, words)) << 16
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    #[inline]
    fn right_of_half(positions: __m512i, words: &[u64]) -> u16 {
        let last = _mm512_set1_epi32((2 * words.len() - 1) as i32);
        let index = _mm512_min_epu32(_mm512_srli_epi32::<5>(positions), last);
        // SAFETY: no index is above that of the last half word.
        let half_words = unsafe { _mm512_i32gather_epi32::<4>(index, words.as_ptr().cast()) };
        let bit = _mm512_and_si512(positions, _mm512_set1_epi32(31));
        _mm512_test_epi32_mask(half_words, _mm512_sllv_epi32(_mm512_set1_epi32(1), bit))
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    #[inline]
    fn first_words(words: &[u64]) -> [__m512i; 4] {
        let table: &[u64; TABLE_WORDS] = words.first_chunk().expect("sides fill the table");
        let quarter = |index: usize| {
            // SAFETY: the table has four times eight words.
            unsafe { _mm512_loadu_si512(table[8 * index..8 * index + 8].as_ptr().cast()) }
        };
        [quarter(0), quarter(1), quarter(2), quarter(3)]
    }

    /// Reads at most 32 positions; the rest is 0.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    #[inline]
    fn load(from: &[u16]) -> __m512i {
        // SAFETY: lanes beyond the slice are not read.
        unsafe { _mm512_maskz_loadu_epi16(first_lanes(from.len()), from.as_ptr().cast()) }
    }

    /// Writes the first positions, as many as there is room for.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    #[inline]
    fn store(positions: __m512i, to: &mut [u16]) {
        // SAFETY: lanes beyond the slice are not written.
        unsafe {
            _mm512_mask_storeu_epi16(to.as_mut_ptr().cast(), first_lanes(to.len()), positions);
        }
    }

    fn first_lanes(n: usize) -> u32 {
        ((1_u64 << n.min(LANES)) - 1) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forest::grow::divide::{Sides, divide};
    use crate::random::{Purpose, Stream};

    /// Vectors and single positions give the same result, for tables in registers and in
    /// memory, whole vectors and parts, all on one side and mixed.
    #[test]
    fn vectors_divide_like_single_positions() {
        let mut stream = Stream::new(0, 0, Purpose::Splits);
        for n in [1, 2, 31, 32, 33, 64, 100, 1000, 2048, 2049, 5000, 65_535] {
            for share_right in [0.0, 0.3, 1.0] {
                let mut sides = Sides::default();
                sides.resize(n);
                (0..n as u16).for_each(|at| sides.set(at, stream.unit() < share_right));
                let mut order: Vec<u32> = (0..n as u32).collect();
                stream.shuffle(&mut order);
                let order: Vec<u16> = order.iter().map(|&at| at as u16).collect();
                let mut spare = vec![0; n];
                let (start, end) = (n / 3, n - n / 5);
                let mut expected = [order.as_slice(), &order].concat();
                divide(&mut expected[start..end], &mut spare, &sides);
                divide(&mut expected[n + start..n + end], &mut spare, &sides);
                let mut found = [order.as_slice(), &order].concat();
                let parts = Parts { columns: &[0, 1], stride: n, span: start..end };
                if divide_columns(&mut found, &parts, &mut spare, sides.words()) {
                    assert!(found == expected, "{n} positions, {share_right} on the right");
                }
            }
        }
    }
}
