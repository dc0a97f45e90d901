//! Li et al. 2019, section 4: noise of many values and one input that matters, after Strobl et al.
//! 2007.

use crate::data::{Column, Dataset};
use crate::error::Error;
use crate::simulate::numbers::Numbers;
use crate::simulate::table::class_target;

const PART: u32 = 6;

/// Independent inputs: X1 standard normal, X2 0 or 1, X3, X4 and X5 of 4, 10 and 20 values, all
/// equally likely; two classes with P(Y = 1) = (1 + effect * X2) / 3. Nothing but X2 matters, which
/// has the fewest values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiLeafSize {
    /// From -1 to 2; 0 where no variable is relevant.
    pub effect: f64,
}

impl Default for LiLeafSize {
    fn default() -> Self {
        Self { effect: 1.0 }
    }
}

impl LiLeafSize {
    /// Draws rows of the columns `x1` to `x5` and the target `y`. Cost O(rows).
    ///
    /// # Errors
    /// [`Error::Setting`] for an effect that is out of range; [`Error::Data`] for no rows.
    pub fn draw(&self, n_rows: usize, seed: u64) -> Result<Dataset, Error> {
        if !(-1.0..=2.0).contains(&self.effect) {
            return Err(Error::bad_setting(
                None,
                format!("the effect of X2 is {}", self.effect),
                "give a number from -1 to 2, so that probabilities stay between 0 and 1",
            ));
        }
        let mut numbers = Numbers::new(seed, PART);
        let mut columns = vec![Vec::new(); 5];
        let mut codes = Vec::with_capacity(n_rows);
        for _ in 0..n_rows {
            columns[0].push(numbers.normal());
            let coin = f64::from(numbers.below(2));
            columns[1].push(coin);
            for (column, n_values) in columns[2..].iter_mut().zip([4, 10, 20]) {
                column.push(f64::from(numbers.below(n_values)));
            }
            let is_one = numbers.uniform() < (1.0 + self.effect * coin) / 3.0;
            codes.push(u32::from(is_one));
        }
        let named = (1..)
            .zip(columns)
            .map(|(number, values)| Column::numeric(format!("x{number}"), values));
        Dataset::new(named.collect::<Result<_, _>>()?, class_target(codes)?)
    }
}
