# Growing and measuring in R, beside ranger in the same run, and what R adds to the engine.
#
#   Rscript bench/r.R [ROWS] [RUNS]      (with wald built for speed: R CMD INSTALL R)
#
# Processor time of user and system, of interleaved runs; the smallest of each. `engine: grow` is the
# call of the engine alone: what wald() takes more is R's conversion of columns. `wald: grow, model file`
# makes the bytes that saveRDS() stores, too.

suppressMessages({
  library(wald)
  library(ranger)
})

given <- as.integer(commandArgs(TRUE))
n <- if (length(given) > 0) given[1] else 5000L
runs <- if (length(given) > 1) given[2] else 5L
data <- simulate_design("friedman_1", n, seed = 1)
trees <- 500

spent <- function(expression) {
  gc()
  before <- proc.time()
  force(expression)
  sum((proc.time() - before)[c(1, 2, 4, 5)], na.rm = TRUE)
}

grown <- wald(y ~ ., data, num.trees = trees, num.threads = 2)
native <- wald:::native_data(grown)
tasks <- list(
  "engine: grow" = function() {
    .Call(wald:::wrap__grow_forest, native, list(trees = trees), wald:::work(2, FALSE))
  },
  "wald: grow" = function() wald(y ~ ., data, num.trees = trees, num.threads = 2),
  "wald: grow, model file" = function() {
    length(wald(y ~ ., data, num.trees = trees, num.threads = 2)$model)
  },
  "ranger: grow" = function() ranger(y ~ ., data, num.trees = trees, num.threads = 2),
  "wald: grow, mdi, permutation" = function() {
    importance(wald(y ~ ., data, num.trees = trees, num.threads = 2), c("mdi", "mda_breiman_cutler"),
               num.threads = 2)
  },
  "ranger: grow, permutation" = function() {
    ranger(y ~ ., data, num.trees = trees, num.threads = 2, importance = "permutation")
  },
  "wald: predict" = function() predict(grown, data, num.threads = 2))

times <- sapply(seq_len(runs), function(run) vapply(tasks, function(task) spent(task()), 0))
seconds <- apply(times, 1, min)
cat(n, "rows, 10 variables,", trees, "trees,", runs, "runs\n")
print(round(data.frame(seconds), 2))
ratio <- function(one, other) round(seconds[[one]] / seconds[[other]], 3)
cat("growing, R / engine:", ratio("wald: grow", "engine: grow"), "\n")
cat("the same with the model file:", ratio("wald: grow, model file", "engine: grow"), "\n")
cat("growing, wald / ranger:", ratio("wald: grow", "ranger: grow"), "\n")
cat("growing and measuring, wald / ranger:",
    ratio("wald: grow, mdi, permutation", "ranger: grow, permutation"), "\n")
