//! The importances of variables and of their shadows over draws, and p-values by them.

use std::collections::BTreeMap;

use crate::measure::ColumnType;

/// With fewer, the spread of shadows is unknown.
const FEWEST: usize = 3;

/// With a null so small, no p-value is below this level.
const LEVEL: f64 = 0.05;

/// What the forests found by one measure; larger is more important.
#[derive(Debug)]
pub(super) struct Draws {
    /// By variable and draw, where both are defined.
    values: Vec<Vec<(f64, f64)>>,
}

/// What comes of them, by variable.
#[derive(Debug, PartialEq)]
pub(super) struct Compared {
    pub(super) p_values: Vec<Option<f64>>,
    pub(super) null_sizes: Vec<u32>,
    pub(super) notes: Vec<String>,
}

/// One variable in standard deviations of its shadows from their mean.
struct Standardised {
    value: f64,
    shadows: Vec<f64>,
}

impl Draws {
    pub(super) fn new(n_variables: usize) -> Self {
        Self { values: vec![Vec::new(); n_variables] }
    }

    /// Adds the importances of all variables, and after them those of all shadows.
    pub(super) fn add(&mut self, found: &[Option<f64>], small_is_important: bool) {
        let sign = if small_is_important { -1.0 } else { 1.0 };
        let (variables, shadows) = found.split_at(self.values.len());
        for (of_variable, found) in self.values.iter_mut().zip(variables.iter().zip(shadows)) {
            if let (Some(value), Some(shadow)) = found {
                of_variable.push((sign * value, sign * shadow));
            }
        }
    }

    /// Compares every variable with the shadows of all variables of its type. Cost O(variables *
    /// draws * log).
    pub(super) fn p_values(&self, types: &[ColumnType]) -> Compared {
        let standardised: Vec<Option<Standardised>> =
            self.values.iter().map(|draws| Standardised::of(draws)).collect();
        let mut pools: BTreeMap<ColumnType, Vec<f64>> = BTreeMap::new();
        for (of_variable, kind) in standardised.iter().zip(types) {
            if let Some(found) = of_variable {
                pools.entry(*kind).or_default().extend(&found.shadows);
            }
        }
        pools.values_mut().for_each(|pool| pool.sort_by(f64::total_cmp));
        let mut found =
            Compared { p_values: Vec::new(), null_sizes: Vec::new(), notes: Vec::new() };
        for ((of_variable, draws), kind) in standardised.iter().zip(&self.values).zip(types) {
            let (p_value, n_null) = match of_variable {
                _ if *kind == ColumnType::Constant => (Some(1.0), draws.len()),
                // No other group is like it.
                Some(one) if *kind == ColumnType::Group => {
                    let as_far = one.shadows.iter().filter(|t| **t >= one.value).count();
                    (Some(share(as_far, one.shadows.len())), one.shadows.len())
                }
                Some(one) => {
                    let pool = pools.get(kind).map_or(&[][..], Vec::as_slice);
                    let as_far = pool.len() - pool.partition_point(|t| *t < one.value);
                    (Some(share(as_far, pool.len())), pool.len())
                }
                None => (by_rank(draws), draws.len()),
            };
            found.p_values.push(p_value);
            found.null_sizes.push(n_null as u32);
        }
        let smallest = found.null_sizes.iter().filter(|size| **size > 0).min().copied();
        if let Some(size) = smallest.filter(|size| share(0, *size as usize) > LEVEL) {
            found.notes.push(format!(
                "some variables have only {size} shadows of their type, so that their p-values are \
                 at least {:.3}; draw more often",
                share(0, size as usize)
            ));
        }
        found
    }
}

/// Never 0: the variable itself is one of those that are compared.
fn share(as_far: usize, of: usize) -> f64 {
    (1.0 + as_far as f64) / (1.0 + of as f64)
}

/// If shadows do not vary, the only conclusion is whether the variable is above them.
fn by_rank(draws: &[(f64, f64)]) -> Option<f64> {
    let value = draws.first()?.0;
    let as_far = draws.iter().filter(|(_, shadow)| *shadow >= value).count();
    Some(share(as_far, draws.len()))
}

impl Standardised {
    /// The variable in the first draw, where it is as uncertain as a shadow, by the shadows of all other
    /// draws; and so every shadow. `None` with few draws, and where all shadows are equal.
    fn of(draws: &[(f64, f64)]) -> Option<Self> {
        let n = draws.len() as f64;
        let first = draws.first()?.1;
        if draws.len() < FEWEST || draws.iter().all(|(_, shadow)| *shadow == first) {
            return None;
        }
        let centre = draws.iter().map(|(_, shadow)| shadow).sum::<f64>() / n;
        let squares: f64 = draws.iter().map(|(_, shadow)| (shadow - centre).powi(2)).sum();
        // Without one of them, the mean moves by d / (n - 1), and the sum of squares by d^2 n / (n - 1).
        let by_others = |value: f64, shadow: f64| {
            let away = shadow - centre;
            let others = centre - away / (n - 1.0);
            let rest = (squares - away * away * n / (n - 1.0)).max(0.0);
            let far = value - others;
            // Where the others are equal, rounding must not make 0 / 0 of it.
            if far == 0.0 { 0.0 } else { far / (rest / (n - 2.0)).sqrt() }
        };
        Some(Self {
            value: by_others(draws[0].0, first),
            shadows: draws.iter().map(|(_, shadow)| by_others(*shadow, *shadow)).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and spread of the others, written out.
    #[test]
    fn shadows_are_measured_by_the_others() {
        let shadows = [1.0, 4.0, 2.0, 8.0, 2.5];
        let draws: Vec<(f64, f64)> = shadows.iter().map(|shadow| (5.0, *shadow)).collect();
        let found = Standardised::of(&draws).expect("they differ");
        for (index, t) in found.shadows.iter().enumerate() {
            let mut others = shadows.to_vec();
            let one = others.remove(index);
            let centre = others.iter().sum::<f64>() / 4.0;
            let squares: f64 = others.iter().map(|other| (other - centre).powi(2)).sum();
            let expected = (one - centre) / (squares / 3.0).sqrt();
            assert!((t - expected).abs() < 1e-12, "{t} {expected}");
        }
        // The others are 4, 2, 8 and 2.5.
        let squares: f64 = shadows[1..].iter().map(|shadow| (shadow - 4.125_f64).powi(2)).sum();
        assert!((found.value - 0.875 / (squares / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn p_values_count_shadows_of_the_type() {
        let mut draws = Draws::new(5);
        // Two of a type, a group, a constant, and one whose shadows never split.
        for draw in 0..9 {
            let shadow = f64::from(draw);
            let found = [100.0, 4.5, 100.0, 0.0, 1.0, shadow, 7.0 * shadow, shadow, 0.0, 0.0];
            draws.add(&found.map(Some), false);
        }
        let types = [
            ColumnType::Binary,
            ColumnType::Binary,
            ColumnType::Group,
            ColumnType::Constant,
            ColumnType::Levels { above: 2, most: 4 },
        ];
        let found = draws.p_values(&types);
        assert_eq!(found.p_values[0], Some(1.0 / 19.0), "above all shadows of both");
        // 4.5 is 1.58 standard deviations below the mean of 7, 14, ..., 56; of both variables, only
        // the shadow 0 is further below the others.
        assert_eq!(found.p_values[1], Some(17.0 / 19.0));
        assert_eq!(found.p_values[2..], [Some(0.1), Some(1.0), Some(0.1)]);
        assert_eq!(found.null_sizes, [18, 18, 9, 9, 9]);
        assert!(found.notes[0].contains("at least 0.100"), "{:?}", found.notes);
    }

    #[test]
    fn what_is_undefined_has_no_p_value() {
        let mut draws = Draws::new(1);
        (0..5).for_each(|_| draws.add(&[None, Some(1.0)], true));
        assert_eq!(draws.p_values(&[ColumnType::Binary]).p_values, [None]);
    }
}
