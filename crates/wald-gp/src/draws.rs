//! Random numbers.

use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A number between 0 and 1, never 0.
pub(crate) fn uniform(rng: &mut Xoshiro256PlusPlus) -> f64 {
    ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
}

/// A number of the standard normal distribution (Box and Muller 1958).
pub(crate) fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    let radius = (-2.0 * uniform(rng).ln()).sqrt();
    radius * (2.0 * std::f64::consts::PI * uniform(rng)).cos()
}

/// A number of Student's t distribution.
pub(crate) fn student(rng: &mut Xoshiro256PlusPlus, degrees: u32) -> f64 {
    let above = normal(rng);
    let squares: f64 = (0..degrees).map(|_| normal(rng).powi(2)).sum();
    above / (squares / f64::from(degrees)).sqrt()
}
