# What importances cost in programs from R, and what they are; peers.R reads this file.
#
# `measure_NAME(settings)` answers with the seconds of growing a forest, those that importances
# take beyond that, and the importances.

timed <- function(code) {
  start <- proc.time()
  value <- code
  time <- proc.time() - start
  list(value = value, seconds = c(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]]))
}

# Of programs that permute while they grow: growing with importances less growing without.
beyond <- function(without, with, importances) {
  list(grow = without$seconds, extra = with$seconds - without$seconds, importances = importances)
}

# Out-of-bag errors are part of growing here, as they are with wald and randomForest; without
# them ranger answers with NaN.
measure_ranger <- function(settings) {
  without <- timed(grow_ranger(train, settings))
  with <- timed(grow_ranger(train, settings, importance = "permutation"))
  beyond(without, with, with$value$variable.importance)
}

measure_randomForest <- function(settings) {
  without <- timed(grow_randomForest(train, settings))
  with <- timed(grow_randomForest(train, settings, importance = TRUE))
  beyond(without, with, randomForest::importance(with$value, type = 1, scale = FALSE)[, 1])
}

# Divisions at every value and samples with replacement are not its defaults.
measure_randomForestSRC <- function(settings) {
  options(rf.cores = 1, mc.cores = 1)
  grow <- function(...) {
    randomForestSRC::rfsrc(
      y ~ ., data.frame(train$x, y = train$y), ntree = settings$trees, mtry = settings$mtry,
      nodesize = settings$`min-node-size`, nsplit = 0, samptype = "swr",
      seed = -settings$seed - 1, ...
    )
  }
  without <- timed(grow(importance = "none"))
  with <- timed(grow(importance = "permute", block.size = settings$trees))
  beyond(without, with, as.matrix(with$value$importance)[, 1])
}

# Conditional importances of trees of its own kind.
measure_party <- function(settings) {
  set.seed(settings$seed)
  controls <- party::cforest_unbiased(ntree = settings$trees, mtry = settings$mtry)
  forest <- timed(party::cforest(y ~ ., data.frame(train$x, y = train$y), controls = controls))
  with <- timed(
    party::varimp(forest$value, conditional = TRUE, threshold = settings$association)
  )
  list(grow = forest$seconds, extra = with$seconds, importances = with$value)
}

answer_measure <- function(settings) {
  answer <- get(paste0("measure_", name))(settings)
  numbers <- function(values) paste(format(values, digits = 15, trim = TRUE), collapse = ", ")
  cat(sprintf(
    '{"seconds": [%s], "measured": {"%s": {"seconds": [%s], "importances": [%s]}}}\n',
    numbers(answer$grow), name, numbers(answer$extra), numbers(answer$importances)
  ))
}
