# Pictures of what procedures have found.

# A panel for each measure of a table with `variable`, `value`, `low` and `high`.
panels <- function(plain, unit, n, ...) {
  measures <- unique(plain$measure)
  old <- graphics::par(mfrow = grDevices::n2mfrow(length(measures))[2:1])
  on.exit(graphics::par(old))
  for (measure in measures) {
    part <- plain[plain$measure == measure, ]
    intervals(utils::head(part[order(-abs(part$value)), ], n), measure, unit, ...)
  }
}

#' @export
plot.wald_comparison <- function(x, n = 20, ...) {
  refuse_empty(x)
  plain <- as.data.frame(unclass(x))
  plain$value <- plain$difference
  panels(plain, paste0("second minus first, ", 100 * attr(x, "found")$confidence, " % intervals"), n, ...)
  invisible(x)
}

#' @export
plot.wald_conditional <- function(x, n = 20, ...) {
  refuse_empty(x)
  plain <- as.data.frame(unclass(x))
  title <- paste0("what variables add (", attr(x, "found")$method, ")")
  unit <- paste0(100 * attr(x, "found")$confidence, " % intervals")
  intervals(utils::head(plain[ranking(plain$value), ], n), title, unit, ...)
  invisible(x)
}

#' @export
plot.wald_surrogate <- function(x, n = 20, ...) {
  refuse_empty(x)
  plain <- as.data.frame(unclass(x))
  plain$value <- plain$two_step
  panels(plain, "two_step, with interval", n, ...)
  invisible(x)
}

#' @export
plot.wald_population <- function(x, n = 20, ...) {
  refuse_empty(x)
  plain <- as.data.frame(unclass(x))
  # Importances at points have a line for each of these.
  variable <- if (is.null(plain$point)) plain$variable else paste0(plain$variable, ", point ", plain$point)
  plain <- data.frame(variable = variable, value = plain$importance, low = NA_real_, high = NA_real_)
  intervals(utils::head(plain[ranking(plain$value), ], n), "importances in the population", NULL, ...)
  invisible(x)
}

# A picture of pairs of columns, as of any data frame, would show nothing of the sets.
#' @export
plot.wald_interactions <- function(x, ...) {
  refuse_data("sets of variables have no picture",
              "print them, or draw their columns, for example with(x, plot(prevalence, precision))")
}

#' @export
print.wald_curves <- function(x, n = 20, ...) {
  print(utils::head(as.data.frame(unclass(x)), n), row.names = FALSE, ...)
  if (nrow(x) > n) cat("... and", counted(nrow(x) - n, "more line"), "\n")
  invisible(x)
}

#' @rdname plot.wald_explanation
#' @export
plot.wald_curves <- function(x, class = NULL, n = 9, ...) {
  if (nrow(x) == 0) refuse_data("there are no curves to draw", "give at least one row")
  plain <- as.data.frame(unclass(x))
  if (!is.null(plain$class)) {
    classes <- intersect(attr(x, "classes"), plain$class)
    if (is.null(class)) class <- classes[length(classes)]
    class <- chosen("class", class, classes)
    plain <- plain[plain$class == class, ]
  }
  variables <- utils::head(unique(plain$variable), n)
  old <- graphics::par(mfrow = grDevices::n2mfrow(length(variables))[2:1], mar = c(4, 4, 1, 1))
  on.exit(graphics::par(old))
  for (variable in variables) {
    part <- plain[plain$variable == variable & !is.na(plain$at), ]
    curve_panel(part, variable, variable %in% attr(x, "with_levels"), range(plain$value),
                if (is.null(class)) "prediction" else class, ...)
  }
  invisible(x)
}

# One line, or one for each row; dots where the variable has levels.
curve_panel <- function(part, variable, has_levels, range, label, ...) {
  levels <- if (has_levels) unique(part$at)
  at <- if (has_levels) match(part$at, levels) else as.numeric(part$at)
  rows <- if (is.null(part$row)) rep(1, nrow(part)) else part$row
  color <- if (is.null(part$row)) "steelblue4" else grDevices::adjustcolor("steelblue4", 0.5)
  draw(graphics::plot, list(range(at), range, type = "n", xlab = variable, ylab = label,
                            xaxt = if (is.null(levels)) "s" else "n"), ...)
  if (!is.null(levels)) graphics::axis(1, seq_along(levels), levels)
  for (one in split(seq_along(at), rows)) {
    graphics::lines(at[one], part$value[one], col = color, pch = 19,
                    type = if (is.null(levels)) "l" else "p")
  }
}
