//! Sets of variables.

/// A set of variables, by their positions in the population (0 to 31).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableSet(u32);

impl VariableSet {
    /// No variable.
    pub const EMPTY: Self = Self(0);

    /// The first `n` variables, at most 32.
    pub fn first(n: usize) -> Self {
        Self(u32::MAX.checked_shr(32 - n.min(32) as u32).unwrap_or(0))
    }

    /// The variables at the given positions.
    pub fn of(positions: &[usize]) -> Self {
        positions.iter().fold(Self::EMPTY, |set, &variable| set.with(variable))
    }

    /// The set whose variables are the ones among the binary digits of `bits`.
    pub(crate) fn from_bits(bits: usize) -> Self {
        Self(bits as u32)
    }

    /// The place of the set in a list of all sets: its variables as binary digits.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// True when the variable is in the set.
    pub fn contains(self, variable: usize) -> bool {
        self.0 & bit(variable) != 0
    }

    /// The variables that are in both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The set and one variable.
    #[must_use]
    pub fn with(self, variable: usize) -> Self {
        Self(self.0 | bit(variable))
    }

    /// The set without one variable.
    #[must_use]
    pub fn without(self, variable: usize) -> Self {
        Self(self.0 & !bit(variable))
    }

    /// The number of variables.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True for the set without variables.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The variable with the largest position.
    pub(crate) fn last(self) -> Option<usize> {
        self.0.checked_ilog2().map(|last| last as usize)
    }

    /// The positions of the variables, increasing.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..32).filter(move |&variable| self.contains(variable))
    }

    /// All sets of `k` of the first `n` variables, in the order of their indices.
    pub(crate) fn all_of_size(n: usize, k: usize) -> Vec<Self> {
        let mut sets = Vec::new();
        let mut bits = Self::first(k).index() as u64;
        while k <= n && bits < 1 << n {
            sets.push(Self(bits as u32));
            if bits == 0 {
                break;
            }
            // The next larger number with as many ones.
            let lowest = bits & bits.wrapping_neg();
            let carried = bits + lowest;
            bits = carried | (((carried ^ bits) >> 2) / lowest);
        }
        sets
    }
}

/// Nothing for positions that no set can hold.
fn bit(variable: usize) -> u32 {
    if variable < 32 { 1 << variable } else { 0 }
}

/// The binomial coefficient "n choose k".
pub(crate) fn choose(n: usize, k: usize) -> f64 {
    if k > n {
        return 0.0;
    }
    (0..k.min(n - k)).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_a_size_are_all_there_once() {
        for n in 0..8 {
            let mut seen = 0;
            for k in 0..=n {
                let sets = VariableSet::all_of_size(n, k);
                assert_eq!(sets.len() as f64, choose(n, k));
                assert!(sets.is_sorted_by(|one, other| one < other));
                assert!(sets.iter().all(|set| set.len() == k && set.index() < 1 << n));
                seen += sets.len();
            }
            assert_eq!(seen, 1 << n);
        }
        assert!(VariableSet::all_of_size(3, 4).is_empty());
    }

    #[test]
    fn variables_come_and_go() {
        let set = VariableSet::of(&[0, 5, 31]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 5, 31]);
        assert_eq!((set.len(), set.last(), set.contains(32)), (3, Some(31), false));
        assert_eq!(set.without(5).with(1).with(32), VariableSet::of(&[0, 1, 31]));
        assert_eq!(set.and(VariableSet::first(6)), VariableSet::of(&[0, 5]));
        assert_eq!(VariableSet::first(32).len(), 32);
        assert!(VariableSet::first(0).is_empty());
    }
}
