p_values <- c("p", "p_value", "adjusted_p_value", "q_value")
short_names <- c(standard_error = "se", p_value = "p", adjusted_p_value = "adjusted_p")

# Prints a table: columns without values are left out and long names are shortened.
print_table <- function(frame, digits) {
  frame <- frame[, !vapply(frame, function(column) all(is.na(column)), NA), drop = FALSE]
  p <- names(frame) %in% p_values
  frame[p] <- lapply(frame[p], format.pval, digits = 2, eps = 1e-4)
  numbers <- vapply(frame, is.double, NA)
  frame[numbers] <- lapply(frame[numbers], rounded, digits)
  known <- names(frame) %in% names(short_names)
  names(frame)[known] <- short_names[names(frame)[known]]
  print(format(frame, digits = digits), row.names = FALSE)
}

# Prints caveats below a result, each in as many lines as it needs.
print_notes <- function(notes) {
  for (note in unlist(notes)) cat(strwrap(paste("note:", note), exdent = 2), sep = "\n")
}

# Numbers without the digits that cannot be seen beside the largest one, which would be written as powers of
# ten.
rounded <- function(numbers, digits) {
  largest <- max(abs(numbers[is.finite(numbers)]), 0)
  if (largest == 0) return(numbers)
  round(numbers, max(0, digits + 2 - ceiling(log10(largest))))
}

#' @export
print.wald <- function(x, digits = 4, ...) {
  cat("wald: ", if (x$program != "wald") paste0(x$program, "'s "), "forest of ", x$num.trees,
      " trees (", x$task, ")\n", sep = "")
  if (!is.null(x$call)) {
    lines <- deparse(x$call, width.cutoff = 75)
    # do.call() puts the data themselves into a call.
    if (length(lines) > 5) lines <- c(lines[1:5], "...")
    cat("call:", lines, sep = "\n  ")
  }
  cat("target: ", x$target, "\n", sep = "")
  # A forest that was read without its training data has no rows.
  rows <- if (!is.null(x$num.samples)) paste0(counted(x$num.samples, "row"), ", ")
  cat(rows, counted(length(x$levels), "variable"), "\n", sep = "")
  error <- if (x$task == "regression") "mean squared error" else "share of wrong classes"
  if (!is.null(x$prediction.error)) {
    cat(error, " out of bag: ", format(x$prediction.error, digits = digits), "\n", sep = "")
  }
  if (!is.null(x$r.squared)) {
    cat("explained variance out of bag: ", format(x$r.squared, digits = digits), "\n", sep = "")
  }
  print_notes(x$notes)
  invisible(x)
}

#' Summarise a forest
#'
#' @param object A forest.
#' @param ... Not used.
#'
#' @return An object of class `summary.wald`, a list that prints: settings, out-of-bag errors by
#'   several losses, the size of trees, and for classes the confusion matrix.
#'
#' @examples
#' summary(wald(Species ~ ., iris, num.trees = 50, num.threads = 2))
#' @export
summary.wald <- function(object, ...) {
  fields <- c("program", "call", "task", "target", "num.trees", "num.samples", "settings", "errors",
              "mean_leaves", "mean_depth", "confusion", "prediction.error", "r.squared", "levels", "notes")
  structure(unclass(object)[intersect(fields, names(object))], class = "summary.wald")
}

#' @export
print.summary.wald <- function(x, digits = 4, ...) {
  print.wald(x, digits = digits)
  show <- function(value) format(value, digits = digits)
  if (!is.null(x$mean_leaves)) {
    cat("a tree has on average ", show(x$mean_leaves), " leaves and depth ", show(x$mean_depth),
        "\n", sep = "")
  }
  losses <- Filter(is.numeric, x$errors[setdiff(names(x$errors), "confusion")])
  if (length(losses) > 0) {
    cat("out of bag:\n")
    for (loss in names(losses)) cat("  ", loss, ": ", show(losses[[loss]]), "\n", sep = "")
  }
  if (!is.null(x$confusion)) {
    cat("out-of-bag confusion matrix:\n")
    print(x$confusion)
  }
  invisible(x)
}
