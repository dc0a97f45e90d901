//! Sorting values by their bits, and rows by their codes.

/// Fewer keys than this are sorted faster by comparing.
const LEAST_DISTRIBUTED: usize = 2048;

/// Low bits that make room for the place of a key among fewer than that.
const PLACE: u32 = LEAST_DISTRIBUTED.ilog2();

/// Fewer keys than this are sorted as they are.
const LEAST_PACKED: usize = 32;

/// Bits that are looked at in one pass.
const DIGIT: usize = 11;

/// Three passes are made over many keys: three digits differ between nearly all numbers of a column.
const LOWEST: u32 = u64::BITS - 3 * DIGIT as u32;

/// Working memory of [`sort_by_bits`].
#[derive(Debug, Default)]
pub(crate) struct SortingRoom {
    packed: Vec<u64>,
    spare: Vec<(u64, u32)>,
}

/// Sorts keys whose rows increase by their bits: by the upper ones first, and the few that agree in all
/// of these by comparing.
pub(crate) fn sort_by_bits(keys: &mut Vec<(u64, u32)>, room: &mut SortingRoom) {
    let lowest = match keys.len() {
        0..LEAST_PACKED => return keys.sort_unstable(),
        LEAST_PACKED..LEAST_DISTRIBUTED => sort_packed(keys, room),
        _ => distribute(keys, room),
    };
    for alike in keys.chunk_by_mut(|one, other| one.0 >> lowest == other.0 >> lowest) {
        if !alike.is_sorted() {
            alike.sort_unstable();
        }
    }
}

/// Sorts by all bits from the one returned, as single numbers with the place of the key in the lower
/// bits: they are compared and moved in less than half the time.
fn sort_packed(keys: &mut Vec<(u64, u32)>, room: &mut SortingRoom) -> u32 {
    let SortingRoom { packed, spare } = room;
    packed.clear();
    packed.extend((0_u64..).zip(&*keys).map(|(place, key)| key.0 >> PLACE << PLACE | place));
    packed.sort_unstable();
    spare.clear();
    spare.extend(packed.iter().map(|&word| keys[word as usize % LEAST_DISTRIBUTED]));
    std::mem::swap(keys, spare);
    PLACE
}

/// Sorts by all bits from the one returned: digit after digit, from the lowest.
fn distribute(keys: &mut Vec<(u64, u32)>, room: &mut SortingRoom) -> u32 {
    let digit =
        |bits: u64, pass: usize| (bits >> (LOWEST as usize + pass * DIGIT)) as usize % (1 << DIGIT);
    let mut counts = vec![[0_u32; 1 << DIGIT]; 3];
    for &(bits, _) in keys.iter() {
        counts.iter_mut().zip(0..).for_each(|(counts, pass)| counts[digit(bits, pass)] += 1);
    }
    room.spare.resize(keys.len(), (0, 0));
    for (pass, mut starts) in (0..).zip(counts) {
        if starts.contains(&(keys.len() as u32)) {
            continue;
        }
        let mut start = 0;
        for count in &mut starts {
            start += std::mem::replace(count, start);
        }
        for &key in keys.iter() {
            let place = &mut starts[digit(key.0, pass)];
            room.spare[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(keys, &mut room.spare);
    }
    LOWEST
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
