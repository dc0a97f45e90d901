//! How many trees separate two variables.

use crate::importance::Importance;
use crate::inference::intervals::Confidence;

/// Two variables that follow each other in a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Separation {
    /// Position of the more important one.
    pub first: usize,
    /// Position of the other.
    pub second: usize,
    /// Trees after which the difference would lie outside of its Monte-Carlo interval, were it and
    /// its spread over trees as they are now; `None` where the means are equal.
    pub n_trees: Option<u64>,
}

/// Of a measure that is a mean over trees, every two variables that follow each other in its ranking,
/// and how many trees would separate them: (z s / d)^2, where d is their difference and s its
/// standard deviation over trees. More trees do not help against sampling errors. Two that are equal in
/// every tree, such as constant columns, are left out. Empty for other measures. Cost O(trees * variables).
///
/// ```
/// use wald::inference::{Confidence, separations};
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let found = wald::fit(data, &config, &Run::all())?.importance("mdi".parse()?, &Run::all())?;
/// let pairs = separations(&found, Confidence::new(0.9)?);
/// assert_eq!(pairs.len(), 9); // of ten variables
/// for pair in pairs {
///     let (first, second) = (&found.names[pair.first], &found.names[pair.second]);
///     println!("{first} and {second}: {:?} trees", pair.n_trees);
/// }
/// # Ok::<(), wald::Error>(())
/// ```
pub fn separations(importance: &Importance, confidence: Confidence) -> Vec<Separation> {
    if importance.per_tree.len() < 2 {
        return Vec::new();
    }
    let mut ranking = importance.order();
    ranking.retain(|&index| importance.values[index].is_some());
    let n_trees = importance.per_tree.len() as f64;
    let separation = |pair: &[usize]| {
        let (first, second) = (pair[0], pair[1]);
        let differences = || importance.per_tree.iter().map(|tree| tree[first] - tree[second]);
        if differences().all(|found| found == 0.0) {
            return None;
        }
        let mean = differences().sum::<f64>() / n_trees;
        let squares: f64 = differences().map(|found| (found - mean) * (found - mean)).sum();
        let deviation = (squares / (n_trees - 1.0)).sqrt();
        let needed = (confidence.normal() * deviation / mean).powi(2).ceil().max(1.0);
        Some(Separation { first, second, n_trees: (mean != 0.0).then_some(needed as u64) })
    };
    ranking.windows(2).filter_map(separation).collect()
}
