"""Tables as files that wald, Python and R read alike.

Three little-endian u64 (rows, columns, classes; no classes for regression), the columns one
after another as f64, and the target as f64. Where columns are categories, the number of levels
of every column follows as u64, 0 for numbers; a category is its code, NaN a missing value.
"""

import numpy as np


def write(path, x, y, n_classes=0, n_levels=None):
    with open(path, "wb") as file:
        np.array([*x.shape, n_classes], dtype="<u8").tofile(file)
        for column in x.T:
            column.astype("<f8").tofile(file)
        y.astype("<f8").tofile(file)
        if n_levels is not None:
            np.array(n_levels, dtype="<u8").tofile(file)


class Table:
    """A file opened for reading; columns are read one at a time, to take little memory."""

    def __init__(self, path):
        self.path = path
        n_rows, n_columns, n_classes = (int(word) for word in np.fromfile(path, "<u8", 3))
        self.n_rows, self.n_columns, self.n_classes = n_rows, n_columns, n_classes
        n_levels = np.fromfile(path, "<u8", offset=self._offset(n_columns + 1)).astype(int)
        self.n_levels = n_levels if len(n_levels) else np.zeros(n_columns, int)

    def _offset(self, n_columns):
        return 8 * (3 + n_columns * self.n_rows)

    def column(self, index):
        return np.fromfile(self.path, "<f8", self.n_rows, offset=self._offset(index))

    def target(self):
        y = self.column(self.n_columns)
        return y.astype(int) if self.n_classes else y

    def matrix(self, dtype, order):
        x = np.empty((self.n_rows, self.n_columns), dtype, order)
        for index in range(self.n_columns):
            x[:, index] = self.column(index)
        return x
