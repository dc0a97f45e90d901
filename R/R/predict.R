#' Predict with a forest
#'
#' @param object A forest.
#' @param newdata A data frame with the columns of training; out-of-bag predictions of the rows of
#'   training unless given.
#' @param type `"response"` for numbers or classes, `"prob"` for a matrix of proportions of classes,
#'   `"quantiles"` for quantiles of the target (Meinshausen 2006).
#' @param quantiles Levels of quantiles, between 0 and 1.
#' @param new.levels What becomes of levels that were not there in training: `"error"`, or
#'   `"majority"`, with which they go where most rows go at each split, also of forests of other packages, which
#'   send them elsewhere or refuse them.
#' @param num.threads,progress As of [wald()].
#' @param ... Not used.
#'
#' @return A vector of numbers, a factor of classes, or a matrix with a row for each row of
#'   `newdata`. Out-of-bag predictions are NA for rows that all trees saw.
#'
#' @examples
#' fit <- wald(Species ~ ., iris, num.trees = 50, num.threads = 2)
#' predict(fit, iris[c(1, 51, 101), ], num.threads = 2)
#' predict(fit, iris[c(1, 51, 101), ], type = "prob", num.threads = 2)
#' @export
predict.wald <- function(object, newdata = NULL, type = c("response", "prob", "quantiles"),
                         quantiles = c(0.1, 0.5, 0.9), new.levels = c("error", "majority"), ...,
                         num.threads = NULL, progress = NULL) {
  refuse_further(...)
  type <- chosen("type", type, c("response", "prob", "quantiles"))
  new.levels <- chosen("new.levels", new.levels, c("error", "majority"))
  if (type == "prob" && object$task == "regression") {
    refuse_setting("type is \"prob\", but the target is a number", "give \"response\" or \"quantiles\"",
                   setting = "type")
  }
  if (type == "quantiles" && object$task != "regression") {
    refuse_setting("type is \"quantiles\", but the target is a class", "give \"response\" or \"prob\"",
                   setting = "type")
  }
  columns <- if (!is.null(newdata)) new_columns(object, newdata, new.levels, least = 0)
  if (!is.null(newdata) && NROW(newdata) == 0) return(predictions_of_none(object, type, quantiles))
  work <- work(num.threads, progress, "predicting")
  if (type == "quantiles") return(predict_quantiles(object, columns, quantiles, work))
  if (is.null(columns)) {
    if (is.null(object$predictions)) {
      refuse_setting("newdata is missing", "give rows to predict", setting = "newdata")
    }
    if (type == "prob" || object$task == "regression") return(object$predictions)
    return(most_likely(object))
  }
  found <- checked(.Call(wrap__predict_forest, native_forest(object), columns, work))
  if (object$task == "regression") return(found[[1]])
  if (type == "response") return(as_classes(object, found[[1]]))
  as_predictions(object, do.call(cbind, unname(found[-1])))
}

# What is predicted of no rows, as other models of R return it; the engine needs one.
predictions_of_none <- function(object, type, quantiles) {
  none <- function(names) matrix(0, 0, length(names), dimnames = list(NULL, names))
  if (type == "quantiles") return(none(names_of_quantiles(quantiles)))
  if (type == "prob") return(none(class_levels(object)))
  if (object$task == "regression") numeric() else as_classes(object, character())
}

# Names of columns of quantiles, whose levels are checked.
names_of_quantiles <- function(quantiles) {
  if (!is.numeric(quantiles) || length(quantiles) == 0 || anyNA(quantiles) ||
      any(quantiles < 0 | quantiles > 1)) {
    refuse_setting(paste("quantiles is", shown(quantiles)), "give numbers between 0 and 1",
                   setting = "quantiles")
  }
  paste0("quantile= ", quantiles)
}

predict_quantiles <- function(object, columns, quantiles, work) {
  names <- names_of_quantiles(quantiles)
  asked <- list(columns = columns, quantiles = as.double(quantiles))
  found <- checked(.Call(wrap__predict_quantiles, native_forest(object), native_data(object), asked,
                       work))
  # Of rows that all trees saw.
  found[is.nan(found)] <- NA
  colnames(found) <- names
  found
}

# Classes of the rows of training by out-of-bag proportions, equal ones by the order of the engine.
most_likely <- function(object) {
  proportions <- object$predictions[, object$classes, drop = FALSE]
  place <- apply(proportions, 1, function(row) if (anyNA(row)) NA else which.max(row))
  as_classes(object, object$classes[place])
}

# Classes as a factor with the levels of the target, in order where these are.
as_classes <- function(object, classes) {
  levels <- if (is.factor(object$y)) levels(object$y) else object$classes
  factor(classes, levels = levels, ordered = is.ordered(object$y))
}

# One of several words; the first one where the argument is the default.
chosen <- function(name, value, known) {
  if (identical(value, known)) known[1] else word(name, value, known)
}

# Refuses arguments that a method does not have.
refuse_further <- function(...) {
  if (...length() == 0) return(invisible())
  method <- sys.function(sys.parent())
  refuse_argument(...names()[1], setdiff(names(formals(method)), "..."))
}

# Refuses arguments that the function to which they are passed does not have.
refuse_further_of <- function(passed_to, ...) {
  known <- names(formals(passed_to))[-1]
  names <- if (is.null(...names())) rep("", ...length()) else ...names()
  for (name in names[!names %in% known]) refuse_argument(name, known)
}

refuse_argument <- function(name, known) {
  if (is.null(name) || is.na(name) || !nzchar(name)) {
    refuse_setting("there is an argument without a name that is not known", "leave it out")
  }
  # As ranger's method calls it.
  help <- if (name == "data" && "newdata" %in% known) "give newdata"
    else did_you_mean(name, known, "leave it out")
  refuse_setting(paste0("there is an argument ", quoted(name), " that is not known"), help,
                 setting = name)
}
