//! Numbers that a processor adds up together.

/// As many as fit into the widest registers.
pub(super) const LANES: usize = 8;

/// Numbers that are read and written together.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Lanes(pub(crate) [f64; LANES]);

impl Lanes {
    pub(super) const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    fn each(self, other: Self, each: impl Fn(f64, f64) -> f64) -> Self {
        // All are read before any is written, so that they may be computed together.
        let mut all = [0.0; LANES];
        for at in 0..LANES {
            all[at] = each(self.0[at], other.0[at]);
        }
        Self(all)
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        self.each(other, |one, other| one + other)
    }

    #[inline(always)]
    pub(super) fn minus(self, other: Self) -> Self {
        self.each(other, |one, other| one - other)
    }

    #[inline(always)]
    pub(super) fn times(self, factor: f64) -> Self {
        self.each(Self([factor; LANES]), |one, other| one * other)
    }
}

/// One of many numbers.
#[inline(always)]
pub(super) fn number(lanes: &mut [Lanes], at: u32) -> &mut f64 {
    &mut lanes[at as usize / LANES].0[at as usize % LANES]
}

/// Adds numbers to others.
#[inline(always)]
pub(super) fn add<const N: usize>(to: &mut [Lanes], more: &[Lanes]) {
    if N < 5
        && let (Some(to), Some(more)) = (to.first_chunk_mut::<N>(), more.first_chunk::<N>())
    {
        let (were, more) = (*to, *more);
        for at in 0..N {
            to[at] = were[at].plus(more[at]);
        }
        return;
    }
    for (to, more) in to.iter_mut().zip(more) {
        *to = to.plus(*more);
    }
}
