//! Sorting the rows of a node by their codes, without comparing where that pays.
//!
//! Few rows are sorted by insertion, columns without ties by a bitmap over their codes, and all
//! others by distribution into buckets.

use crate::data::{MISSING_CODE, RankedColumn};

/// Below this many rows insertion sort wins.
const FEW: usize = 24;

/// A bitmap over all codes is read when the node holds at least one row per this many codes.
const CODES_PER_ROW: usize = 64;

/// Working memory for sorting; the result is in [`Sorter::keys`].
#[derive(Debug, Default)]
pub(crate) struct Sorter {
    /// code << 32 | row, increasing.
    pub(crate) keys: Vec<u64>,
    /// Rows whose value is missing.
    pub(crate) missing: Vec<u32>,
    spare: Vec<u64>,
    buckets: Vec<u32>,
    bits: Vec<u64>,
    summary: Vec<u64>,
}

impl Sorter {
    /// Sorts rows by the codes of `column`; those with missing values go to `missing`.
    pub(crate) fn sort(&mut self, column: &RankedColumn, rows: &[u32]) {
        let codes = column.codes();
        self.keys.clear();
        self.missing.clear();
        if rows.len() > FEW && !column.has_ties() && column.n_codes() <= rows.len() * CODES_PER_ROW
        {
            self.sort_by_bitmap(column, rows);
            return;
        }
        if column.has_missing() {
            for &row in rows {
                match codes[row as usize] {
                    MISSING_CODE => self.missing.push(row),
                    code => self.keys.push(key(code, row)),
                }
            }
        } else {
            self.keys.extend(rows.iter().map(|&row| key(codes[row as usize], row)));
        }
        if self.keys.len() <= FEW {
            insertion_sort(&mut self.keys);
        } else {
            self.sort_by_buckets();
        }
    }

    /// Calls the rows that were sorted by other names, in the same order.
    pub(crate) fn rename(&mut self, name: impl Fn(u32) -> u32) {
        self.keys
            .iter_mut()
            .for_each(|sorted| *sorted = key(code_of(*sorted), name(row_of(*sorted))));
        self.missing.iter_mut().for_each(|row| *row = name(*row));
    }

    /// For columns without ties: one bit per code, read back in increasing order.
    fn sort_by_bitmap(&mut self, column: &RankedColumn, rows: &[u32]) {
        let n_words = column.n_codes().div_ceil(64);
        if self.bits.len() < n_words {
            self.bits.resize(n_words, 0);
            self.summary.resize(n_words.div_ceil(64), 0);
        }
        for &row in rows {
            let code = column.codes()[row as usize];
            if code == MISSING_CODE {
                self.missing.push(row);
                continue;
            }
            let word = code as usize / 64;
            self.bits[word] |= 1 << (code % 64);
            self.summary[word / 64] |= 1 << (word % 64);
        }
        for (index, summary) in self.summary.iter_mut().enumerate() {
            while *summary != 0 {
                let word = index * 64 + summary.trailing_zeros() as usize;
                *summary &= *summary - 1;
                let mut bits = std::mem::take(&mut self.bits[word]);
                while bits != 0 {
                    let code = (word * 64) as u32 + bits.trailing_zeros();
                    bits &= bits - 1;
                    self.keys.push(key(code, column.row_of_code(code)));
                }
            }
        }
    }

    /// Distributes the keys over about as many buckets as there are keys, then mends.
    fn sort_by_buckets(&mut self) {
        let keys = &mut self.keys;
        let (mut low, mut high) = (u32::MAX, 0);
        for key in keys.iter() {
            let code = code_of(*key);
            low = low.min(code);
            high = high.max(code);
        }
        if low == high {
            return;
        }
        let range = high - low;
        let wanted_bits = usize::BITS - keys.len().leading_zeros();
        let shift = (u32::BITS - range.leading_zeros()).saturating_sub(wanted_bits);
        let n_buckets = (range >> shift) as usize + 1;
        self.buckets.clear();
        self.buckets.resize(n_buckets + 1, 0);
        for key in keys.iter() {
            self.buckets[((code_of(*key) - low) >> shift) as usize + 1] += 1;
        }
        for index in 0..n_buckets {
            self.buckets[index + 1] += self.buckets[index];
        }
        self.spare.clear();
        self.spare.resize(keys.len(), 0);
        for key in keys.iter() {
            let place = &mut self.buckets[((code_of(*key) - low) >> shift) as usize];
            self.spare[*place as usize] = *key;
            *place += 1;
        }
        std::mem::swap(keys, &mut self.spare);
        if shift > 0 {
            self.sort_buckets();
        }
    }

    /// After the distribution, bucket i ends at `buckets[i]`.
    fn sort_buckets(&mut self) {
        let mut start = 0;
        for &end in &self.buckets[..self.buckets.len() - 1] {
            let bucket = &mut self.keys[start..end as usize];
            if bucket.len() <= FEW {
                insertion_sort(bucket);
            } else {
                bucket.sort_unstable();
            }
            start = end as usize;
        }
    }
}

/// The code in the upper half of a key.
pub(crate) fn code_of(key: u64) -> u32 {
    (key >> 32) as u32
}

/// The row in the lower half of a key.
pub(crate) fn row_of(key: u64) -> u32 {
    key as u32
}

fn key(code: u32, row: u32) -> u64 {
    (u64::from(code) << 32) | u64::from(row)
}

fn insertion_sort(keys: &mut [u64]) {
    for end in 1..keys.len() {
        let key = keys[end];
        let mut place = end;
        while place > 0 && keys[place - 1] > key {
            keys[place] = keys[place - 1];
            place -= 1;
        }
        keys[place] = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, RankedFeatures};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_strategies_agree_with_a_comparison_sort(
            n_distinct in 1_u32..4000,
            n_rows in 1_usize..3000,
            every in 1_usize..60,
            missing in 0_u32..3,
            seed in 0_u64..1000,
        ) {
            let mut stream = crate::random::Stream::new(seed, 0, crate::random::Purpose::Bag);
            let values: Vec<f64> = (0..n_rows).map(|row| {
                if missing > 0 && stream.below(10) < missing { f64::NAN }
                else if n_distinct > 3000 { row as f64 * 0.7 % 1.3 + row as f64 * 1e-9 }
                else { f64::from(stream.below(n_distinct)) }
            }).collect();
            let column = Column::numeric("x", values).expect("finite");
            let features = RankedFeatures::new(&[&column], crate::run::Threads::all());
            let codes = features.column(0).codes();
            let rows: Vec<u32> = (0..n_rows as u32).step_by(every).collect();
            let mut expected: Vec<u64> = rows.iter()
                .map(|&row| key(codes[row as usize], row))
                .filter(|&key| code_of(key) != MISSING_CODE)
                .collect();
            expected.sort_unstable();
            let mut sorter = Sorter::default();
            for _ in 0..2 {
                sorter.sort(features.column(0), &rows);
                prop_assert_eq!(&sorter.keys, &expected);
                prop_assert_eq!(sorter.keys.len() + sorter.missing.len(), rows.len());
            }
        }
    }
}
