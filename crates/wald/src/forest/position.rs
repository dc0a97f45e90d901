//! Positions of in-bag rows, as small as their number allows.

/// The place of a row among the in-bag rows of a tree.
pub(crate) trait Position:
    Copy + Default + Eq + Send + Sync + std::fmt::Debug + 'static
{
    /// Stands for a row that is not in the bag.
    const NOWHERE: Self;

    /// `index` must be below the index of [`Position::NOWHERE`].
    fn new(index: usize) -> Self;

    fn index(self) -> usize;

    /// The same positions, if they are of the kind that vectors are made for.
    fn as_u16(positions: &mut [Self]) -> Option<&mut [u16]>;
}

impl Position for u16 {
    const NOWHERE: Self = Self::MAX;

    #[inline]
    fn new(index: usize) -> Self {
        index as Self
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self)
    }

    fn as_u16(positions: &mut [Self]) -> Option<&mut [u16]> {
        Some(positions)
    }
}

impl Position for u32 {
    const NOWHERE: Self = Self::MAX;

    #[inline]
    fn new(index: usize) -> Self {
        index as Self
    }

    #[inline]
    fn index(self) -> usize {
        self as usize
    }

    fn as_u16(_positions: &mut [Self]) -> Option<&mut [u16]> {
        None
    }
}
