//! Results as long tables: columns of text or numbers, ready for CSV, Parquet or a data frame.

/// Named columns of equal length.
///
/// ```
/// use wald::frame::{Frame, FrameColumn};
///
/// let frame = Frame::default().with_text("variable", ["x1", "x2"]).with_numbers("value", [0.7, 0.2]);
/// assert_eq!(frame.n_rows(), 2);
/// assert_eq!(frame.columns[1], ("value".into(), FrameColumn::Numbers(vec![Some(0.7), Some(0.2)])));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    /// Names and values, in order.
    pub columns: Vec<(String, FrameColumn)>,
}

/// The values of one column of a [`Frame`].
#[derive(Debug, Clone, PartialEq)]
pub enum FrameColumn {
    /// Text; `None` is a missing value.
    Text(Vec<Option<String>>),
    /// Numbers; `None` is a missing value.
    Numbers(Vec<Option<f64>>),
}

impl Frame {
    /// Adds a column of text; empty text is a missing value.
    #[must_use]
    pub fn with_text(
        self,
        name: impl Into<String>,
        cells: impl IntoIterator<Item: Into<String>>,
    ) -> Self {
        let cells = cells.into_iter().map(Into::into);
        self.with_levels(name, cells.map(|text: String| Some(text).filter(|text| !text.is_empty())))
    }

    /// Adds a column of levels or classes, whose name may be an empty text.
    ///
    /// ```
    /// use wald::frame::{Frame, FrameColumn};
    ///
    /// let frame = Frame::default().with_levels("class", [Some(""), None]);
    /// assert_eq!(frame.columns[0].1, FrameColumn::Text(vec![Some(String::new()), None]));
    /// ```
    #[must_use]
    pub fn with_levels(
        self,
        name: impl Into<String>,
        cells: impl IntoIterator<Item = Option<impl Into<String>>>,
    ) -> Self {
        let cells = cells.into_iter().map(|cell| cell.map(Into::into));
        self.with(name.into(), FrameColumn::Text(cells.collect()))
    }

    /// Adds a column of numbers.
    #[must_use]
    pub fn with_numbers(
        self,
        name: impl Into<String>,
        cells: impl IntoIterator<Item: Into<Option<f64>>>,
    ) -> Self {
        self.with(name.into(), FrameColumn::Numbers(cells.into_iter().map(Into::into).collect()))
    }

    /// A long table of several results: a line for each of them and each of its variables, with the columns
    /// `measure` and `variable`, and numbers by name.
    pub(crate) fn of_variables<'a, T>(
        several: &'a [T],
        labels: impl Fn(&'a T) -> (&'a str, Vec<&'a str>),
        numbers: impl IntoIterator<Item = (&'a str, fn(&T, usize) -> Option<f64>)>,
    ) -> Self {
        let labels: Vec<(&str, Vec<&str>)> = several.iter().map(labels).collect();
        let of_measures = labels.iter().flat_map(|(id, names)| names.iter().map(move |_| *id));
        let variables = labels.iter().flat_map(|(_, names)| names.iter().copied());
        let frame =
            Self::default().with_text("measure", of_measures).with_text("variable", variables);
        numbers.into_iter().fold(frame, |frame, (name, number)| {
            let of_one = |(one, (_, names)): (&'a T, &(&str, Vec<&str>))| -> Vec<Option<f64>> {
                (0..names.len()).map(|at| number(one, at)).collect()
            };
            frame.with_numbers(name, several.iter().zip(&labels).flat_map(of_one))
        })
    }

    fn with(mut self, name: String, column: FrameColumn) -> Self {
        self.columns.push((name, column));
        self
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        match self.columns.first() {
            Some((_, FrameColumn::Text(texts))) => texts.len(),
            Some((_, FrameColumn::Numbers(numbers))) => numbers.len(),
            None => 0,
        }
    }
}
