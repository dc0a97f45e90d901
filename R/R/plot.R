#' Plot importances
#'
#' A dot for each variable, the most important one at the top, with an interval of 1.96 Monte-Carlo
#' standard errors where there are any; a panel for each measure.
#'
#' @param x What [importance()] returned.
#' @param n The largest number of variables that are shown.
#' @param ... Further arguments of [graphics::dotchart()].
#'
#' @return `x`, invisibly.
#'
#' @examples
#' fit <- wald(mpg ~ ., mtcars, num.trees = 100, num.threads = 2)
#' plot(importance(fit, c("sobol_mda", "mdi"), num.threads = 2))
#' @export
plot.wald_importance <- function(x, n = 20, ...) {
  refuse_empty(x)
  measures <- unique(x$measure)
  old <- graphics::par(mfrow = grDevices::n2mfrow(length(measures))[2:1])
  on.exit(graphics::par(old))
  for (measure in measures) {
    one <- attr(x, "found")[[measure]]
    part <- as.data.frame(x)[x$measure == measure, ]
    part <- utils::head(part[ranking(part$value, isTRUE(one$small_is_important)), ], n)
    intervals(part, measure, one$unit, ...)
  }
  invisible(x)
}

#' @rdname plot.wald_importance
#' @export
plot.wald <- function(x, ...) {
  plot(importance(x), ...)
  invisible(x)
}

#' @rdname plot.wald_importance
#' @export
plot.wald_uncertainty <- function(x, n = 20, ...) {
  refuse_empty(x)
  panels(as.data.frame(unclass(x)), paste0(100 * attr(x, "found")$confidence, " % intervals"), n, ...)
  invisible(x)
}

# Parts of tables may have no lines.
refuse_empty <- function(x) {
  if (nrow(x) == 0) refuse_data("there are no importances to draw", "give at least one row")
}

# Draws with arguments of the package, of which those that are given take the place.
draw <- function(with, own, ...) {
  given <- list(...)
  do.call(with, c(own[!names(own) %in% names(given) | names(own) == ""], given))
}

# Dots with intervals, the first line of `part` at the top.
intervals <- function(part, title, unit, ...) {
  part <- part[rev(seq_len(nrow(part))), ]
  range <- range(part$value, part$low, part$high, 0, na.rm = TRUE)
  draw(graphics::dotchart, list(part$value, labels = part$variable, xlim = range, main = title,
                                xlab = if (is.null(unit)) "" else unit, pch = 19), ...)
  graphics::abline(v = 0, col = "grey60", lty = 3)
  known <- which(!is.na(part$low))
  graphics::segments(part$low[known], known, part$high[known], known, lwd = 2)
}

#' Plot explanations
#'
#' Of each variable the values of all rows, ordered by their mean size. Of curves, as of `"pdp"`, a panel for
#' each variable.
#'
#' @param x What [explain()] returned.
#' @param class Name of the class whose values are shown; the last one unless given.
#' @param n The largest number of variables that are shown.
#' @param ... Further arguments of [graphics::stripchart()], of curves those of [graphics::plot()].
#'
#' @return `x`, invisibly.
#'
#' @examples
#' fit <- wald(mpg ~ ., mtcars, num.trees = 50, num.threads = 2)
#' plot(explain(fit, num.threads = 2))
#' plot(explain(fit, mtcars, "pdp", num.threads = 2))
#' @export
plot.wald_explanation <- function(x, class = NULL, n = 20, ...) {
  values <- plain_array(x)
  classes <- if (length(dim(values)) == 3) dimnames(values)[[3]]
  if (length(dim(values)) > 3 || (length(dim(values)) == 3 && identical(classes, colnames(values)))) {
    refuse_data("interactions of pairs are not drawn", "give an explanation by single variables")
  }
  if (!is.null(classes)) {
    if (is.null(class)) class <- classes[length(classes)]
    class <- chosen("class", class, classes)
    values <- values[, , class]
    dim(values) <- dim(x)[1:2]
    colnames(values) <- dimnames(x)[[2]]
  }
  size <- colMeans(abs(values), na.rm = TRUE)
  shown <- utils::head(names(sort(-size)), n)
  old <- graphics::par(mar = c(4, 1 + max(nchar(shown)) / 2, 3, 1))
  on.exit(graphics::par(old))
  title <- paste(c(attr(x, "measure"), class), collapse = ", ")
  points <- lapply(rev(shown), function(name) values[, name])
  names(points) <- rev(shown)
  draw(graphics::stripchart, list(points, method = "jitter", pch = 19, cex = 0.6, las = 1, main = title,
                                  xlab = "contribution to the prediction",
                                  col = grDevices::adjustcolor("steelblue4", 0.5)), ...)
  graphics::abline(v = 0, col = "grey60", lty = 3)
  invisible(x)
}

#' @export
plot.wald_selection <- function(x, ...) {
  frame <- x$frame
  if (x$method == "elimination") {
    low <- frame$error - frame$standard_error
    high <- frame$error + frame$standard_error
    draw(graphics::plot, list(frame$n_variables, frame$error, type = "b", pch = 19,
                              xlab = "number of variables", ylab = "error of held-out rows",
                              ylim = range(low, high)), ...)
    graphics::segments(frame$n_variables, low, frame$n_variables, high)
    graphics::abline(v = frame$n_variables[frame$best == 1], lty = 2)
  } else {
    score <- if (x$method == "boruta") frame$median_importance else -frame$q_value
    # The most important one is the highest line; of some measures, small values are important.
    order <- order(if (isTRUE(x$document$small_is_important)) -score else score)
    label <- if (x$method == "boruta") "median importance" else "- q-value"
    draw(graphics::dotchart, list(
      score[order], labels = frame$variable[order], xlab = label, pch = 19,
      color = ifelse(frame$variable[order] %in% x$selected, "black", "grey60")), ...)
  }
  invisible(x)
}
