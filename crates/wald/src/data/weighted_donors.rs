//! Donors of random permutations where rows have case weights.

/// As many donors as there are rows, each row in proportion to its case weight (systematic
/// sampling, from a uniform start below 1): a row of weight 2 stands for two rows. Equal weights
/// give every row once. Donors are places among the rows, increasing.
pub(crate) fn weighted_donors(weights: impl Iterator<Item = f64> + Clone, start: f64) -> Vec<u32> {
    let n_rows = weights.clone().count();
    let step = weights.clone().sum::<f64>() / n_rows as f64;
    let mut donors = Vec::with_capacity(n_rows);
    let mut cumulated = 0.0;
    let mut last = 0;
    for (place, weight) in (0_u32..).zip(weights) {
        cumulated += weight;
        if weight > 0.0 {
            last = place;
        }
        while donors.len() < n_rows && (donors.len() as f64 + start) * step < cumulated {
            donors.push(place);
        }
    }
    // What rounding left over.
    donors.resize(n_rows, last);
    donors
}
