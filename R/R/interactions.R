#' Sets of variables that a forest splits on together
#'
#' Random intersection trees (Shah & Meinshausen 2014) intersect paths to leaves of a class, drawn in
#' proportion to the rows in the leaves (Basu, Kumbier, Brown & Yu 2018). What is left is a set of signed
#' variables: `x+` where the path is above the threshold of the first split on `x`, `x-` where it is not.
#' Stability is the share of bootstrap samples of the rows in which the set is found again. Sets of variables
#' that each have an effect of their own come first, also where effects add up, as a note of every result
#' states.
#'
#' @param x A forest of [wald()].
#' @param intersection_trees Number of random intersection trees for each class.
#' @param depth Number of paths that are intersected from the root to a leaf of these trees.
#' @param children Children of each of their nodes.
#' @param min_size Fewest variables of a set.
#' @param min_prevalence Smallest share of the rows in leaves of the class, in leaves whose path contains
#'   the set.
#' @param cut Value of a numeric target that divides leaves by their means, and rows; the median unless
#'   given.
#' @param resamples Bootstrap samples of the rows on which forests are grown and searched anew; 0 for none.
#' @param groups As of [importance()]: the columns of a group are one variable, without a sign.
#' @param seed Of the paths that are drawn, and of the bootstrap samples.
#' @param ... Not used.
#' @param num.threads,progress As of [wald()].
#'
#' @return A data frame of class `wald_interactions` with a line for each set, sorted by prevalence minus
#'   that elsewhere: `class`, `interaction`, `size`, `prevalence` and
#'   `prevalence_elsewhere` (of the rows in leaves of the class, and of the others, the share in leaves
#'   whose path contains the set), `precision` and `precision_without` (of the out-of-bag rows in leaves
#'   whose path contains the set, and of the others, the share of the class), and `stability`. Attribute
#'   `"notes"` holds what to beware of.
#'
#' @examples
#' data <- simulate_design("friedman_1", 200, seed = 1)
#' data$y <- factor(data$x1 > 0.5 & data$x2 > 0.5)
#' fit <- wald(y ~ ., data, num.trees = 50, num.threads = 2)
#' interactions(fit, min_prevalence = 0.3, resamples = 5, num.threads = 2)
#' @export
interactions <- function(x, ...) UseMethod("interactions")

#' @export
interactions.default <- function(x, ...) refuse_other_than_forest(x)

#' @rdname interactions
#' @export
interactions.wald <- function(x, intersection_trees = 500, depth = 5, children = 2, min_size = 2,
                              min_prevalence = 0, cut = NULL, resamples = 30, groups = NULL, ...,
                              seed = 0, num.threads = NULL, progress = NULL) {
  refuse_further(...)
  asked <- list(
    intersection_trees = whole("intersection_trees", intersection_trees, least = 1),
    depth = whole("depth", depth, least = 1), children = whole("children", children, least = 1),
    min_size = whole("min_size", min_size, least = 1),
    min_prevalence = number("min_prevalence", min_prevalence, least = 0, most = 1),
    cut = optional_number("cut", cut), resamples = whole("resamples", resamples), groups = checked_groups(groups),
    seed = whole("seed", seed))
  found <- checked(.Call(wrap__find_interactions, native_forest(x), native_data(x), asked,
                       work(num.threads, progress, "searching forests")))
  structure(as_frame(found$frame), class = c("wald_interactions", "data.frame"),
            found = found$document, notes = unlist(found$notes))
}

#' @export
print.wald_interactions <- function(x, digits = 2, n = 20, ...) {
  found <- attr(x, "found")
  cat("sets of variables on paths to leaves of a class; precision of",
      if (found$out_of_bag) "out-of-bag rows\n" else "rows\n")
  plain <- as.data.frame(unclass(x))
  plain <- plain[names(plain) != "size"]
  if (found$settings$resamples == 0) plain$stability <- NULL
  if (nrow(plain) == 0) {
    cat("no set is found\n")
  } else {
    print(format(utils::head(plain, n), digits = digits), row.names = FALSE)
  }
  if (nrow(plain) > n) cat("... and", nrow(plain) - n, "more\n")
  print_notes(attr(x, "notes"))
  invisible(x)
}
