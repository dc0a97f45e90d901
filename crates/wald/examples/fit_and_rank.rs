//! Grow a forest on a table of your own and rank its variables: `cargo run --example fit_and_rank`.
//!
//! The table has two columns that the rent depends on and one of noise; one column is categorical
//! and one cell is missing.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use wald::data::{Column, Target};
use wald::simulate::Numbers;
use wald::{Dataset, Error, ForestConfig, Run};

/// Runs the example.
pub fn main() -> Result<(), Error> {
    let mut random = Numbers::new(1, 0);
    let (mut area, mut town, mut noise, mut rent) = (vec![], vec![], vec![], vec![]);
    for _ in 0..200 {
        let (square_metres, code) = (30.0 + 70.0 * random.uniform(), random.below(3));
        rent.push(10.0 * square_metres + 150.0 * f64::from(code) + 50.0 * random.normal());
        area.push(square_metres);
        town.push(code);
        noise.push(random.normal());
    }
    noise[17] = f64::NAN; // missing
    let towns = ["Ulm", "Bonn", "Kiel"].map(str::to_owned).to_vec();
    let columns = vec![
        Column::numeric("area", area)?,
        Column::categorical("town", towns, town)?,
        Column::numeric("noise", noise)?,
    ];
    let data = Dataset::new(columns, Target::regression("rent", rent)?)?;

    let config = ForestConfig { n_trees: 200, seed: 1, ..ForestConfig::default() };
    let fitted = wald::fit(data, &config, &Run::all())?;
    let found = fitted.importance("sobol_mda".parse()?, &Run::all())?;

    println!("{} ({})", found.id, found.unit);
    for variable in found.ranking() {
        let (value, error) = (variable.value.unwrap_or(f64::NAN), variable.error);
        println!("{:8}{value:8.3} ± {:.3}", variable.name, error.unwrap_or(f64::NAN));
    }
    assert_eq!(found.order()[0], 0); // area
    Ok(())
}
