# Settings of forests: R's names of arguments, which are ranger's, and the engine's.

# The engine's names by R's.
forest_arguments <- function() {
  c(num.trees = "trees", mtry = "mtry", min.node.size = "min_node_size",
    min.bucket = "min_leaf_size", max.depth = "max_depth", sample.fraction = "sample_fraction",
    replace = "replace", splitting = "splitting", seed = "seed", num.threads = "num.threads",
    progress = "progress")
}

# Arguments of ranger that do something else here, and what to do instead.
elsewhere <- c(
  proximity = "weigh rows when the forest is grown: proximities(fit)",
  localImp = "explain rows when the forest is grown: explain(fit)",
  local.importance = "explain rows when the forest is grown: explain(fit)",
  xtest = "predict other rows when the forest is grown: predict(fit, newdata)",
  cutoff = "compare the proportions of predict(fit, type = \"prob\") with it",
  classwt = "give weights, for example 1 / table(y)[y]", strata = "give stratify = TRUE",
  nPerm = "give permutations to importance()", do.trace = "give progress",
  keep.forest = "the forest is always kept", dependent.variable.name = "give a formula, or x and y",
  importance = "measure the forest when it is grown: importance(fit, \"mdi\")",
  probability = "forests of classes always predict proportions: predict(fit, type = \"prob\")",
  case.weights = "give case weights as weights; they multiply impurity and losses",
  class.weights = "give weights, for example 1 / table(y)[y]",
  keep.inbag = "bags are always kept",
  respect.unordered.factors = "factors are always split by their levels",
  splitrule = "give splitting, for example \"random_threshold\", or impurity",
  nodesize = "give min.node.size", ntree = "give num.trees",
  sampsize = "give sample.fraction", maxnodes = "give max_leaf_nodes",
  write.forest = "the forest is always kept", oob.error = "out-of-bag errors are always computed",
  quantreg = "every forest predicts quantiles: predict(fit, type = \"quantiles\")",
  verbose = "give progress", always.split.variables = "no variable can be tried at every node",
  na.action = "missing values are allowed")

# The smallest whole numbers of settings, by the engine's names.
smallest <- c(trees = 1, mtry = 1, min_node_size = 1, min_leaf_size = 1, max_depth = 1, subspace = 1,
              max_leaf_nodes = 2, first_tree = 0, seed = 0)

# The settings of the engine that arguments stand for, threads and progress apart.
settings_of_forest <- function(given) {
  names <- names(given)
  if (length(given) > 0 && (is.null(names) || !all(nzchar(names)))) {
    refuse_setting("an argument has no name", "give settings of the forest by name")
  }
  if (anyDuplicated(names)) {
    refuse_setting(paste(names[anyDuplicated(names)], "is given twice"), "give it once")
  }
  given <- given[!vapply(given, is.null, NA)]
  own <- forest_arguments()
  options <- vapply(facts()$forest_options, function(option) option$id, "")
  named <- own[names(given)]
  further <- is.na(named)
  named[further] <- gsub(".", "_", names(given)[further], fixed = TRUE)
  for (name in names(given)[!named %in% c(own, options)]) {
    help <- if (name %in% names(elsewhere)) elsewhere[[name]]
      else did_you_mean(name, c(names(own), options), "?wald lists the settings of a forest")
    refuse_setting(paste0("wald() has no argument ", quoted(name)), help, setting = name)
  }
  if (anyDuplicated(named)) {
    both <- names(given)[named == named[anyDuplicated(named)]]
    refuse_setting(paste(paste(both, collapse = " and "), "are one setting, which is given twice"),
                   paste0("leave out ", both[2]), setting = both[1])
  }
  names(given) <- unname(named)
  apart <- c("num.threads", "progress", "replace")
  config <- given[setdiff(names(given), apart)]
  for (name in intersect(names(config), names(smallest))) {
    known <- match(name, own)
    config[[name]] <- whole(if (is.na(known)) name else names(own)[known], config[[name]], smallest[[name]])
  }
  if (!is.null(given$replace) && !flag("replace", given$replace)) {
    if (!is.null(config$sampling)) {
      refuse_setting("replace and sampling are both given", "leave one of them out")
    }
    config$sampling <- "subsample"
  }
  list(config = config, num.threads = given$num.threads, progress = given$progress)
}

# In R the second class is that of the target's levels; the engine sorts classes. Where it would take the
# other one, what increases the probability of the one decreases that of the other. What it refuses, it is
# to refuse by the name that was given.
with_trends_of_levels <- function(config, fit) {
  given <- c("increasing", "decreasing")
  columns <- unlist(config[given])
  is_number <- is.character(columns) && all(columns %in% names(fit$x)) &&
    all(vapply(fit$x[columns], is.numeric, NA))
  if (length(fit$classes) == 2 && is_number && !identical(class_levels(fit), fit$classes)) {
    at <- names(config) %in% given
    names(config)[at] <- rev(given)[match(names(config)[at], given)]
  }
  config
}
