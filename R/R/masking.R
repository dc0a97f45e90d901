#' Importances against the number of variables that compete for a split
#'
#' Where a node takes the best of `mtry` variables, one that is often beaten by others is hidden by them:
#' its importance falls with `mtry`, though it may be as informative (Louppe et al. 2013, section 4). A
#' forest is grown for each value, all else equal.
#'
#' @param x A forest, whose settings and data are used; or a data frame or matrix of inputs.
#' @param formula,data,y,weights,cluster As of [wald()].
#' @param measure Name of a global measure of training or out-of-bag rows.
#' @param mtry The values; all of up to 12 variables, else 1, 2, 4, ... and all, unless given.
#' @param groups As of [importance()].
#' @param settings Settings of the measure, a list.
#' @param num.threads,progress As of [wald()].
#' @param ... Of formulas and tables, the arguments above and the settings of forests of [wald()]; of
#'   `plot()`, further arguments of [graphics::matplot()].
#'
#' @return A data frame of class `wald_masking` with a line for each value and variable: `mtry`,
#'   `variable`, `value` and `standard_error`. Its `plot()` has a line for each variable.
#'
#' @examples
#' found <- masking(y ~ ., simulate_design("friedman_1", 80, seed = 1), mtry = c(1, 3, 10),
#'                  num.trees = 30, num.threads = 2)
#' found
#' plot(found)
#' @export
masking <- function(x, ...) UseMethod("masking")

#' @rdname masking
#' @export
masking.wald <- function(x, measure = "mdi", mtry = NULL, groups = NULL, settings = list(), ...,
                         num.threads = NULL, progress = NULL) {
  refuse_further(...)
  config <- settings_of(x)
  asked <- list(
    measure = checked_measures(text("measure", measure)), settings = settings_of_measures(x, settings),
    groups = checked_groups(groups),
    mtry = if (!is.null(mtry)) vapply(mtry, function(size) whole("mtry", size, least = 1), 0))
  found <- checked(.Call(wrap__measure_masking, native_data(x), config, asked,
                       work(num.threads, progress, "growing forests")))
  structure(as_frame(found$frame), class = c("wald_masking", "data.frame"), found = found$document)
}

#' @rdname masking
#' @export
masking.formula <- function(formula, data, ..., weights = NULL, cluster = NULL) {
  if (missing(formula)) return(again_with(masking.formula, match.call()))
  refuse_subset(match.call(expand.dots = FALSE), "masking")
  of_formula(masking.wald, formula, data,
             given_as(substitute(weights), weights, data, parent.frame(), "weights"),
             given_as(substitute(cluster), cluster, data, parent.frame(), "cluster"), list(...))
}

#' @rdname masking
#' @export
masking.default <- function(x, y, ..., weights = NULL, cluster = NULL) {
  if ("formula" %in% ...names()) return(again_with(masking.formula, match.call()))
  of_columns(masking.wald, x, y, weights, cluster, list(...))
}

# Values with a line for each variable and a column for each mtry. Every value goes to its own place: lines
# may have been left out or sorted.
masking_table <- function(found) {
  mtry <- sort(unique(found$mtry))
  variables <- unique(found$variable)
  table <- matrix(NA_real_, length(variables), length(mtry), dimnames = list(variables, mtry))
  table[cbind(match(found$variable, variables), match(found$mtry, mtry))] <- found$value
  table
}

#' @export
print.wald_masking <- function(x, digits = 4, ...) {
  found <- attr(x, "found")
  cat(found$measure, " (", found$unit, ") by mtry\n", sep = "")
  table <- masking_table(x)
  if (nrow(table) > 0) table <- table[ranking(table[, 1]), , drop = FALSE]
  print(rounded(table, digits), digits = digits)
  invisible(x)
}

#' @rdname masking
#' @export
plot.wald_masking <- function(x, ...) {
  refuse_empty(x)
  found <- attr(x, "found")
  table <- masking_table(x)
  mtry <- as.double(colnames(table))
  colours <- grDevices::hcl.colors(nrow(table), "Dark 3")
  # Room for the names, at the right of the lines.
  right <- max(mtry) + 0.04 * nchar(rownames(table)) * (max(mtry) - min(mtry) + 1)
  graphics::matplot(mtry, t(table), type = "b", pch = 19, lty = 1, col = colours,
                    xlim = range(mtry, right), xaxt = "n", xlab = "mtry", ylab = found$unit,
                    main = found$measure, ...)
  graphics::axis(1, mtry)
  # A name stands beside the last value of its line.
  last <- apply(table, 1, function(values) utils::tail(values[!is.na(values)], 1))
  places <- apart(last, graphics::strheight("M") * 1.3)
  graphics::text(max(mtry), places, rownames(table), pos = 4, col = colours)
  invisible(x)
}

# Places of labels beside points, from the lowest up, none nearer to the next than a line's height.
apart <- function(places, height) {
  order <- order(places)
  for (i in seq_along(order)[-1]) {
    places[order[i]] <- max(places[order[i]], places[order[i - 1]] + height)
  }
  places
}
