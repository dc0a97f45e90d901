//! Where a picture stands: in a page, or on paper.

/// How many columns of a printed page a picture is wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// One of two columns, as most journals have them.
    One,
    /// The whole width of the text.
    Two,
}

/// Where a picture stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// In a page on a screen, in the colours of its text; words that are cut are shown in full when they
    /// are pointed at.
    Page,
    /// On white paper, where nothing can be pointed at and colours may be missing.
    Paper(Columns),
}

/// Millimetres of a unit of a picture on paper: letters of 12 units have 8 points, those of 11 units 7.3
/// points.
pub(super) const MILLIMETRES: f64 = 25.4 / 72.0 * 8.0 / 12.0;

impl Columns {
    /// All widths.
    pub const ALL: [Self; 2] = [Self::One, Self::Two];

    /// The word for it.
    pub const fn id(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Two => "two",
        }
    }

    /// The width in millimetres.
    pub const fn millimetres(self) -> f64 {
        match self {
            Self::One => 85.0,
            Self::Two => 175.0,
        }
    }

    /// The width in units of a picture.
    pub(super) fn units(self) -> f64 {
        self.millimetres() / MILLIMETRES
    }
}

impl Medium {
    /// Whether it is paper.
    pub(super) const fn is_paper(self) -> bool {
        matches!(self, Self::Paper(_))
    }

    /// The width of a picture, which is that given on a page.
    pub(super) fn width(self, on_page: f64) -> f64 {
        match self {
            Self::Page => on_page,
            Self::Paper(columns) => columns.units(),
        }
    }

    /// One of two numbers.
    pub(super) const fn either(self, on_page: f64, on_paper: f64) -> f64 {
        if self.is_paper() { on_paper } else { on_page }
    }
}
