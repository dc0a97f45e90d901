# Procedures that grow forests themselves, and need of a forest its data and settings only.

# The settings by which a forest was grown.
settings_of <- function(fit) {
  if (is.null(fit$settings)) {
    refuse_setting(paste0("it is not known how ", fit$program, " grew the forest"),
                   "give a formula and data, from which wald grows forests")
  }
  fit$settings
}

# Calls the method for forests with data of which there is none; `given` are its arguments and settings of
# forests.
of_formula <- function(method, formula, data, weights, cluster, given) {
  parts <- parts_of_formula(formula, data, c(weights = column_name(weights), cluster = column_name(cluster)))
  of_parts(method, parts_of_forest(parts, "data"), column_of(data, weights, "weights"),
           column_of(data, cluster, "cluster"), given)
}

of_columns <- function(method, x, y, weights, cluster, given) {
  if (missing(y)) refuse_setting("y is missing", "give the target, or a formula", setting = "y")
  of_parts(method, parts_of_forest(parts_of_columns(x, y), "x"), weights, cluster, given)
}

of_parts <- function(method, parts, weights, cluster, given) {
  own <- setdiff(names(formals(method)), c("x", "..."))
  of_forest <- given[!names(given) %in% setdiff(own, c("num.threads", "progress"))]
  fit <- with_data(list(program = "wald"), parts, weights, cluster)
  fit$settings <- with_trends_of_levels(settings_of_forest(of_forest)$config, fit)
  do.call(method, c(list(x = fit), given[names(given) %in% own]))
}
