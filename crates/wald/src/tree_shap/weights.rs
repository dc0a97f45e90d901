//! The weights of coalitions between two sets of columns.

/// Pairs of sizes that are looked up.
const LOOKED_UP: usize = 64;

/// What each of n columns that must be known is credited with where m must not be, and what each of
/// these m is debited with: `(n - 1)! m! / (n + m)!` and `n! (m - 1)! / (n + m)!`. No columns get
/// nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weight {
    pub(super) credit: f64,
    pub(super) debit: f64,
}

/// Weights by the two sizes.
#[derive(Debug)]
pub(super) struct Weights(Vec<Weight>);

impl Default for Weights {
    fn default() -> Self {
        // By m first: those that meet a leaf differ in n.
        let all = (0..LOOKED_UP).flat_map(|m| (0..LOOKED_UP).map(move |n| Weight::new(n, m)));
        Self(all.collect())
    }
}

impl Weights {
    /// Cost O(1), and O(n + m) for more than 64 columns.
    #[inline]
    pub(super) fn of(&self, n: usize, m: usize) -> Weight {
        self.against(m).of(n)
    }

    /// The weights against so many columns that must not be known.
    #[inline]
    pub(super) fn against(&self, m: usize) -> WeightsAgainst<'_> {
        let start = m.min(LOOKED_UP) * LOOKED_UP;
        let known = self.0.get(start..start + LOOKED_UP).unwrap_or_default();
        WeightsAgainst { m, known }
    }
}

/// Weights where it is known how many columns must not be known.
#[derive(Debug, Clone, Copy)]
pub(super) struct WeightsAgainst<'a> {
    m: usize,
    /// Those that are looked up, by how many must be known.
    known: &'a [Weight],
}

impl WeightsAgainst<'_> {
    #[inline]
    pub(super) fn of(&self, n: usize) -> Weight {
        self.known.get(n).copied().unwrap_or_else(|| Weight::new(n, self.m))
    }
}

impl Weight {
    fn new(n: usize, m: usize) -> Self {
        Self { credit: share(n, m), debit: share(m, n) }
    }
}

/// One over n times the binomial coefficient of n + m over m. Numbers too large for that belong to
/// weights that are zero in all digits.
fn share(n: usize, m: usize) -> f64 {
    let (few, many) = (n.min(m), n.max(m) as f64);
    let factors = (1..=few).map(|factor| (many + factor as f64) / factor as f64);
    if n == 0 { 0.0 } else { 1.0 / (n as f64 * factors.product::<f64>()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_factorials() {
        let factorial = |n: usize| (1..=n).map(|factor| factor as f64).product::<f64>();
        let weights = Weights::default();
        for n in 1..80 {
            for m in 0..80 {
                let expected = factorial(n - 1) / factorial(n + m) * factorial(m);
                let found = (weights.of(n, m).credit, weights.of(m, n).debit);
                assert!((found.0 / expected - 1.0).abs() < 1e-12, "{n}, {m}: {}", found.0);
                assert_eq!(found.0.to_bits(), found.1.to_bits());
            }
        }
        assert_eq!(weights.of(0, 3).credit, 0.0);
        assert_eq!(weights.of(2000, 2000).credit, 0.0);
    }
}
