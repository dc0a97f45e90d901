//! Whether trees have drawn rows together, in clusters.

use crate::data::Dataset;
use crate::forest::model::Forest;

/// Bags of independent rows have two rows that are drawn alike in all trees with no more than this
/// probability, or do not show clusters.
const BY_CHANCE: f64 = 1e-6;

impl Forest {
    /// How many clusters of rows its trees were drawn by, where the training rows are in none: rows that
    /// every tree has drawn equally often are of one cluster. `None` where the table has clusters, too, and
    /// where bags do not show any. Cost O(rows) for some tens of trees.
    pub(crate) fn lost_clusters(&self, data: &Dataset) -> Option<usize> {
        // Rows of a class may all be drawn, and those of other programs in any way.
        self.config.as_ref().filter(|config| !config.stratify)?;
        if data.clusters().is_some() {
            return None;
        }
        let n_rows = data.n_rows();
        let mut alike = n_rows as f64 * (n_rows as f64 - 1.0) / 2.0;
        let mut draws = vec![0_u64; n_rows];
        for bag in self.bags.iter().flatten() {
            if bag.counts().len() != n_rows {
                return None;
            }
            let most = bag.counts().iter().copied().max().unwrap_or(0);
            let mut n_of_count = vec![0.0; usize::from(most) + 1];
            for (draws, &count) in draws.iter_mut().zip(bag.counts()) {
                *draws =
                    draws.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31) ^ u64::from(count);
                n_of_count[usize::from(count)] += 1.0;
            }
            alike *= n_of_count.iter().map(|n| (n / n_rows as f64).powi(2)).sum::<f64>();
            if alike < BY_CHANCE {
                draws.sort_unstable();
                draws.dedup();
                return (draws.len() < n_rows).then_some(draws.len());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target};
    use crate::forest::{ForestConfig, Sampling};
    use crate::run::{Run, Threads};

    fn table(n_rows: u32) -> Dataset {
        let x = (0..n_rows).map(|row| f64::from(row * 7 % n_rows)).collect();
        let y = (0..n_rows).map(|row| f64::from(row * 5 % 11)).collect();
        let target = Target::regression("y", y).expect("finite");
        Dataset::new(vec![Column::numeric("x", x).expect("finite")], target).expect("a table")
    }

    #[test]
    fn clusters_show_in_bags_of_enough_trees() {
        let data = table(90);
        let clustered = data.clone().with_clusters((0..90).map(|row| row / 3).collect());
        let clustered = clustered.expect("one cluster per row");
        let run = &Run::on(Threads::ONE);
        let grown =
            |data: &Dataset, config: &ForestConfig| Forest::grow(data, config, run).expect("grows");
        for sampling in [Sampling::Bootstrap, Sampling::Subsample] {
            let config = ForestConfig { n_trees: 60, sampling, ..ForestConfig::default() };
            let forest = grown(&clustered, &config);
            assert_eq!(forest.lost_clusters(&data), Some(30));
            assert_eq!(forest.lost_clusters(&clustered), None, "they are known");
            assert_eq!(grown(&data, &config).lost_clusters(&data), None, "of single rows");
            assert_eq!(forest.first_trees(3).lost_clusters(&data), None, "it may be chance");
            // All rows are in all bags, whatever their clusters.
            let all = ForestConfig { sampling: Sampling::All, ..config };
            assert_eq!(grown(&clustered, &all).lost_clusters(&data), None);
        }
    }
}
