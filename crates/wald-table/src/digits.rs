//! Digits as numbers: many at a time, and rounded once.

/// Integers above this are not all distinct as f64.
pub(crate) const LARGEST_EXACT_INTEGER: u64 = 1 << 53;

/// Powers of ten that f64 holds exactly.
pub(crate) const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The first ones as integers.
pub(crate) const SMALL_POWERS: [u64; 8] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// Eight zeros, as text.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// The reciprocals of powers of ten: 64 bits, rounded down, and the power of two that divides them.
const RECIPROCALS: [(u64, u32); 28] = {
    let mut reciprocals = [(0, 0); 28];
    let mut power = 1;
    let mut index = 0;
    while index < reciprocals.len() {
        reciprocals[index] = reciprocal(power);
        power *= 10;
        index += 1;
    }
    reciprocals
};

/// Long division, bit by bit.
const fn reciprocal(power: u128) -> (u64, u32) {
    let (mut quotient, mut remainder, mut shift) = ((power == 1) as u64, 1 % power, 0);
    while quotient >> 63 == 0 {
        remainder <<= 1;
        quotient <<= 1;
        if remainder >= power {
            remainder -= power;
            quotient |= 1;
        }
        shift += 1;
    }
    (quotient, shift)
}

/// The number nearest to `mantissa` divided by 10^`n_fraction`, where it is found quickly.
#[inline]
pub(crate) fn quotient(mantissa: u64, n_fraction: usize) -> Option<f64> {
    if mantissa <= LARGEST_EXACT_INTEGER
        && let Some(power) = POWERS.get(n_fraction)
    {
        // Both operands are exact, so one division rounds correctly (Clinger 1990).
        return Some(mantissa as f64 / power);
    }
    let &(reciprocal, shift) = RECIPROCALS.get(n_fraction)?;
    let n_free = mantissa.leading_zeros();
    let product = u128::from(mantissa.checked_shl(n_free)?) * u128::from(reciprocal);
    // What the reciprocal and the product lack is less than 2 of these units. Rounding is certain but
    // where the bits behind the 53rd are next to half a unit of that one (after Lemire 2021).
    let high = (product >> 64) as u64;
    let n_dropped = 10 + (high >> 63) as i32;
    let half = 1 << (n_dropped - 1);
    let rest = high & (2 * half - 1);
    if rest == half || rest == half - 1 {
        return None;
    }
    let significand = (high >> n_dropped) + u64::from(rest > half);
    let exponent = 64 + n_dropped - shift as i32 - n_free as i32;
    Some(significand as f64 * f64::from_bits(((1023 + exponent) as u64) << 52))
}

/// The value of eight digits, the first of which is the lowest byte.
///
/// All eight are checked at once, then pairs, fours and the eight are summed (Lemire 2018).
#[inline]
pub(crate) fn eight_digits(word: u64) -> Option<u64> {
    let above_nine = word.wrapping_add(0x4646_4646_4646_4646);
    let below_zero = word.wrapping_sub(ZEROS);
    if (above_nine | below_zero) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = below_zero.wrapping_mul(10).wrapping_add(below_zero >> 8);
    let even = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let odd = (pairs >> 16 & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    Some(even.wrapping_add(odd) >> 32)
}

/// The number of digits from `position` to the end of `text`, and their value, where they are few
/// and eight bytes can be read at once.
#[inline]
pub(crate) fn last_digits(text: &[u8], position: usize) -> Option<(usize, u64)> {
    let n_digits = text.len() - position;
    if !(1..8).contains(&n_digits) {
        return None;
    }
    let word = u64::from_le_bytes(*text.last_chunk()?);
    let is_digit = u64::MAX << (64 - 8 * n_digits);
    Some((n_digits, eight_digits(word & is_digit | ZEROS & !is_digit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_digits_are_read_at_once() {
        let eight = |text: &[u8; 8]| eight_digits(u64::from_le_bytes(*text));
        assert_eq!(eight(b"12345678"), Some(12_345_678));
        assert_eq!(eight(b"00000001"), Some(1));
        assert_eq!(eight(b"99999999"), Some(99_999_999));
        assert_eq!(last_digits(b"-12.345678", 4), Some((6, 345_678)));
        assert_eq!(last_digits(b"-12.34567x", 4), None);
        for byte in (0..=255_u8).filter(|byte| !byte.is_ascii_digit()) {
            for position in 0..8 {
                let mut text = *b"90817263";
                text[position] = byte;
                assert_eq!(eight(&text), None, "{byte} at {position}");
            }
        }
    }
}
