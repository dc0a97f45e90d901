#' @export
print.wald <- function(x, digits = 4, ...) {
  cat("wald: ", if (x$program != "wald") paste0(x$program, "'s "), "forest of ", x$num.trees,
      " trees (", x$task, ")\n", sep = "")
  if (!is.null(x$call)) cat("call:", deparse(x$call, width.cutoff = 80), sep = "\n  ")
  cat("target: ", x$target, "\n", sep = "")
  cat(x$num.samples, "rows,", length(x$levels), "variables\n")
  error <- if (x$task == "regression") "mean squared error" else "share of wrong classes"
  if (!is.null(x$prediction.error)) {
    cat(error, " out of bag: ", format(x$prediction.error, digits = digits), "\n", sep = "")
  }
  if (!is.null(x$r.squared)) {
    cat("explained variance out of bag: ", format(x$r.squared, digits = digits), "\n", sep = "")
  }
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
              "mean_leaves", "mean_depth", "confusion", "prediction.error", "r.squared", "levels")
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
