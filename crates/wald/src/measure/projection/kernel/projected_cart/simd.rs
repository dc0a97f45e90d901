//! Dividing the rows of a cell with AVX-512, where the processor has it: 16 rows at a time instead of one,
//! with the same result as row by row.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "masked reads and writes of slices, look-ups whose indices were cut to size, and \
                  calls of functions compiled for a processor whose features were checked"
    )
)]

use super::columns::UsedCodes;
use super::few::MOST;
use super::rows::{GoLeft, PlacedRows};
use crate::measure::kernel::packed_split::PackedSplit;

/// See [`PlacedRows::divide`]; `None`, and nothing is done, where the processor cannot, or where
/// an index of a code has more than 31 bits.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn divide(
    placed: &PlacedRows,
    rows: &mut [u32],
    spare: &mut [u32],
    question: PackedSplit,
) -> Option<GoLeft> {
    // SAFETY: the processor has the features that the function is compiled for.
    is_able(&placed.codes).then(|| unsafe { avx512::divide(placed, rows, spare, question) })
}

/// Other processors cannot.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn divide(
    _placed: &PlacedRows,
    _rows: &mut [u32],
    _spare: &mut [u32],
    _question: PackedSplit,
) -> Option<GoLeft> {
    None
}

/// See `left` of [`FewRows`](super::few::FewRows); `None` in the same cases.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn left(
    rows: &[u32; MOST],
    among: u16,
    codes: &UsedCodes,
    question: PackedSplit,
) -> Option<u16> {
    // SAFETY: the processor has the features that the function is compiled for.
    is_able(codes).then(|| unsafe { avx512::left(rows, among, codes, question) })
}

#[cfg(target_arch = "x86_64")]
fn is_able(codes: &UsedCodes) -> bool {
    i32::try_from(codes.len()).is_ok()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("popcnt")
}

/// Other processors cannot.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn left(
    _rows: &[u32; MOST],
    _among: u16,
    _codes: &UsedCodes,
    _question: PackedSplit,
) -> Option<u16> {
    None
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi32, _mm512_mask_cmplt_epu32_mask, _mm512_mask_i32gather_epi32,
        _mm512_mask_storeu_epi32, _mm512_mask_testn_epi32_mask, _mm512_maskz_compress_epi32,
        _mm512_maskz_loadu_epi32, _mm512_min_epu32, _mm512_mullo_epi32, _mm512_set1_epi32,
        _mm512_srlv_epi32,
    };

    use super::super::columns::UsedCodes;
    use super::super::rows::{GoLeft, PlacedRows};
    use crate::measure::kernel::packed_split::{PackedSplit, Sides};

    use super::MOST;

    const LANES: usize = MOST;

    /// Moves rows that go left to the front.
    #[target_feature(enable = "avx512f,popcnt")]
    pub(super) fn divide(
        placed: &PlacedRows,
        rows: &mut [u32],
        spare: &mut [u32],
        question: PackedSplit,
    ) -> GoLeft {
        let n_first = _mm512_set1_epi32(placed.n_in_bag() as i32);
        let (mut n_left, mut n_right, mut in_bag) = (0, 0, 0);
        let mut start = 0;
        loop {
            let end = rows.len().min(start + LANES);
            let valid = first_lanes(end - start);
            let places = load(&rows[start..end]);
            let left = left_of(places, valid, &placed.codes, question);
            let right = valid & !left;
            in_bag += _mm512_mask_cmplt_epu32_mask(left, places, n_first).count_ones() as usize;
            let (more_left, more_right) = (left.count_ones() as usize, right.count_ones() as usize);
            // What is overwritten was read before: the left grows no faster than the start.
            store(_mm512_maskz_compress_epi32(left, places), &mut rows[n_left..n_left + more_left]);
            n_left += more_left;
            let right = _mm512_maskz_compress_epi32(right, places);
            if end == rows.len() {
                let to = n_left + n_right;
                store(right, &mut rows[to..to + more_right]);
                break;
            }
            store(right, &mut spare[n_right..n_right + more_right]);
            n_right += more_right;
            start = end;
        }
        if n_right > 0 {
            rows[n_left..n_left + n_right].copy_from_slice(&spare[..n_right]);
        }
        GoLeft { in_bag, all: n_left }
    }

    #[target_feature(enable = "avx512f,popcnt")]
    pub(super) fn left(
        rows: &[u32; MOST],
        among: u16,
        codes: &UsedCodes,
        question: PackedSplit,
    ) -> u16 {
        left_of(load(rows), among, codes, question)
    }

    /// One bit per row, which is 1 for those that go left.
    #[target_feature(enable = "avx512f,popcnt")]
    #[inline]
    fn left_of(rows: __m512i, valid: u16, codes: &UsedCodes, question: PackedSplit) -> u16 {
        let (width, codes) = (codes.width(), codes.from(question.column()));
        let start = _mm512_mullo_epi32(rows, _mm512_set1_epi32(width as i32));
        let Some(last) = codes.len().checked_sub(1) else { return 0 };
        let index = _mm512_min_epu32(start, _mm512_set1_epi32(last as i32));
        // SAFETY: no index is above that of the last code.
        let codes =
            unsafe { _mm512_mask_i32gather_epi32::<4>(index, valid, index, codes.as_ptr().cast()) };
        match question.sides() {
            Sides::Threshold { shift, limit } => {
                let code = _mm512_add_epi32(codes, _mm512_set1_epi32(shift as i32));
                _mm512_mask_cmplt_epu32_mask(valid, code, _mm512_set1_epi32(limit as i32))
            }
            Sides::Levels { right, last } => {
                let level = _mm512_min_epu32(codes, _mm512_set1_epi32(last as i32));
                let sides = _mm512_srlv_epi32(_mm512_set1_epi32(right as i32), level);
                _mm512_mask_testn_epi32_mask(valid, sides, _mm512_set1_epi32(1))
            }
        }
    }

    /// Reads at most 16 rows; the rest is 0.
    #[target_feature(enable = "avx512f,popcnt")]
    #[inline]
    fn load(from: &[u32]) -> __m512i {
        // SAFETY: lanes beyond the slice are not read.
        unsafe { _mm512_maskz_loadu_epi32(first_lanes(from.len()), from.as_ptr().cast()) }
    }

    /// Writes the first rows, as many as there is room for.
    #[target_feature(enable = "avx512f,popcnt")]
    #[inline]
    fn store(rows: __m512i, to: &mut [u32]) {
        // SAFETY: lanes beyond the slice are not written.
        unsafe {
            _mm512_mask_storeu_epi32(to.as_mut_ptr().cast(), first_lanes(to.len()), rows);
        }
    }

    #[inline]
    fn first_lanes(n: usize) -> u16 {
        ((1_u32 << n.min(LANES)) - 1) as u16
    }
}
