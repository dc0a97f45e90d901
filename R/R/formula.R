# Formulas: a target, and columns that are its inputs.

# The target and the inputs of a formula: `list(target, y, x, derived)`. Columns that are set `apart` are no
# inputs.
parts_of_formula <- function(formula, data, apart = NULL) {
  if (length(formula) != 3) {
    refuse_data("the formula has no left side", "give one such as y ~ . or y ~ a + b")
  }
  if (missing(data) || is.null(data)) {
    refuse_setting("data is missing", "give the data frame that holds the columns of the formula",
                   setting = "data")
  }
  data <- as_columns(data, "data")
  left <- formula[[2]]
  y <- target_of_formula(left, data, environment(formula))
  others <- setdiff(names(data), c(all.vars(left), apart))
  names <- inputs_of_formula(formula[[3]], others, names(data))
  if (length(names) == 0) {
    refuse_data("the formula names no inputs", "give at least one column on its right side")
  }
  list(target = if (is.name(left)) as.character(left) else deparse1(left), y = y, x = data[names],
       derived = derived_target(left))
}

# With the columns that . stands for, so that update() can leave one out without the data.
#' @export
formula.wald <- function(x, ...) {
  if (is.null(x$formula)) refuse_data("the forest was not grown by a formula", "give x and y again")
  formula <- x$formula
  formula[[3]] <- Reduce(function(one, other) call("+", one, other), lapply(names(x$x), as.name))
  formula
}

# The same of inputs and a target without a name.
parts_of_columns <- function(x, y) {
  x <- as_columns(x)
  list(target = free_name(names(x)), y = y, x = x)
}

# The name of a target that has none: "y", unless an input is called so.
free_name <- function(names) utils::tail(make.unique(c(names, "y")), 1)

target_of_formula <- function(left, data, environment) {
  if (is.name(left) && !as.character(left) %in% names(data)) {
    name <- as.character(left)
    if (!exists(name, envir = environment, mode = "numeric")) {
      refuse_data(paste0("data has no column ", quoted(name), ", which the formula names"),
                  did_you_mean(name, names(data), "give one of its columns"), column = name)
    }
  }
  y <- tryCatch(eval(left, data, environment), error = function(error) {
    refuse_data(paste0("the left side of the formula, ", deparse1(left), ", cannot be computed: ",
                       conditionMessage(error)), "make it a column of data")
  })
  if (length(dim(y)) > 1 && ncol(y) != 1) {
    refuse_data(paste0("the left side of the formula, ", deparse1(left), ", holds ", ncol(y), " columns"),
                "grow a forest for each of them")
  }
  if (length(y) != nrow(data) && !is.data.frame(y)) {
    refuse_data(paste("the left side of the formula has", counted(length(y), "value"), "for",
                      counted(nrow(data), "row")), "make it a column of data")
  }
  y
}

# Names of columns: `a + b`, `.`, and `. - c`. Trees find interactions and transformations themselves.
inputs_of_formula <- function(right, others, known) {
  if (is.name(right)) {
    name <- as.character(right)
    if (name == ".") return(others)
    if (name %in% known) return(name)
    refuse_data(paste0("data has no column ", quoted(name), ", which the formula names"),
                did_you_mean(name, known, "give one of its columns"), column = name)
  }
  inputs <- function(part) inputs_of_formula(part, others, known)
  operator <- if (is.call(right)) as.character(right[[1]])[1] else ""
  if (operator == "(") return(inputs(right[[2]]))
  if (operator == "+" && length(right) == 2) return(inputs(right[[2]]))
  if (operator == "+") return(union(inputs(right[[2]]), inputs(right[[3]])))
  if (operator == "-" && length(right) == 3) {
    # Forests have no intercept that could be left out.
    if (identical(right[[3]], 1)) return(inputs(right[[2]]))
    return(setdiff(inputs(right[[2]]), inputs(right[[3]])))
  }
  if (operator %in% c(":", "*", "^", "%in%")) {
    refuse_data(paste0("the formula has the interaction ", deparse1(right)),
                "trees find interactions themselves: join the columns by +")
  }
  if (identical(right, 1) || identical(right, 0)) return(character())
  refuse_data(paste0("the formula has the term ", deparse1(right), ", which is no column"),
              "make it a column of data before, and name that")
}

# Weights and clusters as they are written: a column of data before anything of that name elsewhere, as in
# other functions with formulas, or values.
given_as <- function(expression, data, frame, argument) {
  columns <- tryCatch(as.list(as.data.frame(data)), error = function(error) list())
  if (is.name(expression) && as.character(expression) %in% names(columns)) {
    return(as.character(expression))
  }
  tryCatch(eval(expression, columns, frame), error = function(error) {
    refuse_setting(paste0(argument, " cannot be computed: ", conditionMessage(error)),
                   "give one value for each row, or a column of data", setting = argument)
  })
}

# No rows are left out: other functions with formulas compute subset with the columns of data.
refuse_subset <- function(call, name) {
  if ("subset" %in% names(call$...)) {
    refuse_setting(paste0(name, "() has no argument \"subset\""),
                   "give the rows themselves, for example data[data$year > 2000, ]", setting = "subset")
  }
}

# Weights and clusters are given as vectors, or by the name of a column.
column_name <- function(given) if (is.character(given) && length(given) == 1) given

column_of <- function(data, given, argument) {
  name <- column_name(given)
  if (is.null(name)) return(given)
  if (name %in% names(data)) return(data[[name]])
  refuse_data(paste0("data has no column ", quoted(name), ", which ", argument, " names"),
              did_you_mean(name, names(data), "give one of its columns"), column = name)
}

# A call with the method for formulas, where arguments have names or an order by which another method was
# found: of the two arguments, x is the one that has no name of its own.
again_with <- function(method, call) {
  names <- names(call)
  if (!any(c("x", "formula") %in% names)) {
    refuse_setting("formula is missing", "give one such as y ~ . as the first argument", setting = "formula")
  }
  names(call)[names == "x"] <- if ("formula" %in% names) "data" else "formula"
  call[[1]] <- method
  eval(call, parent.frame(2))
}
