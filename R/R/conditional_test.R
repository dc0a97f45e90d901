#' Test whether each variable adds to what the others explain
#'
#' The null hypothesis is that the target does not depend on the variable given all others. Forests are
#' grown on the rows outside of each fold and judged by the rows inside. The value is an estimate of the
#' total Sobol index, as `"sobol_mda"` is, with an error over rows instead of trees.
#'
#' @param x A forest, whose settings and data are used; or a data frame or matrix of inputs.
#' @param formula,data,y,weights,cluster As of [wald()].
#' @param method `"sobol_cpi"`: predictions with values of the variable that are drawn given the others
#'   (Reyero Lobo, Neuvial & Thirion 2025). `"loco"`: forests grown with its values shuffled, which are judged on
#'   other rows than the full ones and have less power (Williamson et al. 2023).
#' @param draws Values drawn for each row by `"sobol_cpi"`; 10 unless given.
#' @param folds Folds of the cross-fitting; rows of one cluster stay together.
#' @param confidence The probability with which each interval covers.
#' @param multiple_testing How p-values are corrected: `"holm"`, `"benjamini_hochberg"` or `"none"`.
#' @param groups As of [importance()]: the columns of a group are tested together.
#' @param num.threads,progress As of [wald()].
#' @param ... Of formulas and tables, the arguments above and the settings of forests of [wald()].
#'
#' @return A data frame of class `wald_conditional` with a line for each variable: `value`,
#'   `standard_error` (over rows), `low`, `high`, `p_value` (one-sided) and `adjusted_p_value`.
#'
#' @examples
#' data <- simulate_design("friedman_1", 120, seed = 1)[c("x1", "x4", "x9", "y")]
#' conditional_test(y ~ ., data, num.trees = 30, num.threads = 2)
#' @export
conditional_test <- function(x, ...) UseMethod("conditional_test")

#' @rdname conditional_test
#' @export
conditional_test.wald <- function(x, method = c("sobol_cpi", "loco"), draws = NULL, folds = 5,
                                  confidence = 0.9, multiple_testing = "holm", groups = NULL, ...,
                                  num.threads = NULL, progress = NULL) {
  refuse_further(...)
  config <- settings_of(x)
  asked <- list(
    method = chosen("method", method, c("sobol_cpi", "loco")),
    draws = optional_whole("draws", draws, least = 1), folds = whole("folds", folds, least = 2),
    confidence = probability("confidence", confidence),
    multiple_testing = correction(multiple_testing), groups = checked_groups(groups))
  found <- checked(.Call(wrap__test_conditionally, native_data(x), config, asked,
                       work(num.threads, progress, "growing forests")))
  structure(as_frame(found$frame), class = c("wald_conditional", "data.frame"),
            found = found$document, notes = unlist(found$notes))
}

#' @rdname conditional_test
#' @export
conditional_test.formula <- function(formula, data, ..., weights = NULL, cluster = NULL) {
  if (missing(formula)) return(again_with(conditional_test.formula, match.call()))
  refuse_subset(match.call(expand.dots = FALSE), "conditional_test")
  of_formula(conditional_test.wald, formula, data,
             given_as(substitute(weights), weights, data, parent.frame(), "weights"),
             given_as(substitute(cluster), cluster, data, parent.frame(), "cluster"), list(...))
}

#' @rdname conditional_test
#' @export
conditional_test.default <- function(x, y, ..., weights = NULL, cluster = NULL) {
  if ("formula" %in% ...names()) return(again_with(conditional_test.formula, match.call()))
  of_columns(conditional_test.wald, x, y, weights, cluster, list(...))
}

#' @export
print.wald_conditional <- function(x, digits = 4, ...) {
  found <- attr(x, "found")
  cat("what variables add to the others (", found$method, "), intervals of ", 100 * found$confidence,
      " %\n", sep = "")
  part <- as.data.frame(unclass(x))
  print_table(part[ranking(part$value), ], digits)
  cat("forests on all variables explain", format(found$explained_variance, digits = digits),
      "of the variance of held-out rows\n")
  print_notes(attr(x, "notes"))
  invisible(x)
}
