# The training data of a forest: as R has them, and as the engine has.

# Adds the data of a target and inputs.
with_data <- function(fit, parts, weights = NULL, cluster = NULL) {
  n <- nrow(parts$x)
  if (n == 0) refuse_data("the table has no rows", "give at least one row")
  if (ncol(parts$x) == 0) refuse_data("the table has no inputs", "give at least one column")
  if (length(dim(parts$y)) == 2 && ncol(parts$y) == 1) parts$y <- as.data.frame(parts$y)[[1]]
  if (NROW(parts$y) != n) {
    refuse_data(paste("the target has", counted(NROW(parts$y), "value"), "for", counted(n, "row")),
                "give one value for each row", column = parts$target)
  }
  # A level for missing values, as addNA() adds, is no class.
  if (is.factor(parts$y) && anyNA(levels(parts$y))) parts$y <- factor(parts$y)
  columns <- engine_columns(parts$x)
  target <- target_cells(parts$y, parts$target)
  fit$target <- parts$target
  fit$x <- parts$x
  fit$y <- parts$y
  fit$apart <- as.list(parts$apart)
  fit$weights <- checked_weights(weights, n, column = fit$apart$weights)
  fit$cluster <- checked_cluster(cluster, n, column = fit$apart$cluster)
  fit$levels <- levels_of(columns)
  fit$task <- if (is.list(target)) "classification" else "regression"
  fit$classes <- if (is.list(target)) target$levels
  fit$native <- new.env(parent = emptyenv())
  fit
}

target_cells <- function(y, name) {
  refuse_survival(y)
  cells <- engine_column(y, name)
  missing <- if (is.list(cells)) is.na(cells$codes) else is.na(cells)
  if (any(missing)) {
    refuse_data(paste0("the target ", quoted(name), " is missing in ", sum(missing), " of ",
                       length(missing), " rows, first in row ", which(missing)[1]),
                paste0("leave these rows out", if (make.names(name) == name) {
                  paste0(", for example data[!is.na(data$", name, "), ]")
                }),
                column = name)
  }
  cells
}

refuse_survival <- function(y) {
  if (inherits(y, "Surv")) {
    refuse_data("the target is a survival time", "wald grows forests for numbers and classes")
  }
}

# Refuses values for rows, such as weights, that are of another kind or number than rows need.
refuse_shape <- function(is_right, values, name, n, help, column) {
  if (is_right && length(values) == n) return(invisible())
  refuse_setting(paste(name, "is", shown(values), "for", counted(n, "row")), help, setting = name,
                 column = column)
}

# Refuses values of which some are not as they should be: how many, and the first row.
refuse_rows <- function(are_wrong, what, name, help, column) {
  wrong <- which(are_wrong)
  if (length(wrong) == 0) return(invisible())
  refuse_setting(paste0(name, " is ", what, " in ", length(wrong), " of ", counted(length(are_wrong), "row"),
                        ", first in row ", wrong[1]), help, setting = name, column = column)
}

# `column` is the name of the column that holds them, where they are one.
checked_weights <- function(weights, n, name = "weights", column = NULL) {
  if (is.null(weights)) return(NULL)
  if (inherits(weights, "integer64")) weights <- integer64_column(weights, name)
  refuse_shape(is.atomic(weights), weights, name, n, "give one number for each row", column)
  help <- "give a number of at least 0 for each row, 0 for rows without influence"
  refuse_rows(is.na(weights), "missing", name, help, column)
  refuse_shape(is.numeric(weights), weights, name, n, "give one number for each row", column)
  refuse_rows(weights < 0, "negative", name, help, column)
  refuse_rows(is.infinite(weights), "infinite", name, help, column)
  if (all(weights == 0)) {
    refuse_setting(paste(name, "is 0 in all rows"), "give at least one row a number above 0", setting = name,
                   column = column)
  }
  as.double(weights)
}

checked_cluster <- function(cluster, n, column = NULL) {
  if (is.null(cluster)) return(NULL)
  refuse_shape(is.atomic(cluster), cluster, "cluster", n,
               "give one value for each row, such as the number of a patient", column)
  refuse_rows(is.na(cluster), "missing", "cluster",
              "give a value for each row; a row that belongs to no other one needs a value of its own", column)
  if (is.factor(cluster)) cluster else as.vector(cluster)
}

# The engine's data set, made anew where a forest comes from another session.
native_data <- function(fit) {
  native <- fit$native
  if (is.null(native$data) || !.Call(wrap__is_alive, native$data)) {
    if (is.null(fit$x)) refuse_without_rows()
    native$data <- engine_data(fit, fit$x, fit$y, fit$weights, fit$cluster)
  }
  native$data
}

engine_data <- function(fit, x, y, weights = NULL, cluster = NULL) {
  columns <- engine_columns(x)
  target <- stats::setNames(list(target_cells(y, fit$target)), enc2utf8(fit$target))
  checked(.Call(wrap__new_data, columns, target, weights, cluster_codes(cluster)))
}

# Clusters in the order of levels, as when a file is read.
cluster_codes <- function(cluster) {
  if (is.null(cluster)) return(NULL)
  cells <- engine_column(cluster, "cluster")
  codes <- if (is.list(cells)) cells$codes else match(cells, sort(unique(cells)))
  codes - 1L
}

# The engine's forest, read anew where it comes from another session.
native_forest <- function(fit) {
  native <- fit$native
  if (is.null(native$forest) || !.Call(wrap__is_alive, native$forest)) {
    data <- if (!is.null(fit$x)) native_data(fit)
    native$forest <- checked(.Call(wrap__read_forest, fit$model, data, work()))
  }
  native$forest
}

# The model file of an engine's forest, whose bytes are made where they are needed, as by saveRDS().
model_file <- function(forest) .Call(wald_model_file, forest)

# Rows that the forest never saw, with their target: `list(x, y)` or `list(x, y, weights)`, or a data frame for a
# forest of a formula, which has the column of weights that the training data had.
test_data <- function(fit, test) {
  if (is.null(test)) return(NULL)
  if (is.data.frame(test)) {
    y <- target_of_rows(fit, test, "test")
    if (is.null(y)) {
      refuse_data(paste0("test has no column ", quoted(fit$target), ", the target"),
                  "give a data frame with it, or list(x, y)", column = fit$target)
    }
    test <- list(test, y, weights_of_rows(fit, test))
  }
  if (!is.list(test) || !length(test) %in% 2:3) {
    refuse_setting(paste("test is", shown(test)),
                   "give list(x, y), list(x, y, weights), or a data frame with the target", setting = "test")
  }
  if (all(c("x", "y") %in% names(test))) test <- test[c("x", "y", setdiff(names(test), c("x", "y")))]
  columns <- new_columns(fit, test[[1]], what = "test")
  target <- target_cells(test[[2]], fit$target)
  refuse_other_task(target, fit, "test")
  if (is.list(target)) target <- with_known_classes(target, fit)
  target <- stats::setNames(list(target), enc2utf8(fit$target))
  weights <- if (length(test) == 3) test[[3]]
  weights <- checked_weights(weights, NROW(test[[2]]), "weights of test", fit$apart$weights)
  checked(.Call(wrap__new_data, columns, target, weights, NULL))
}

# The weights of new rows, where those of training were a column of the table.
weights_of_rows <- function(fit, table) {
  column <- fit$apart$weights
  if (is.null(column)) return(NULL)
  if (!column %in% names(table)) {
    refuse_data(paste0("test has no column ", quoted(column), ", the weights"),
                "give a data frame with it, or list(x, y)", column = column)
  }
  table[[column]]
}

# Cells of a target, unless they are classes for a forest of numbers or the reverse.
refuse_other_task <- function(target, fit, what) {
  if (is.list(target) == (fit$task == "classification")) return(target)
  refuse_data(paste0("the target of ", what, " is not that of a ", fit$task), "give it as in training",
              column = fit$target)
}

# All classes of training, also those that no test row has.
with_known_classes <- function(target, fit) {
  unseen <- setdiff(target$levels, fit$classes)
  if (length(unseen) > 0) {
    refuse_data(paste0("the target of test has the class ", quoted(unseen[1]),
                       ", which was not there in training"),
                paste("leave its rows out, or give one of", quoted(fit$classes)),
                column = fit$target)
  }
  list(levels = fit$classes, codes = match(target$levels[target$codes], fit$classes))
}

# The target of new rows, a target such as log(y) computed as in training; NULL where a table has none.
target_of_rows <- function(fit, table, what) {
  derived <- fit$derived[names(fit$derived) == fit$target]
  table <- with_derived(as_columns(table, what, names_needed(fit$target, derived)), derived, fit$environment)
  table[[fit$target]]
}
