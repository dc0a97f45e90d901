# Formulas: a target, and columns that are its inputs.

# The target and the inputs of a formula: `list(target, y, x, derived, apart)`. Columns that are set `apart`, as
# weights and clusters are, are no inputs, and neither are those that the target is made of.
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
  found <- target_of_formula(left, data, environment(formula))
  names <- inputs_of_formula(formula[[3]], setdiff(names(data), c(found$columns, apart)), names(data))
  if (length(names) == 0) {
    refuse_data("the formula names no inputs", "give at least one column on its right side")
  }
  # What is computed of two columns, such as a change, may be explained by one of them; of one alone, the target
  # itself would be among its inputs.
  if (length(found$columns) == 1 && found$columns %in% names) {
    refuse_data(paste0("the target ", deparse1(left), " names the column ", quoted(found$columns),
                       ", which is also an input"),
                "leave it out of the right side, or make the target a column of data with a name of its own",
                column = found$columns)
  }
  list(target = if (is.name(left)) as.character(left) else deparse1(left), y = found$y, x = data[names],
       derived = if (is_of_rows(left, data, found$y, environment(formula))) derived_target(left), apart = apart)
}

# The same of inputs and a target without a name.
parts_of_columns <- function(x, y) {
  x <- as_columns(x)
  list(target = free_name(names(x)), y = y, x = x)
}

# The same parts for a forest. Where a whole table is given as inputs, the target is one of them; `table` is the
# argument that they come from.
parts_of_forest <- function(parts, table) {
  warn_of_target(parts$x, parts$y, table)
  parts
}

warn_of_target <- function(x, y, table) {
  plain <- function(of) {
    if (is.factor(of)) return(as.character(of))
    if (!is.numeric(of)) return(as.vector(of))
    # As in engine_column(), but that a warning of large numbers is given there.
    if (inherits(of, "integer64")) suppressWarnings(as.double(of)) else as.double(unclass(of))
  }
  if (length(dim(y)) == 2 && ncol(y) == 1) y <- as.data.frame(y)[[1]]
  if (!is.atomic(y) || length(y) != nrow(x) || length(unique(y)) < 2) return(invisible())
  same <- vapply(x, function(column) is.atomic(column) && identical(plain(column), plain(y)), NA)
  for (name in names(x)[same]) {
    message <- paste0("the column ", quoted(name), " of ", table, " equals the target; leave it out, unless it is an ",
                      "input")
    warning(structure(class = c("wald_target_warning", "warning", "condition"),
                      list(message = message, call = caller())))
  }
}

# The name of a target that has none: "y", unless an input is called so.
free_name <- function(names) utils::tail(make.unique(c(names, "y")), 1)

target_of_formula <- function(left, data, environment) {
  if (is.name(left) && !as.character(left) %in% names(data)) {
    name <- as.character(left)
    value <- get0(name, environment)
    if (is.null(value) || is.function(value)) {
      refuse_data(paste0("data has no column ", quoted(name), ", which the formula names"),
                  did_you_mean(name, names(data), "give one of its columns"), column = name)
    }
  }
  read <- new.env(parent = emptyenv())
  y <- tryCatch(eval(left, columns_that_tell(data, read, environment)), error = function(error) {
    refuse_data(paste0("the left side of the formula, ", deparse1(left), ", cannot be computed: ",
                       conditionMessage(error)), "make it a column of data")
  })
  # A matrix of times and events.
  refuse_survival(y)
  if (length(dim(y)) > 1 && ncol(y) != 1) {
    refuse_data(paste0("the left side of the formula, ", deparse1(left), ", holds ", ncol(y), " columns"),
                "grow a forest for each of them")
  }
  if (length(y) != nrow(data) && !is.data.frame(y)) {
    refuse_data(paste("the left side of the formula has", counted(length(y), "value"), "for",
                      counted(nrow(data), "row")), "make it a column of data")
  }
  # Functions are looked for among the columns, too.
  read <- setdiff(names(read), setdiff(all.names(left), all.vars(left)))
  named <- c(all.vars(left), read, taken_by_place(left, environment))
  columns <- intersect(names(data), named)
  if (is.call(left) && length(columns) == 0) refuse_unknown_source(left, names(data), named, environment)
  list(y = y, columns = columns)
}

# Refuses what a function takes out of a table that has columns of data, unless one of the table is named: it
# cannot be seen which one.
refuse_unknown_source <- function(left, names, named, environment) {
  for (variable in all.vars(left)) {
    table <- get0(variable, environment)
    columns <- if (is.matrix(table)) colnames(table) else if (is.list(table)) names(table)
    if (any(columns %in% names) && !any(columns %in% named)) {
      refuse_data(paste0("which column of ", variable, " the left side of the formula, ", deparse1(left),
                         ", reads cannot be seen"), "name the column of data, as in y ~ .")
    }
  }
}

# Whether an expression has the same value for a row whatever the other rows are: log(y) has, scale(y) has not,
# so that of new rows it would be another target.
is_of_rows <- function(left, data, y, environment) {
  values <- function(of) if (is.factor(of)) as.character(of) else as.vector(of)
  if (!is.call(left) || nrow(data) == 0 || !is.atomic(y)) return(FALSE)
  y <- values(y)
  data <- data[intersect(all.vars(left), names(data))]
  ranks <- match(y, sort(unique(y)))
  n <- nrow(data)
  parts <- list(seq(1, n, by = 2), 1, n, which.min(ranks), which.max(ranks))
  all(vapply(parts, function(rows) {
    again <- tryCatch(eval(left, data[rows, , drop = FALSE], environment), error = function(error) NULL)
    identical(values(again), y[rows])
  }, NA))
}

# An environment of the columns of data, of which `read` has those that were looked at: get("y") and
# eval(parse(text = "y")) do not name them as all.vars() finds names.
columns_that_tell <- function(data, read, environment) {
  columns <- new.env(parent = environment)
  for (name in names(data)) local({
    name <- name
    makeActiveBinding(name, function(value) {
      read[[name]] <- TRUE
      data[[name]]
    }, columns)
  })
  columns
}

# Names of columns that an expression takes out of a table of the workspace by [[ or [, as in data[["y"]],
# data[[name]] and data[, 1].
taken_by_place <- function(expression, environment) {
  if (!is.call(expression)) return(NULL)
  found <- unlist(lapply(as.list(expression)[-1], function(part) {
    if (!missing(part)) taken_by_place(part, environment)
  }))
  if (!is.name(expression[[1]]) || !as.character(expression[[1]]) %in% c("[[", "[")) return(found)
  # Without exact and drop.
  places <- as.list(expression)[-(1:2)]
  if (!is.null(names(places))) places <- places[names(places) == ""]
  c(found, tryCatch({
    table <- eval(expression[[2]], environment)
    names <- if (is.list(table) || is.environment(table)) names(table) else if (length(places) == 2) colnames(table)
    stats::setNames(nm = names)[eval(places[[length(places)]], environment)]
  }, error = function(error) NULL))
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
  if (operator == "-") {
    without <- inputs(right[[length(right)]])
    if (length(right) == 3) return(setdiff(inputs(right[[2]]), without))
    # Forests have no intercept that could be left out.
    if (length(without) == 0) return(character())
    refuse_data(paste("the formula leaves out", deparse1(right[[2]]), "before anything is there"),
                paste("put it last, as in . -", deparse1(right[[2]])), column = without[1])
  }
  if (operator %in% c(":", "*", "^", "%in%")) {
    refuse_data(paste0("the formula has the interaction ", deparse1(right)),
                "trees find interactions themselves: join the columns by +")
  }
  if (operator == "offset") {
    refuse_data(paste0("the formula has ", deparse1(right), ", and forests have no offsets"),
                paste0("subtract it from the target, as in y - ", deparse1(right[[2]]), " ~ ."))
  }
  if (identical(right, 1) || identical(right, 0)) return(character())
  refuse_data(paste0("the formula has the term ", deparse1(right), ", which is no column"),
              "make it a column of data before, and name that")
}

# Weights and clusters as they are written: a column of data before anything of that name elsewhere, as in
# other functions with formulas, or values. Where no column is named, they are what was `given`: functions that
# pass their arguments on have other variables of these names.
given_as <- function(expression, given, data, frame, argument) {
  # What is no object is an error of its own, once.
  if (!missing(data)) force(data)
  columns <- tryCatch(as.list(as.data.frame(data)), error = function(error) list())
  if (is.name(expression) && as.character(expression) %in% names(columns)) {
    return(as.character(expression))
  }
  variables <- all.vars(expression)
  is_elsewhere <- length(variables) > 0 && !any(variables %in% names(columns))
  tryCatch(if (is_elsewhere) given else eval(expression, columns, frame), error = function(error) {
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
  data <- as_columns(data, "data")
  if (name %in% names(data)) return(data[[name]])
  refuse_data(paste0("data has no column ", quoted(name), ", which ", argument, " names"),
              did_you_mean(name, names(data), "give one of its columns"), column = name, setting = argument)
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
