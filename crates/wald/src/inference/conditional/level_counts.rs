//! Probabilities of the levels of a column, given a class.
//!
//! Rows of a class have levels at random, with probabilities that are drawn from a Dirichlet distribution around the
//! shares of levels in the whole table. Its concentration has the largest likelihood (the Dirichlet-multinomial
//! distribution; Minka 2000), so that a class of few rows has the shares of the table unless classes differ clearly.

use std::collections::BTreeMap;

use statrs::function::gamma::ln_gamma;

/// Concentrations that are compared, as powers of two: of classes that have one level each to classes that do not differ.
const CONCENTRATIONS: std::ops::RangeInclusive<i32> = -4..=14;

/// So many rows of every level are added to the shares of the table.
const OF_EVERY_LEVEL: f64 = 0.5;

/// Logarithms of probabilities, less those that all classes have in common.
pub(super) struct LevelCounts {
    /// By level, the classes that have rows with it, and how much more probable it is in them than without these.
    gains: Vec<Vec<(usize, f64)>>,
    /// By class, what all levels have.
    of_class: Vec<f64>,
}

impl LevelCounts {
    /// Of rows with their level, class and weight. Cost O(rows log rows).
    pub(super) fn new(rows: &[(usize, usize, f64)], n_levels: usize, n_classes: usize) -> Self {
        let weights = || rows.iter().map(|(_, _, weight)| weight);
        let (whole, squared): (f64, f64) = (weights().sum(), weights().map(|w| w * w).sum());
        // Rows count as so many of equal weight.
        let scale = if squared > 0.0 { whole / squared } else { 0.0 };
        let mut counts: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        let mut of_level = vec![OF_EVERY_LEVEL; n_levels];
        let mut of_class = vec![0.0; n_classes];
        for &(level, class, weight) in rows {
            let count = scale * weight;
            *counts.entry((level, class)).or_default() += count;
            of_level[level] += count;
            of_class[class] += count;
        }
        let all: f64 = of_level.iter().sum();
        let shares: Vec<f64> = of_level.iter().map(|count| count / all).collect();
        let likelihood = |concentration: f64| {
            let of_cell = |(&(level, _), &count): (&(usize, usize), &f64)| {
                let prior = concentration * shares[level];
                ln_gamma(count + prior) - ln_gamma(prior)
            };
            let without = |count: &f64| ln_gamma(concentration) - ln_gamma(count + concentration);
            let cells = counts.iter().filter(|(_, count)| **count > 0.0);
            cells.map(of_cell).sum::<f64>() + of_class.iter().map(without).sum::<f64>()
        };
        let concentrations = CONCENTRATIONS.map(|power| 2_f64.powi(power));
        let best = concentrations.map(|concentration| (likelihood(concentration), concentration));
        let concentration =
            best.max_by(|one, other| one.0.total_cmp(&other.0)).map_or(1.0, |best| best.1);
        let mut gains = vec![Vec::new(); n_levels];
        for (&(level, class), count) in &counts {
            gains[level].push((class, (1.0 + count / (concentration * shares[level])).ln()));
        }
        let of_class = of_class.iter().map(|count| -(count + concentration).ln()).collect();
        Self { gains, of_class }
    }

    /// Adds the logarithms of the probabilities of a level, to those of the classes.
    pub(super) fn add(&self, level: usize, to: &mut [f64]) {
        to.iter_mut().zip(&self.of_class).for_each(|(to, of_class)| *to += of_class);
        for (class, gain) in self.gains.get(level).into_iter().flatten() {
            to[*class] += gain;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Probabilities are (count + a share) / (rows of the class + a), with the concentration a of the largest
    /// likelihood: by hand, where classes have a level each (a = 1/16, the smallest) and where all have the same shares (the
    /// largest).
    #[test]
    fn probabilities_are_drawn_to_the_shares_of_the_table_unless_classes_differ() {
        let rows = |level: &dyn Fn(usize) -> usize| -> Vec<(usize, usize, f64)> {
            (0..40).map(|row| (level(row), row % 2, 1.0)).collect()
        };
        let odds = |rows: &[(usize, usize, f64)]| {
            let mut made = [0.0, 0.0];
            LevelCounts::new(rows, 2, 2).add(0, &mut made);
            (made[0] - made[1]).exp()
        };
        let own = odds(&rows(&|row| row % 2));
        let prior = 0.5 / 16.0;
        assert!((own / ((20.0 + prior) / prior) - 1.0).abs() < 1e-12, "{own}");
        let same = odds(&rows(&|row| row / 2 % 2));
        assert!((same - 1.0).abs() < 1e-12, "{same}");
        // 14 of 20 rows and 6 of 20: the likelihood of 2^a is largest at a = 3.
        let some = odds(&rows(&|row| usize::from((row / 2 < 14) == (row % 2 == 1))));
        assert!((some - (14.0 + 4.0) / (6.0 + 4.0)).abs() < 1e-12, "{some}");
        // Only ratios of weights count, and a level that no row has is as probable in all classes of equal size.
        let heavy: Vec<(usize, usize, f64)> =
            rows(&|row| row % 2).into_iter().map(|(level, class, _)| (level, class, 8.0)).collect();
        assert!((odds(&heavy) / own - 1.0).abs() < 1e-12);
        let mut made = [0.0, 0.0];
        LevelCounts::new(&heavy, 3, 2).add(2, &mut made);
        assert_eq!(made[0], made[1]);
    }
}
