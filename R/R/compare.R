#' Compare importances between two forests
#'
#' Differences, intervals and p-values. Errors include the finite numbers of rows and trees: further
#' forests are grown on parts of the rows of both. Two tables are taken as independent samples; on the
#' same rows, both forests are measured on the same parts, and differences are paired.
#'
#' @param x,other Forests of [wald()], on two tables with the same variables or on the same rows.
#' @param measure Names of one or more global measures, which share all forests.
#' @param confidence The probability with which each interval covers.
#' @param subsamples Forests on parts of the rows of each table; 100 unless given.
#' @param subsample_fraction,subsample_trees As of [uncertainty()].
#' @param multiple_testing How p-values are corrected: `"holm"`, `"benjamini_hochberg"` or `"none"`.
#' @param groups As of [importance()].
#' @param seed,... Settings of the measures, as of [importance()].
#' @param num.threads,progress As of [wald()].
#'
#' @return A data frame of class `wald_comparison` with a line for each measure and variable: `first` and
#'   `second` (the values), `difference` (the second minus the first), `standard_error`, `low`, `high`,
#'   `p_value` (two-sided) and `adjusted_p_value`.
#'
#' @examples
#' before <- simulate_design("friedman_1", 100, seed = 1)
#' after <- simulate_design("friedman_1", 100, seed = 2)
#' after$y <- after$y + 10 * after$x6 # an effect that was not there before
#' first <- wald(y ~ ., before, num.trees = 50, num.threads = 2)
#' second <- wald(y ~ ., after, num.trees = 50, num.threads = 2)
#' compare(first, second, "mdi_oob", subsamples = 10, num.threads = 2)
#' @export
compare <- function(x, ...) UseMethod("compare")

#' @export
compare.default <- function(x, ...) refuse_other_than_forest(x)

#' @rdname compare
#' @export
compare.wald <- function(x, other, measure = "sobol_mda", confidence = 0.9, subsamples = NULL,
                         subsample_fraction = NULL, subsample_trees = NULL, multiple_testing = "holm",
                         groups = NULL, ..., seed = NULL, num.threads = NULL, progress = NULL) {
  if (missing(other)) {
    refuse_setting("other is missing", "give the forest to compare with", setting = "other")
  }
  if (!inherits(other, "wald")) {
    refuse_setting(paste("other is", shown(other)), "give a forest of wald()", setting = "other")
  }
  settings <- settings_of_measures(x, list(...), names(formals(compare.wald)))
  if (!is.null(seed)) settings$seed <- whole("seed", seed)
  asked <- list(
    measures = checked_measures(measure), settings = settings, groups = checked_groups(groups),
    confidence = probability("confidence", confidence),
    subsamples = optional_whole("subsamples", subsamples, least = 2),
    subsample_fraction = optional_number("subsample_fraction", subsample_fraction, above = 0, below = 1),
    subsample_trees = optional_whole("subsample_trees", subsample_trees, least = 1),
    multiple_testing = correction(multiple_testing))
  side <- function(fit) list(forest = native_forest(fit), data = native_data(fit))
  found <- checked(.Call(wrap__compare_forests, side(x), side(other), asked,
                       work(num.threads, progress, "growing forests")))
  structure(as_frame(found$frame), class = c("wald_comparison", "data.frame"),
            found = found$document)
}

#' @export
print.wald_comparison <- function(x, digits = 4, ...) {
  found <- attr(x, "found")
  plain <- as.data.frame(unclass(x))
  for (one in found$measures) {
    cat(one$id, ", ", if (one$is_paired) "paired " else "", "differences, intervals of ",
        100 * found$confidence, " %\n", sep = "")
    part <- plain[plain$measure == one$id, names(plain) != "measure"]
    print_table(part[order(part$p_value), ], digits)
    print_notes(one$notes)
  }
  invisible(x)
}
