# Methods of generics of stats.

#' Fitted values and residuals of a forest
#'
#' Both are of out-of-bag predictions, as those of ranger and randomForest are: every row is predicted by the trees
#' that did not see it, since a forest nearly repeats the targets of the rows that it saw.
#'
#' @param object,formula,x A forest with its training data.
#' @param type `"response"`: the target minus the fitted values.
#' @param ... Of `update()` arguments of [wald()] to be changed; not used by the others.
#'
#' @details
#' `coef()` is an error: a forest has no coefficients, and NULL, which R returns for models that do not know better,
#' would pass for a model without effects. So is `deviance()`: out-of-bag errors are not of the fit that a deviance
#' is of.
#'
#' @return `fitted()` returns what [predict.wald()] returns without `newdata`: numbers, or a factor of classes.
#'   `residuals()` returns the target minus the fitted values, and is an error for classes, between which there is
#'   no difference. Both are NA for rows that all trees saw. `nobs()` returns the number of rows, `formula()` and
#'   `terms()` the formula with the columns that `.` stood for, `variable.names()` and `labels()` the names of the
#'   inputs, and `model.frame()` a data frame of the target, the inputs, and weights and clusters where there are any.
#'   `update()` returns the forest that the call with other arguments grows.
#'
#' @seealso [predict.wald()] for other rows
#' @examples
#' fit <- wald(mpg ~ ., mtcars, num.trees = 100, num.threads = 2)
#' plot(fitted(fit), residuals(fit))
#' all.equal(mean(residuals(fit)^2), fit$prediction.error)
#' @export
fitted.wald <- function(object, ...) {
  refuse_further(...)
  if (is.null(object$x)) refuse_without_rows()
  if (is.null(object$predictions)) {
    refuse("measure_error", "the forest does not name the rows that its trees saw",
           "use predict(fit, newdata), which is closer to rows of training than to others")
  }
  stats::predict(object)
}

#' @rdname fitted.wald
#' @export
residuals.wald <- function(object, type = "response", ...) {
  refuse_further(...)
  if (!identical(type, "response")) {
    refuse_setting(paste0("type is ", shown(type), ", and residuals of a forest are those of the response only"),
                   "leave it out, or give \"response\"", setting = "type")
  }
  if (object$task != "regression") {
    refuse("data_error", paste0("the target ", quoted(object$target), " is a class, which has no residuals"),
           "compare fitted() with it, or read the confusion matrix of summary()", column = object$target)
  }
  fitted <- stats::fitted(object)
  engine_column(object$y, object$target) - fitted
}

# Unlike the other generics here, R knows this one only where stats is imported.
#' @rdname fitted.wald
#' @importFrom stats nobs
#' @export
nobs.wald <- function(object, ...) {
  if (is.null(object$num.samples)) refuse_without_rows()
  object$num.samples
}

# Needs the call that has grown the forest.
#' @rdname fitted.wald
#' @importFrom stats update
#' @export
update.wald <- function(object, ...) {
  if (is.null(object$call)) {
    if (object$program != "wald") {
      refuse_data(paste0("a forest of ", object$program, " cannot be grown again by update()"),
                  "update that forest, and take it over again by as_wald()")
    }
    refuse_data("the file of a forest does not hold the call that has grown it", "grow it again by wald()")
  }
  NextMethod()
}

# With the columns that . stands for, so that update() can leave one out without the data.
#' @rdname fitted.wald
#' @export
formula.wald <- function(x, ...) {
  if (is.null(x$formula) && x$program != "wald") {
    refuse_data(paste0("the formula of a forest of ", x$program, " is not taken over"), "read it from that forest")
  }
  if (is.null(x$formula)) {
    refuse_data("the forest was not grown by a formula, or was read from a file, which holds none",
                "give x and y again")
  }
  formula <- x$formula
  formula[[3]] <- Reduce(function(one, other) call("+", one, other), lapply(names(x$x), as.name))
  formula
}

#' @rdname fitted.wald
#' @export
terms.wald <- function(x, ...) stats::terms(stats::formula(x))

#' @rdname fitted.wald
#' @export
coef.wald <- function(object, ...) {
  refuse("measure_error", "a forest has no coefficients",
         "measure its variables by importance(), or see what they do to predictions by explain()")
}

#' @rdname fitted.wald
#' @export
deviance.wald <- function(object, ...) {
  refuse("measure_error", "a forest has no deviance: it is fitted by no likelihood",
         "fit$prediction.error is its out-of-bag error, and fit$errors has those by several losses")
}

#' @rdname fitted.wald
#' @importFrom stats variable.names
#' @export
variable.names.wald <- function(object, ...) names(object$levels)

#' @rdname fitted.wald
#' @export
labels.wald <- function(object, ...) names(object$levels)

#' @rdname fitted.wald
#' @export
model.frame.wald <- function(formula, ...) {
  fit <- formula
  if (is.null(fit$x)) refuse_without_rows()
  apart <- stats::setNames(list(fit$weights, fit$cluster),
                           c(name_apart(fit, "weights"), name_apart(fit, "cluster")))
  # One column may be weights and clusters, or the target as well.
  apart <- apart[!vapply(apart, is.null, NA) & !names(apart) %in% c(names(fit$x), fit$target)]
  apart <- apart[!duplicated(names(apart))]
  columns <- c(stats::setNames(list(fit$y), fit$target), as.list(fit$x), apart)
  structure(columns, class = "data.frame", row.names = attr(fit$x, "row.names"))
}

# The name of the column that weights or clusters were, or as model.frame() calls what was none.
name_apart <- function(fit, argument) {
  name <- fit$apart[[argument]]
  if (is.null(name)) paste0("(", argument, ")") else name
}

refuse_without_rows <- function() {
  refuse("measure_error", "the forest was read without its training data", "give x and y to read_wald()")
}
