#' Measure forests that other packages have grown
#'
#' Nothing is grown again: trees, thresholds and bags are taken over as they are, so that every measure
#' applies to the forest that you already have.
#'
#' @param x A forest of [ranger::ranger()] with `keep.inbag = TRUE`, of
#'   [randomForest::randomForest()] with `keep.inbag = TRUE`, of randomForestSRC's `rfsrc()` with
#'   `membership = TRUE`, of [party::cforest()] or of `partykit::cforest()`.
#' @param data The data frame on which it was grown, with the target; party, partykit and
#'   randomForestSRC store it.
#' @param y The target, where `data` has inputs only.
#' @param ... Not used.
#'
#' @details
#' ranger's impurity importance and randomForest's `IncNodePurity` and `MeanDecreaseGini` are
#' `importance(fit, "mdi")` times the number of draws of a tree, unless the forest was grown by weights of
#' classes (`class.weights`, `classwt`), by the split rules `"maxstat"`, `"beta"`, `"poisson"` or
#' `"hellinger"`, or with `regularization.factor`: these change what their importances count, and here
#' decreases of variance or of Gini impurity are measured. With `corr.bias = TRUE` of randomForest
#' predictions and their errors are those without the correction, and with `cutoff` classes are those with
#' most votes. A warning of class `wald_taken_over_warning` names such an argument. Case weights of the
#' target are not stored by these programs, and survival forests are refused. Of randomForestSRC, out-of-bag predictions
#' that are not those of the forest itself are an error: its importances are permutations, which nothing
#' else could be compared with. partykit sends levels that no
#' row of a node had to a side at random; here they go right. Without bags, measures of out-of-bag rows are
#' refused.
#'
#' @return A forest of class `wald`, for [importance()], [explain()], [report()] and the others; those
#'   that would grow further forests refuse it.
#'
#' @examples
#' if (requireNamespace("ranger", quietly = TRUE)) {
#'   grown <- ranger::ranger(mpg ~ ., mtcars, num.trees = 50, keep.inbag = TRUE, num.threads = 2)
#'   fit <- as_wald(grown, mtcars)
#'   importance(fit, "sobol_mda", num.threads = 2)
#' }
#' @export
as_wald <- function(x, ...) UseMethod("as_wald")

#' @rdname as_wald
#' @export
as_wald.ranger <- function(x, data, y = NULL, ...) {
  refuse_further(...)
  data <- as_columns(data, "data")
  names <- x$forest$independent.variable.names
  check_columns(names, data)
  warn_of_ranger(x)
  taken_over(names, data, y, target_of_call(x$call, names, data), written(wald_from_ranger(x, data)),
             "ranger")
}

warn_of_ranger <- function(x) {
  # Their decreases are neither those of variance nor of Gini impurity.
  if (isTRUE(x$splitrule %in% c("maxstat", "beta", "poisson", "hellinger"))) {
    warn_of_other(paste0("splitrule = ", quoted(x$splitrule)), "ranger's impurity importance is not its mdi")
  }
  for (name in intersect(c("class.weights", "regularization.factor"), given_in(x$call))) {
    warn_of_other(name, "ranger's impurity importance is not its mdi")
  }
}

warn_of_random_forest <- function(x) {
  given <- given_in(x$call)
  if ("classwt" %in% given) warn_of_other("classwt", "MeanDecreaseGini is not its mdi")
  if ("cutoff" %in% given) warn_of_other("cutoff", "classes are those with most votes here")
  # Coefficients of the correction.
  if (!is.null(x$coefs)) {
    warn_of_other("corr.bias = TRUE", "predictions and out-of-bag errors are those without the correction")
  }
}

# Names of the arguments of a call that are not NULL.
given_in <- function(call) names(Filter(Negate(is.null), as.list(call)))

warn_of_other <- function(argument, what) {
  message <- paste0("the forest was grown with ", argument, ": ", what, "; ?as_wald")
  warning(structure(class = c("wald_taken_over_warning", "warning", "condition"),
                    list(message = message, call = caller())))
}

#' @rdname as_wald
#' @export
as_wald.randomForest <- function(x, data, y = NULL, ...) {
  refuse_further(...)
  data <- as_columns(data, "data")
  names <- names(x$forest$ncat)
  check_columns(names, data)
  target <- if (!is.null(x$terms)) all.vars(x$terms)[1]
  warn_of_random_forest(x)
  taken_over(names, data, y, target, written(wald_from_randomforest(x)), "randomForest")
}

#' @rdname as_wald
#' @export
as_wald.rfsrc <- function(x, ...) {
  refuse_further(...)
  document <- written(wald_from_rfsrc(x))
  fit <- taken_over(x$xvar.names, as_columns(as.data.frame(x$xvar)), x$yvar, x$yvar.names, document,
                    "randomForestSRC")
  check_predictions(fit, x$predicted.oob)
  fit
}

# Out-of-bag predictions must be those that the forest came with, where it came with any.
check_predictions <- function(fit, theirs) {
  if (is.null(theirs)) return(invisible())
  if (fit$task == "classification") theirs <- theirs[, colnames(fit$predictions), drop = FALSE]
  ours <- as.vector(fit$predictions)
  theirs <- as.vector(theirs)
  known <- !is.na(ours) & !is.na(theirs)
  if (length(ours) == length(theirs) && isTRUE(all.equal(ours[known], theirs[known]))) {
    return(invisible())
  }
  refuse_data(paste0("the forest of ", fit$program, " predicts other values than it came with"),
              "please report it with the version of the package that grew it")
}

#' @rdname as_wald
#' @export
as_wald.RandomForest <- function(x, ...) {
  refuse_further(...)
  inputs <- x@data@get("input")
  target <- x@responses@variables
  taken_over(names(inputs), as_columns(inputs), target[[1]], names(target),
             written(wald_from_party(x)), "party")
}

#' @rdname as_wald
#' @export
as_wald.cforest <- function(x, ...) {
  refuse_further(...)
  document <- written(wald_from_partykit(x))
  target <- names(x$data)[attr(x$terms, "response")]
  taken_over(wald_partykit_inputs(x), as_columns(as.data.frame(x$data)), x$data[[target]], target,
             document, "partykit")
}

#' @rdname as_wald
#' @export
as_wald.default <- function(x, ...) {
  refuse_data(paste("x is", shown(x)),
              paste("give a forest of ranger, randomForest, randomForestSRC, party or partykit;",
                    "read_wald() reads wald-forest JSON"))
}

# What a conversion has written; its refusals as conditions.
written <- function(document) {
  tryCatch(document, error = function(error) {
    refuse_data(paste0("the forest cannot be taken over: ", conditionMessage(error)), "")
  })
}

check_columns <- function(names, data) {
  missing <- setdiff(names, names(data))
  if (length(missing) > 0) {
    refuse_data(paste0("data has no column ", quoted(missing[1]), ", which the forest knows"),
                "give the data frame on which it was grown", column = missing[1])
  }
}

# ranger does not keep the name of the target: it is in the formula of the call, or the only column
# that is no input.
target_of_call <- function(call, names, data) {
  formula <- Filter(function(argument) is.call(argument) && identical(argument[[1]], quote(`~`)),
                    as.list(call))
  if (length(formula) > 0 && is.name(formula[[1]][[2]])) return(as.character(formula[[1]][[2]]))
  named <- call$dependent.variable.name
  if (is.character(named)) return(named)
  others <- setdiff(names(data), names)
  if (length(others) == 1) others
}

# The forest of JSON on the columns that it knows.
taken_over <- function(names, data, y, target, document, program) {
  if (is.null(y)) {
    if (length(target) != 1 || !target %in% names(data)) {
      refuse_data("data has no target", "give it as y", column = target)
    }
    y <- data[[target]]
  }
  document <- charToRaw(enc2utf8(document))
  forest_of_bytes(document, data[names], y, program = program, target = target)
}
