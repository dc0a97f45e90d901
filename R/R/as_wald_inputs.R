# Targets and inputs as other packages have computed them from a table: by formulas, without rows that have
# missing values, or with these filled in.

# The data of a forest of ranger: target, its name, and inputs. `frame` is where the forest's call is
# evaluated, as far as it is needed.
data_of_ranger <- function(x, data, y, frame) {
  names <- x$forest$independent.variable.names
  derived <- products_of(setdiff(names, names(data)))
  data <- with_derived(data, derived, globalenv())
  check_columns(names, data)
  target <- target_of_call(x$call, names, data, frame)
  if (is.null(y)) y <- target_values(target, data, frame)
  list(names = names, data = data, y = y, target = name_of_call(target),
       derived = c(derived, derived_target(target)), environment = globalenv())
}

# ranger makes products of numbers of terms such as a:b, and no other terms than these and columns.
products_of <- function(names) {
  products <- names[grepl(":", names, fixed = TRUE)]
  factors <- strsplit(products, ":", fixed = TRUE)
  calls <- lapply(factors, function(names) Reduce(function(a, b) call("*", a, b), lapply(names, as.name)))
  stats::setNames(calls, products)
}

# ranger does not keep the target nor its name: it is at the left of the formula in the call, or named there,
# or the only column that is no input.
target_of_call <- function(call, names, data, frame) {
  formula <- formula_of_call(call, names, data, frame)
  if (!is.null(formula)) return(formula[[2]])
  named <- value_in_call(call, "dependent.variable.name", frame)
  if (is.character(named) && length(named) == 1) return(as.name(named))
  others <- setdiff(names(data), names)
  if (length(others) == 1) as.name(others)
}

# The formula of a call, also where it is the value of a variable or the first argument without a name. A
# variable may have another value now, or be another one, so that its formula must have the forest's inputs.
formula_of_call <- function(call, names, data, frame) {
  if (is.null(call)) return(NULL)
  arguments <- as.list(call)[-1]
  named <- names(arguments)
  unnamed <- if (is.null(named)) arguments else arguments[named == ""]
  for (candidate in c(arguments["formula"], utils::head(unnamed, 1))) {
    value <- evaluated(candidate, frame)
    if (is.character(value) && length(value) == 1) {
      value <- tryCatch(stats::as.formula(value), error = function(error) NULL)
    }
    if (!inherits(value, "formula") || length(value) != 3) next
    if (is.call(candidate) && identical(candidate[[1]], quote(`~`))) return(value)
    inputs <- tryCatch(attr(stats::terms(value, data = data), "term.labels"), error = function(error) NULL)
    if (setequal(inputs, names)) return(value)
  }
}

# An argument of a call by its name; NULL where there is none, or where it cannot be evaluated any more.
value_in_call <- function(call, name, frame) {
  if (is.null(call)) return(NULL)
  evaluated(as.list(call)[[name]], frame)
}

# The value that an expression of a call has now; NULL where it has none. Its package has given its warnings.
evaluated <- function(expression, frame) {
  tryCatch(suppressWarnings(eval(expression, frame)), error = function(error) NULL)
}

# A call may name the target by variables that have other values by now, as in a loop: where the forest is refused,
# the target may be another one.
with_target_named <- function(fit, target) {
  tryCatch(fit, wald_error = function(error) {
    help <- paste0("the target was taken to be ", quoted(target), "; give it as y if it is another")
    error$help <- paste(c(error$help[nzchar(error$help)], help), collapse = "; ")
    error$message <- paste0(conditionMessage(error), "; ", help)
    stop(error)
  })
}

# What a target is called that a formula has computed.
name_of_call <- function(target) {
  if (is.null(target)) NULL else if (is.name(target)) as.character(target) else deparse1(target)
}

# The values of a target: a column, or an expression such as log(y).
target_values <- function(target, data, frame) {
  name <- name_of_call(target)
  is_there <- !is.null(target) && all(all.vars(target) %in% names(data))
  if (!is_there) {
    refuse_data(paste0("data has no target", if (!is.null(name)) paste0(", ", quoted(name))),
                "give it as y", column = name)
  }
  tryCatch(eval(target, data, frame), error = function(error) {
    refuse_data(paste0("the target ", quoted(name), " cannot be computed: ", conditionMessage(error)),
                "give it as y", column = name)
  })
}

# Of rows that come later the target must be computed again; of a column there is nothing to compute.
derived_target <- function(target) {
  if (is.call(target)) stats::setNames(list(target), deparse1(target)) else list()
}

# What is computed of other columns, without a target that depends on other rows. Where the data hold what was
# computed only, it is known by its functions.
derived_of_rows <- function(parts) {
  derived <- parts$derived
  target <- if (!is.null(parts$target)) derived[[parts$target]]
  if (is.null(target)) return(derived)
  is_known <- if (all(all.vars(target) %in% names(parts$data))) {
    is_of_rows(target, parts$data, parts$y, parts$environment)
  } else all(setdiff(all.names(target), all.vars(target)) %in% functions_of_rows)
  if (is_known) derived else derived[names(derived) != parts$target]
}

functions_of_rows <- c("log", "log2", "log10", "log1p", "exp", "sqrt", "abs", "I", "(", "+", "-", "*", "/", "^",
                       "<", "<=", ">", ">=", "==", "!=", "factor", "as.factor", "as.numeric", "as.integer")

# Adds columns that are computed of others, where they are not there already.
with_derived <- function(data, derived, environment) {
  for (name in setdiff(names(derived), names(data))) {
    if (!all(all.vars(derived[[name]]) %in% names(data))) next
    value <- tryCatch(eval(derived[[name]], data, environment), error = function(error) {
      refuse_data(paste0("column ", quoted(name), " of the formula cannot be computed: ",
                         conditionMessage(error)), "give it as a column", column = name)
    })
    data[[name]] <- if (length(dim(value)) == 2 && ncol(value) == 1) as.vector(value) else value
  }
  data
}

# The terms of a formula that are expressions, such as log(x), by their names; `variables` are those of terms.
# Where a term depends on the data, as scale(x) does, `predvars` holds what it has found.
derived_of_terms <- function(variables, predvars = variables) {
  calls <- as.list(if (is.null(predvars)) variables else predvars)[-1]
  names <- vapply(as.list(variables)[-1], deparse1, "")
  stats::setNames(calls, names)[vapply(calls, is.call, NA)]
}

# The data of a forest of randomForest, in the rows on which it was grown.
data_of_random_forest <- function(x, data, y, frame) {
  names <- wald_randomforest_inputs(x)
  rows <- rownames(data)
  data <- as_columns(data, "data")
  terms <- x$terms
  target <- if (!is.null(terms)) terms[[2]]
  derived <- if (is.null(terms)) list() else {
    derived_of_terms(attr(terms, "variables"), attr(terms, "predvars"))
  }
  environment <- if (is.null(terms)) globalenv() else environment(terms)
  kept <- rows_of_random_forest(x, rows, nrow(data))
  data <- as_columns(as.data.frame(data)[kept, , drop = FALSE], "data")
  if (length(y) == length(rows)) y <- y[kept]
  data <- with_derived(data, derived, environment)
  check_columns(names, data)
  data <- with_missing_filled(x, data, names, frame)
  # The target as the forest has seen it, unless it is given. That of data, where it is there, is compared.
  shown <- if (!is.null(y)) y else if (all(all.vars(target) %in% names(data)) && !is.null(target)) {
    tryCatch(eval(target, data, environment), error = function(error) NULL)
  }
  if (is.null(y)) y <- structure(unname(x$y), na.action = NULL)
  # randomForest takes logicals for 0 and 1.
  as_grown <- function(target) if (is.logical(target) && is.numeric(x$y)) as.numeric(target) else target
  list(names = names, data = data, y = as_grown(y), shown = as_grown(shown), target = name_of_call(target),
       derived = derived, environment = environment)
}

# Rows without those that were left out for missing values, or by `subset`.
rows_of_random_forest <- function(x, rows, n) {
  grown <- NROW(x$inbag)
  if (is.null(x$inbag) || grown == n) return(seq_len(n))
  # Formulas keep the names of rows.
  places <- match(names(x$y), rows)
  if (length(places) == grown && !anyNA(places)) {
    if (!is.unsorted(places)) return(places)
    refuse_data("data has its rows in another order than the forest",
                "give them as they were when the forest was grown")
  }
  if (!is.null(x$na.action) && n - length(x$na.action) == grown) return(seq_len(n)[-x$na.action])
  refuse_data(paste("data has", counted(n, "row"), "and the forest was grown on", grown),
              "give the rows on which it was grown")
}

# Missing values filled in as by the call, which names the function, such as na.roughfix.
with_missing_filled <- function(x, data, names, frame) {
  if (!anyNA(as.data.frame(data)[names])) return(data)
  fill <- value_in_call(x$call, "na.action", frame)
  # Where the package is not attached, or no longer.
  if (is.null(fill) && identical(x$call$na.action, quote(na.roughfix))) {
    fill <- getExportedValue("randomForest", "na.roughfix")
  }
  if (!is.function(fill)) {
    refuse_data("data has missing values, which randomForest does not allow",
                "give the data as they were when the forest was grown")
  }
  # Medians of columns do not depend on the other columns.
  filled <- fill(as.data.frame(data)[names])
  if (NROW(filled) != nrow(data) || anyNA(filled)) {
    refuse_data("na.action of the forest's call does not fill in the missing values of data",
                "give the data as they were when the forest was grown")
  }
  data[names] <- filled
  data
}
