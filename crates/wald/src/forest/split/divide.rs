//! Items of a node that are divided between its children, in their order.

/// Moves the items that go left to the front, keeping both orders; returns their number. There must be
/// as much room as there are items.
#[inline]
pub(crate) fn divide_by<T: Copy>(
    items: &mut [T],
    spare: &mut [T],
    goes_left: impl Fn(usize, T) -> bool,
) -> usize {
    let spare = &mut spare[..items.len()];
    let mut left = 0;
    for index in 0..items.len() {
        let item = items[index];
        // Writing to both sides keeps the loop free of unpredictable branches.
        items[left] = item;
        spare[index - left] = item;
        left += usize::from(goes_left(index, item));
    }
    let n_right = items.len() - left;
    items[left..].copy_from_slice(&spare[..n_right]);
    left
}

/// The same, given one side for each item.
pub(crate) fn divide<T: Copy>(items: &mut [T], goes_right: &[bool], spare: &mut Vec<T>) -> usize {
    if let Some(&first) = items.first() {
        spare.resize(spare.len().max(items.len()), first);
    }
    let goes_right = &goes_right[..items.len()];
    divide_by(items, spare, |index, _| !goes_right[index])
}
