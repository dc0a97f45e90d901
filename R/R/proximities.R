#' Which rows a forest finds alike
#'
#' A forest predicts a row by a weighted mean of the targets of training rows. `proximities()` returns these
#' weights: between two rows of training, the weight that one has in the out-of-bag prediction of the
#' other, which is their RF-GAP proximity (Rhodes, Cutler & Moon 2023). `outliers()` scores how far each
#' training row lies apart from its class, or in a regression from all others, by the share of trees that
#' did not see it in which it meets rows that they saw in a leaf. `prototypes()` returns the middle of each
#' class.
#'
#' @param x A forest.
#' @param newdata A data frame with the columns of training: their weights by all trees. Those of the
#'   training rows, by the trees that did not see them, unless given.
#' @param neighbours Neighbours that prototypes are made of; one less than the size of the smallest class
#'   unless given.
#' @param num.threads,progress As of [wald()].
#' @param ... Not used.
#'
#' @return `proximities()` returns a data frame of class `wald_proximities` with a line for each pair of
#'   rows that has a weight: `row` (of `newdata` or of training), `training_row` and `weight`. The
#'   weights of a row sum to 1. `as.matrix()` makes a matrix of all rows and training rows of it, and
#'   `Matrix::sparseMatrix(found$row, found$training_row, x = found$weight)` one without zeros.
#'   `outliers()` returns a score for each training row, NA where there is none, and `prototypes()` a
#'   data frame with a line for each class and variable: `class`, `row` (the training row with most
#'   neighbours of the class), `neighbours` (their number), `variable`, `median`, `lower_quartile`,
#'   `upper_quartile` and, of categories, the most frequent `level`.
#'
#' @examples
#' fit <- wald(Species ~ ., iris, num.trees = 50, num.threads = 2)
#' found <- proximities(fit, num.threads = 2)
#' found
#' dim(as.matrix(found))
#' head(order(outliers(fit, num.threads = 2), decreasing = TRUE))
#' prototypes(fit, num.threads = 2)
#' @export
proximities <- function(x, newdata = NULL, ..., num.threads = NULL, progress = NULL) {
  checked_forest(x)
  refuse_further(...)
  columns <- if (!is.null(newdata)) new_columns(x, newdata)
  found <- checked(.Call(wrap__weigh_rows, native_forest(x), native_data(x), columns,
                       work(num.threads, progress, "comparing rows")))
  n_rows <- if (is.null(newdata)) nrow(x$x) else nrow(newdata)
  structure(as_frame(found), class = c("wald_proximities", "data.frame"),
            dimensions = c(n_rows, nrow(x$x)))
}

#' @rdname proximities
#' @export
outliers <- function(x, ..., num.threads = NULL, progress = NULL) {
  checked_forest(x)
  refuse_further(...)
  checked(.Call(wrap__score_outliers, native_forest(x), native_data(x),
                work(num.threads, progress, "comparing rows")))
}

#' @rdname proximities
#' @export
prototypes <- function(x, neighbours = NULL, ..., num.threads = NULL, progress = NULL) {
  checked_forest(x)
  refuse_further(...)
  found <- checked(.Call(wrap__find_prototypes, native_forest(x), native_data(x),
                       optional_whole("neighbours", neighbours, least = 1),
                       work(num.threads, progress, "comparing rows")))
  structure(as_frame(found), class = c("wald_prototypes", "data.frame"))
}

checked_forest <- function(x) {
  if (!inherits(x, "wald")) {
    refuse_setting(paste("x is", shown(x)), "give a forest of wald()", setting = "x")
  }
}

#' @export
as.matrix.wald_proximities <- function(x, ...) {
  matrix <- matrix(0, attr(x, "dimensions")[1], attr(x, "dimensions")[2])
  matrix[cbind(x$row, x$training_row)] <- x$weight
  matrix
}

#' @export
print.wald_proximities <- function(x, digits = 4, n = 10, ...) {
  size <- attr(x, "dimensions")
  cat("weights of ", counted(size[2], "training row"), " for ", counted(size[1], "row"), ": ",
      counted(nrow(x), "pair"), "\n", sep = "")
  part <- utils::head(as.data.frame(unclass(x))[order(-x$weight), ], n)
  print(format(part, digits = digits), row.names = FALSE)
  if (nrow(x) > n) cat("... and", nrow(x) - n, "pairs with smaller weights\n")
  invisible(x)
}

#' @export
print.wald_prototypes <- function(x, digits = 4, ...) {
  for (class in unique(x$class)) {
    part <- as.data.frame(unclass(x))[x$class == class, ]
    cat(class, ": ", part$neighbours[1], " neighbours of row ", part$row[1], "\n", sep = "")
    known <- c("variable", "median", "lower_quartile", "upper_quartile", "level")
    shown <- part[intersect(known, names(part))]
    shown <- shown[!vapply(shown, function(column) all(is.na(column)), NA)]
    print(format(shown, digits = digits), row.names = FALSE)
  }
  invisible(x)
}
