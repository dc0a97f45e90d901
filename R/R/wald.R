#' Grow a random forest
#'
#' Defaults follow ranger: 500 trees, the square root of the number of variables tried at each node,
#' bootstrap samples. Equal data, settings and seed give equal numbers for any number of threads, on
#' the command line and in Python, too; R's random number generator has no influence.
#'
#' @param formula A formula such as `y ~ .`, `y ~ a + b` or `y ~ . - c`.
#' @param x A data frame or matrix of inputs.
#' @param data A data frame or tibble with the columns of the formula.
#' @param y The target: a factor, texts or logicals for classification, numbers for regression, also where there are
#'   two of them, such as 0 and 1, which `print()` notes.
#' @param num.trees Number of trees.
#' @param mtry Variables tried at each node; the square root of their number unless given.
#' @param min.node.size Only nodes with more draws than this are split; 5 for regression and 1 for
#'   classification unless given.
#' @param min.bucket Minimum number of draws in a child.
#' @param max.depth Maximum depth of a leaf, the root having depth 0.
#' @param replace Whether trees draw rows with replacement.
#' @param sample.fraction Number of draws as a fraction of the rows; 1 with replacement and 0.632
#'   without unless given.
#' @param splitting How nodes are split: `"best"`, `"random_threshold"` (Extra-Trees), `"multiway"` (a
#'   child per level) or `"conditional"` (conditional inference trees).
#' @param weights Case weights, which multiply impurity, leaf values and losses (ranger's
#'   `case.weights` are another thing: probabilities of being drawn). With a formula also a column of
#'   `data`, with or without quotes, which is no input then.
#' @param cluster For each row what it belongs to, such as a patient: rows of one cluster are in the bag
#'   of a tree together or out of it together. With a formula also a column.
#' @param seed Seed of all random numbers, a whole number.
#' @param num.threads Number of threads; all processors unless given. Results do not depend on it.
#' @param progress Whether to show progress after two seconds; in interactive sessions unless given.
#'   `suppressMessages()` hides it.
#' @param ... Of the formula method, all that follows `y` in the other one; of both, the further settings
#'   below.
#'
#' @section Further settings:
#' Those of the command line, by the same names:
#' * `sampling`: `"bootstrap"`, `"subsample"` or `"all"` rows for a tree; `stratify`: the same number of
#'   draws from every class.
#' * `subspace`: number of variables drawn for each tree; `mtry_one_probability`: the probability that a node
#'   tries one variable only; `constant_draws`: `"leaf"`, as in ranger, or `"search"` for further variables
#'   where all that were drawn are constant.
#' * `impurity`: `"variance"`, `"poisson"` or `"absolute_error"` of numbers, `"gini"` or `"entropy"` of classes;
#'   `min_impurity_decrease`, `min_child_fraction`, `min_weight_fraction_leaf`: what a split must reach.
#' * `class_weight`: `"equal"`, or `"balanced_subsample"` for the same weight of all classes in every tree.
#' * `increasing`, `decreasing`: names of columns with which predictions must not decrease, or not increase; of
#'   two classes, the probability of the second one, as the levels of the target have it.
#' * `max_leaf_nodes`: most leaves of a tree; `ccp_alpha`: minimal cost-complexity pruning.
#' * `max_bins`: approximate splits for tables of millions of rows, on 2 to 255 bins.
#' * `min_criterion`, `p_values` (`"univariate"` or `"bonferroni"`): of conditional splitting; `split_pure`:
#'   of multiway splitting.
#' * `first_tree`: number of trees of this seed that are left out, because they are grown elsewhere.
#'
#' @details
#' Factors, texts and logicals are categories; the order of a factor's levels has no influence, but
#' on which of two classes `increasing` and `decreasing` are about.
#' Missing values are allowed in inputs: every split learns a side for them. Where a factor has a level for them,
#' as `addNA()` adds, they are a category of their own, which is called `<NA>`. New rows may have them either way:
#' what decides is how the training data had them. Dates, lists and matrices in columns are refused.
#'
#' Columns that the left side of a formula reads are no inputs of `.`, whichever way they are written: `log(y)`,
#' `data$y`, `data[["y"]]` or `get("y")`. A vector of the workspace hides no column of another name. Where an input
#' equals the target, a warning of class `wald_target_warning` names its column.
#'
#' The result keeps the training data, which measures need. `saveRDS()` and `readRDS()` work, and so
#' does `parallel::mclapply()`: no threads outlive a call.
#'
#' Work that needs more memory than is free is refused before it begins, by an error of class
#' `wald_too_large_error` that says what would make it smaller. `options(wald.memory = 8e9)` sets the
#' bytes that count as free; unless it is set, they are what Linux reports, and elsewhere nothing is refused.
#'
#' @return An object of class `wald`: a list with `predictions` (of each row by the trees that did not
#'   see it; of classes a matrix of proportions), `prediction.error` (mean squared error, or share of
#'   wrong classes), `errors` (by several losses), `call`, `settings` and the data.
#'
#' @seealso [importance()], [explain()], [predict.wald()], [report()]
#' @examples
#' fit <- wald(mpg ~ ., mtcars, num.trees = 100, num.threads = 2)
#' fit
#' importance(fit, "sobol_mda", num.threads = 2)
#'
#' wald(iris[-5], iris$Species, num.trees = 50, num.threads = 2)
#' @export
wald <- function(x, ...) UseMethod("wald")

#' @rdname wald
#' @export
wald.formula <- function(formula, data, ..., weights = NULL, cluster = NULL) {
  if (missing(formula)) return(again_with(wald.formula, match.call()))
  refuse_subset(match.call(expand.dots = FALSE), "wald")
  weights <- given_as(substitute(weights), weights, data, parent.frame(), "weights")
  cluster <- given_as(substitute(cluster), cluster, data, parent.frame(), "cluster")
  apart <- c(weights = column_name(weights), cluster = column_name(cluster))
  parts <- parts_of_forest(parts_of_formula(formula, data, apart), "data")
  fit <- grow(parts, column_of(data, weights, "weights"), column_of(data, cluster, "cluster"),
              settings_of_forest(list(...)))
  fit$formula <- formula
  fit$derived <- parts$derived
  fit$environment <- environment(formula)
  fit$call <- match.call()
  fit$call[[1]] <- quote(wald)
  fit
}

#' @rdname wald
#' @export
wald.default <- function(x, y, ..., num.trees = 500, mtry = NULL, min.node.size = NULL, min.bucket = 1,
                         max.depth = NULL, replace = TRUE, sample.fraction = NULL, splitting = "best",
                         weights = NULL, cluster = NULL, seed = 0, num.threads = NULL,
                         progress = NULL) {
  if ("formula" %in% ...names()) return(again_with(wald.formula, match.call()))
  if (missing(x)) refuse_setting("x is missing", "give the inputs, or a formula", setting = "x")
  if (is.character(x) && length(x) == 1 && grepl("~", x, fixed = TRUE)) {
    refuse_setting(paste0("the formula is a text, ", quoted(x)), "leave out the quotes, or use as.formula()",
                   setting = "formula")
  }
  if (missing(y)) refuse_setting("y is missing", "give the target, or a formula", setting = "y")
  if (inherits(y, "formula")) {
    refuse_setting("y is a formula", "give the formula first, and then the data: wald(formula, data)", setting = "y")
  }
  given <- as.list(environment())
  # What is not given is the engine's own default.
  named <- given[intersect(names(match.call()), names(forest_arguments()))]
  parts <- parts_of_forest(parts_of_columns(x, y), "x")
  fit <- grow(parts, weights, cluster, settings_of_forest(c(named, list(...))))
  fit$call <- match.call()
  fit$call[[1]] <- quote(wald)
  fit
}

# Grows a forest of parts of a formula.
grow <- function(parts, weights, cluster, asked) {
  fit <- with_data(list(), parts, weights, cluster)
  fit$settings <- with_trends_of_levels(asked$config, fit)
  fit$notes <- note_of_target(fit)
  data <- native_data(fit)
  found <- checked(.Call(wrap__grow_forest, data, fit$settings,
                       work(asked$num.threads, asked$progress, "growing trees")))
  fit$native$forest <- found$forest
  fit$model <- model_file(fit$native$forest)
  fit$program <- "wald"
  finished(with_out_of_bag(fit, found$out_of_bag))
}

# What was taken for granted of a target of two numbers, which may be classes.
note_of_target <- function(fit) {
  different <- if (fit$task == "regression") sort(unique(engine_column(fit$y, fit$target)))
  if (length(different) != 2) return(NULL)
  paste0("regression was chosen because the target ", quoted(fit$target), " holds numbers, of which there are two, ",
         paste(exact_text(different), collapse = " and "), "; factor(",
         if (make.names(fit$target) == fit$target) fit$target else "y", ") treats them as classes")
}

# The fields that follow from a forest that is there.
finished <- function(fit) {
  known <- checked(.Call(wrap__describe_forest, native_forest(fit)))
  fit$num.trees <- known$n_trees
  fit$num.independent.variables <- length(fit$levels)
  fit$num.samples <- nrow(fit$x)
  fit$has_bags <- known$has_bags
  fit$num.threads <- NULL
  structure(fit, class = "wald")
}

# Out-of-bag predictions and errors, in R's order of classes.
with_out_of_bag <- function(fit, found) {
  fit$predictions <- as_predictions(fit, found$predictions)
  fit$errors <- found$errors
  is_regression <- fit$task == "regression"
  fit$prediction.error <- if (is_regression) found$errors$squared else found$errors$zero_one
  fit$r.squared <- found$errors$explained_variance
  fit$confusion <- confusion(fit, found$errors$confusion)
  fit$convergence <- structure(found$convergence, dimnames = list(NULL, c("trees", "error")))
  fit$mean_leaves <- found$mean_leaves
  fit$mean_depth <- found$mean_depth
  fit
}

as_predictions <- function(fit, matrix) {
  if (fit$task == "regression") return(as.vector(matrix))
  colnames(matrix) <- fit$classes
  matrix[, class_places(fit, fit$classes), drop = FALSE]
}

confusion <- function(fit, counts) {
  if (is.null(counts)) return(NULL)
  counts <- do.call(rbind, counts)
  dimnames(counts) <- list(true = fit$classes, predicted = fit$classes)
  places <- class_places(fit, fit$classes)
  counts[places, places, drop = FALSE]
}

# Classes that rows have, in the order of the target's levels.
class_levels <- function(fit) {
  order <- if (is.factor(fit$y)) levels(fit$y) else fit$classes
  intersect(order, fit$classes)
}

# Where these are among the classes. No name of R finds a class without letters.
class_places <- function(fit, classes) match(class_levels(fit), classes)
