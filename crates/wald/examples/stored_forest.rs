//! A forest is stored, read again, and measured: the same bits, on any number of threads.
//!
//! A model file holds trees, bags and settings, and no data: measures that look at rows need the
//! training data beside it. Other data are refused.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use wald::simulate::Friedman1;
use wald::{Error, Fitted, Forest, ForestConfig, MeasureId, Run, Threads};

/// Runs the example.
pub fn main() -> Result<(), Error> {
    let data = Friedman1::default().draw(200, 1)?;
    let config = ForestConfig { n_trees: 50, seed: 1, ..ForestConfig::default() };
    let fitted = wald::fit(data.clone(), &config, &Run::on(Threads::new(2)?))?;
    let bytes = fitted.forest().to_bytes()?; // `std::fs::write(path, &bytes)` makes a file of it
    println!("{} trees, {} kB", config.n_trees, bytes.len() / 1000);

    let forest = Forest::from_bytes(&bytes)?;
    assert_eq!(&forest, fitted.forest().as_ref());
    let again = Fitted::new(forest, data, &Run::on(Threads::ONE))?;

    for id in [MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SobolMda] {
        let before = fitted.importance(id.into(), &Run::all())?;
        let after = again.importance(id.into(), &Run::on(Threads::ONE))?;
        let bits = |values: &[Option<f64>]| values[0].map(f64::to_bits);
        println!("{:20}x1 {:016x?}", after.id, bits(&after.values).unwrap_or_default());
        assert_eq!(bits(&before.values), bits(&after.values));
    }

    let other_data = Friedman1::default().draw(200, 2)?;
    let forest = Forest::from_bytes(&bytes)?;
    if let Err(refusal) = Fitted::new(forest, other_data, &Run::all()) {
        println!("other data: {refusal}");
    }
    Ok(())
}
