//! Sorting values by their bits, and rows by their codes.

/// Fewer keys than this are sorted faster by comparing.
const LEAST_DISTRIBUTED: usize = 2048;

/// Bits that are looked at in one pass.
const DIGIT: usize = 11;

/// The lowest bit that passes look at: three of them tell nearly all numbers of a column apart.
const LOWEST: u32 = u64::BITS - 3 * DIGIT as u32;

/// Sorts keys whose rows increase by their bits: by the upper ones digit after digit from the lowest,
/// and the few that agree in all of these by comparing.
pub(crate) fn sort_by_bits(keys: &mut Vec<(u64, u32)>) {
    if keys.len() < LEAST_DISTRIBUTED {
        keys.sort_unstable();
        return;
    }
    let mut spare = vec![(0, 0); keys.len()];
    let mut starts = vec![0; (1 << DIGIT) + 1];
    for shift in (LOWEST..u64::BITS).step_by(DIGIT) {
        let digit = |bits: u64| (bits >> shift) as usize % (1 << DIGIT);
        starts.fill(0);
        keys.iter().for_each(|&(bits, _)| starts[digit(bits) + 1] += 1);
        if starts.contains(&keys.len()) {
            continue;
        }
        for bucket in 0..1 << DIGIT {
            starts[bucket + 1] += starts[bucket];
        }
        for &key in keys.iter() {
            let place = &mut starts[digit(key.0)];
            spare[*place] = key;
            *place += 1;
        }
        std::mem::swap(keys, &mut spare);
    }
    for alike in keys.chunk_by_mut(|one, other| one.0 >> LOWEST == other.0 >> LOWEST) {
        if !alike.is_sorted() {
            alike.sort_unstable();
        }
    }
}

/// The rows by code, counted rather than compared.
pub(super) fn order_of_codes(codes: &[u32], n_codes: usize) -> Vec<u32> {
    let bucket = |code: u32| (code as usize).min(n_codes);
    let mut starts = vec![0_u32; n_codes + 2];
    for &code in codes {
        starts[bucket(code) + 1] += 1;
    }
    for code in 0..=n_codes {
        starts[code + 1] += starts[code];
    }
    let mut order = vec![0; codes.len()];
    for (row, &code) in (0_u32..).zip(codes) {
        let place = &mut starts[bucket(code)];
        order[*place as usize] = row;
        *place += 1;
    }
    order
}

/// Bits that order like the numbers they stand for (no NaN, and -0 was made 0).
pub(crate) fn order_preserving_bits(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 0 { bits | (1 << 63) } else { !bits }
}

/// The number that bits stand for.
pub(crate) fn number_of_bits(bits: u64) -> f64 {
    f64::from_bits(if bits >> 63 == 1 { bits & !(1 << 63) } else { !bits })
}
