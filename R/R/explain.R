#' Explain rows
#'
#' @param x A forest.
#' @param newdata Rows to explain, a data frame; those of training unless given.
#' @param measure Name of a local measure; `measures("explain")` lists them.
#' @param y The target of `newdata`, for measures of losses; its column unless given.
#' @param num.threads,progress As of [wald()].
#' @param ... Settings of the measure, such as `background` (a data frame), `variables` or `grid`: the number of
#'   values of each variable at which curves are computed. For `"pdp"` and `"ice"` it is `"exact"` unless given, which
#'   is a value between all neighbouring thresholds of the forest, while the command line takes at most 100 values;
#'   give `grid = 100` for large forests and for many rows.
#'
#' @return For most measures an array of class `wald_explanation`: a matrix with a row for each row and
#'   a column for each variable, with a third dimension for classes, and one for the other variable of
#'   interactions. Attribute `"expected_value"` is what values are counted from: with it they add up to
#'   predictions; attribute `"share_of_variance"`, of Friedman's H, is the variance of an interaction as a
#'   share of that of predictions, in an array of the same form; attribute `"notes"` holds what to beware of.
#'   Curves (`"pdp"`, `"ice"`) are a data frame with `variable`, `row`, `class`, `at` and `value`.
#'
#' @examples
#' fit <- wald(mpg ~ ., mtcars, num.trees = 50, num.threads = 2)
#' shap <- explain(fit, mtcars[1:3, ], num.threads = 2)
#' shap
#' all.equal(rowSums(shap) + attr(shap, "expected_value"), predict(fit, mtcars[1:3, ]))
#' @export
explain <- function(x, ...) UseMethod("explain")

#' @rdname explain
#' @export
#' @rawNamespace S3method(generics::explain, wald)
explain.wald <- function(x, newdata = NULL, measure = "tree_shap", y = NULL, ..., num.threads = NULL,
                         progress = NULL) {
  settings <- checked_settings(list(...), "explain", names(formals(explain.wald)))
  if (!is.null(settings[["background"]])) {
    settings[["background"]] <- new_columns(x, settings[["background"]], what = "background")
  }
  if (is.numeric(settings$grid) && length(settings$grid) > 1) {
    refuse_setting(paste("grid is", shown(settings$grid)),
                   paste("give the number of values, for example 100, or \"exact\"; which values they are follows",
                         "from the data"), setting = "grid")
  }
  if (!is.null(y) && is.null(newdata)) {
    refuse_setting("y is given without newdata", "give both or none", setting = "y")
  }
  measure <- text("measure", measure)
  if (is.null(y) && !is.null(newdata) && reads_target(measure)) {
    y <- target_of_rows(x, newdata, "newdata")
    if (is.null(y)) {
      refuse_setting(paste0("y is missing, and newdata has no column ", quoted(x$target)),
                     paste("give the target of newdata, whose losses", measure, "explains"), setting = "y")
    }
  }
  asked <- list(
    measure = measure, settings = settings,
    columns = if (!is.null(newdata)) new_columns(x, newdata),
    test = if (!is.null(y)) test_data(x, list(newdata, y)))
  found <- checked(.Call(wrap__explain_forest, native_forest(x), native_data(x), asked,
                       work(num.threads, progress, paste("explaining by", measure))))
  if (found$shape == "curves") return(as_curves(found, x))
  rows <- if (is.null(newdata)) row_names(x$x) else row_names(newdata)
  as_explanation(found, x, measure, if (found$is_mean) "mean" else rows)
}

# Whether a local measure is one of losses, for which the target of rows is needed.
reads_target <- function(measure) {
  any(vapply(facts()$explain, function(one) one$id == measure && length(one$regression_losses) > 0, NA))
}

row_names <- function(table) {
  names <- rownames(table)
  if (is.null(names)) as.character(seq_len(nrow(table))) else names
}

#' @export
explain.default <- function(x, ...) {
  refuse_other_than_forest(x)
}

as_explanation <- function(found, fit, measure, rows) {
  expected <- found$expected_value
  if (!is.null(expected) && !is.null(found$classes)) {
    expected <- stats::setNames(expected, found$classes)[class_places(fit, found$classes)]
  }
  values <- as_explained(found, found$values, fit, rows)
  shares <- if (!is.null(found$share_of_variance)) as_explained(found, found$share_of_variance, fit, rows)
  structure(values, class = c("wald_explanation", class(values)), expected_value = expected,
            share_of_variance = shares, notes = found$notes, measure = measure)
}

# From numbers of a row, of which the class changes fastest, to an array of rows, variables, classes.
as_explained <- function(found, numbers, fit, rows) {
  p <- length(found$variables)
  q <- max(1, length(found$classes))
  variables <- if (found$shape == "pairs") list(found$variables, found$variables)
    else list(found$variables)
  k <- length(variables)
  values <- array(numbers, c(nrow(numbers), q, rep(p, k)))
  # The last index changes fastest within a row of the engine.
  values <- aperm(values, c(1, rev(seq_len(k) + 2), 2))
  names <- c(list(rows), variables, list(found$classes))
  dimnames(values) <- if (is.null(found$classes)) c(names[seq_len(k + 1)], list(NULL)) else names
  if (q == 1 && is.null(found$classes)) {
    return(array(values, dim(values)[seq_len(k + 1)], dimnames(values)[seq_len(k + 1)]))
  }
  known <- class_places(fit, found$classes)
  if (k == 1) values[, , known, drop = FALSE] else values[, , , known, drop = FALSE]
}

# A line for each number: rows change fastest, then classes, then places on the grids. Every column is made at
# once, since there may be many lines.
as_curves <- function(found, fit) {
  classes <- found$classes
  q <- max(1, length(classes))
  n <- nrow(found$values)
  grids <- lapply(found$grids, function(grid) c(unlist(grid$values, use.names = FALSE), if (grid$has_missing) NA))
  sizes <- lengths(grids)
  # Numbers become texts where other variables have levels.
  if (any(vapply(grids, is.character, NA))) {
    grids <- lapply(grids, function(at) if (is.numeric(at)) exact_text(at) else at)
  }
  curves <- list(variable = rep(found$variables, times = sizes * q * n))
  if (!found$is_mean) curves$row <- rep(seq_len(n), times = sum(sizes) * q)
  if (!is.null(classes)) curves$class <- rep(classes, times = sum(sizes), each = n)
  curves$at <- rep(unlist(grids), each = q * n)
  curves$value <- as.vector(found$values)
  with_levels <- names(fit$levels)[!vapply(fit$levels, is.null, NA)]
  structure(curves, class = c("wald_curves", "data.frame"), row.names = .set_row_names(length(curves$value)),
            with_levels = with_levels, classes = if (!is.null(classes)) class_levels(fit))
}

# Numbers as texts from which they can be read back; as.character() keeps 15 digits.
exact_text <- function(x) {
  text <- rep(NA_character_, length(x))
  known <- which(!is.na(x))
  text[known] <- sprintf("%.15g", x[known])
  others <- known[as.numeric(text[known]) != x[known]]
  text[others] <- sprintf("%.17g", x[others])
  text
}

#' @export
print.wald_explanation <- function(x, digits = 4, n = 10, ...) {
  cat(attr(x, "measure"), ": ", paste(dim(x), collapse = " x "), "\n", sep = "")
  expected <- attr(x, "expected_value")
  if (!is.null(expected)) {
    cat("expected value:", format(expected, digits = digits), "\n")
  }
  plain <- plain_array(x)
  first_rows <- function(plain) {
    # Of matrices and of arrays with more dimensions, such as pairs of variables by class.
    further <- rep(list(TRUE), length(dim(plain)) - 1)
    do.call("[", c(list(plain, seq_len(min(n, nrow(plain)))), further, drop = FALSE))
  }
  print(first_rows(plain), digits = digits)
  shares <- attr(x, "share_of_variance")
  if (!is.null(shares)) {
    cat("share of the variance of predictions:\n")
    print(first_rows(shares), digits = digits)
  }
  if (nrow(plain) > n) cat("... and", nrow(plain) - n, "more rows\n")
  print_notes(attr(x, "notes"))
  invisible(x)
}

# The array without what makes it an explanation.
plain_array <- function(x) {
  for (name in c("measure", "expected_value", "share_of_variance", "notes")) attr(x, name) <- NULL
  unclass(x)
}

#' @export
as.data.frame.wald_explanation <- function(x, ...) {
  shares <- attr(x, "share_of_variance")
  table <- as.data.frame.table(plain_array(x), responseName = "value", stringsAsFactors = FALSE)
  if (!is.null(shares)) table$share_of_variance <- as.vector(shares)
  table
}
