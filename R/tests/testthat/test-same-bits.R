# The numbers of the package are those of the command line, to the last bit.

test_that("importances of a regression are those of the command line", {
  path <- as_csv(cells)
  measures <- c("mdi", "mda_breiman_cutler", "sobol_mda")
  theirs <- run("importance", path, "--target", "y", "--trees", "20", "--seed", "7",
                "--measure", paste(measures, collapse = ","))
  fit <- wald(y ~ ., cells, num.trees = 20, seed = 7)
  ours <- suppressWarnings(importance(fit, measures, seed = 7))
  expect_identical(ours$variable, theirs$variable)
  expect_identical(ours$value, theirs$value)
  expect_identical(ours$se, theirs$standard_error)
})

test_that("constraints are those of the command line", {
  path <- as_csv(cells)
  fit <- wald(y ~ ., cells, num.trees = 15, seed = 7, increasing = "x2", decreasing = "x1")
  free <- wald(y ~ ., cells, num.trees = 15, seed = 7)
  shown <- run("importance", path, "--target", "y", "--trees", "15", "--seed", "7", "--measure", "mdi",
               "--increasing", "x2", "--decreasing", "x1")
  expect_identical(importance(fit, "mdi")$value, shown$value)
  expect_false(identical(importance(fit, "mdi")$value, importance(free, "mdi")$value))
  rows <- cells[rep(1, 20), ]
  rows$x1 <- seq(0, 1, length.out = 20)
  expect_true(all(diff(predict(fit, rows)) <= 0))
})

test_that("limits of leaves and pruning are those of the command line", {
  path <- as_csv(cells)
  of <- function(...) {
    run("importance", path, "--target", "y", "--trees", "15", "--seed", "7", "--measure", "mdi", ...)
  }
  few <- wald(y ~ ., cells, num.trees = 15, seed = 7, max_leaf_nodes = 4)
  expect_identical(importance(few, "mdi")$value, of("--max-leaf-nodes", "4")$value)
  expect_lte(few$mean_leaves, 4)
  pruned <- wald(y ~ ., cells, num.trees = 15, seed = 7, ccp_alpha = 1)
  expect_identical(importance(pruned, "mdi")$value, of("--ccp-alpha", "1")$value)
  grown <- wald(y ~ ., cells, num.trees = 15, seed = 7)
  expect_lt(pruned$mean_leaves, grown$mean_leaves)
  # A tree of few leaves is another tree than one whose nodes are large.
  expect_gt(grown$mean_leaves, few$mean_leaves)
  # R's way to write names.
  again <- wald(y ~ ., cells, num.trees = 15, seed = 7, max.leaf.nodes = 4)
  expect_identical(importance(again, "mdi"), importance(few, "mdi"))
})

test_that("importances of classes with weights and clusters are those of the command line", {
  data <- iris
  data$w <- 1 + seq_len(nrow(data)) %% 3
  data$id <- paste0("p", seq_len(nrow(data)) %/% 2)
  theirs <- run("importance", as_csv(data), "--target", "Species", "--trees", "15",
                "--measure", "mda_breiman_cutler", "--weights", "w", "--cluster", "id",
                "--min-node-size", "4", "--mtry", "1", "--threads", "1")
  fit <- wald(Species ~ ., data, weights = "w", cluster = "id", num.trees = 15, min.node.size = 4,
              mtry = 1)
  expect_identical(importance(fit, "mda_breiman_cutler")$value, theirs$value)
  # Vectors are columns.
  again <- wald(iris[-5], iris$Species, weights = data$w, cluster = data$id, num.trees = 15,
                min.node.size = 4, mtry = 1)
  expect_identical(importance(again)$value, theirs$value)
})

test_that("predictions and explanations are those of the command line", {
  path <- as_csv(cells)
  model <- tempfile(fileext = ".wald")
  stopifnot(system2(program(), c("fit", path, "--target", "y", "--trees", "10", "--output", model,
                                 "--quiet")) == 0)
  fit <- wald(y ~ ., cells, num.trees = 10)
  expect_identical(predict(fit, cells), run("predict", model, path)[[1]])
  theirs <- run("explain", path, "--target", "y", "--trees", "10", "--measure", "tree_shap")
  ours <- explain(fit, cells)
  theirs <- matrix(theirs$value, nrow(cells), byrow = TRUE)
  expect_identical(unname(plain_array(ours)), theirs)
  # The model files are the same bytes.
  expect_identical(fit$model, readBin(model, "raw", file.size(model)))
})

test_that("simulated rows are those of the command line", {
  path <- tempfile(fileext = ".csv")
  system2(program(), c("simulate", "friedman_1", "--rows", "5", "--seed", "4", "--quiet", "--output",
                       path))
  expect_identical(unlist(simulate_design("friedman_1", 5, seed = 4), use.names = FALSE),
                   unlist(utils::read.csv(path), use.names = FALSE))
})

test_that("selection and uncertainty are those of the command line", {
  path <- as_csv(cells)
  theirs <- run("select", path, "--target", "y", "--trees", "10", "--folds", "2",
                "--measure", "sobol_mda")
  ours <- select_variables(y ~ ., cells, folds = 2, num.trees = 10)
  expect_identical(ours$frame$error, theirs$error)
  theirs <- run("uncertainty", path, "--target", "y", "--trees", "50", "--measure", "mdi",
                "--subsamples", "5", "--null-distribution", "shadow", "--null-forests", "5")
  ours <- uncertainty(wald(y ~ ., cells, num.trees = 50), "mdi", subsamples = 5,
                      null_distribution = "shadow", null_forests = 5)
  for (column in c("value", "sampling_error", "low", "highest_rank", "adjusted_p_value")) {
    expect_identical(as.double(ours[[column]]), as.double(theirs[[column]]))
  }
})

test_that("conditional tests and masking are those of the command line", {
  path <- as_csv(cells)
  theirs <- run("conditional", path, "--target", "y", "--trees", "10", "--seed", "3", "--folds", "2",
                "--draws", "3")
  ours <- conditional_test(y ~ ., cells, num.trees = 10, seed = 3, folds = 2, draws = 3)
  expect_same_numbers(ours, theirs)
  expect_identical(conditional_test(wald(y ~ ., cells, num.trees = 10, seed = 3), folds = 2, draws = 3),
                   ours)
  expect_output(print(ours), "sobol_cpi")
  theirs <- run("masking", path, "--target", "y", "--trees", "10", "--values", "1,4", "--group",
                "pair=x1,x2")
  ours <- masking(y ~ ., cells, num.trees = 10, mtry = c(4, 1), groups = list(pair = c("x1", "x2")))
  expect_same_numbers(ours, theirs)
  expect_output(print(ours), "pair")
})

test_that("comparisons are those of the command line, on two tables and on one", {
  other <- cells[60:1, ]
  other$y <- other$y + 3 * other$x4
  path <- as_csv(cells)
  options <- c("--target", "y", "--trees", "20", "--measure", "mdi", "--subsamples", "5")
  first <- wald(y ~ ., cells, num.trees = 20)
  ours <- compare(first, wald(y ~ ., other, num.trees = 20), "mdi", subsamples = 5)
  expect_same_numbers(ours, run("compare", path, "--second", as_csv(other), options))
  same <- wald(y ~ ., cells, num.trees = 20)
  ours <- compare(first, same, "mdi", subsamples = 5)
  expect_same_numbers(ours, run("compare", path, "--second", path, options))
  expect_output(print(ours), "mdi, paired differences.*x4")
})

test_that("interactions are those of the command line", {
  path <- as_csv(cells)
  options <- c("--target", "y", "--trees", "20", "--intersection-trees", "50", "--group", "pair=x1,x2")
  fit <- wald(y ~ ., cells, num.trees = 20)
  find <- function(...) interactions(fit, 50, ..., groups = list(pair = c("x1", "x2")))
  ours <- find(resamples = 3, min_prevalence = 0.2)
  expect_gt(nrow(ours), 1)
  expect_same_numbers(ours, run("interactions", path, options, "--resamples", "3", "--min-prevalence",
                                "0.2"))
  expect_output(print(ours), "pair.*stability|stability.*pair")
  expect_output(print(ours), "note: sets of variables that each have an effect of their own come\\s+first")
  ours <- find(resamples = 0, depth = 2, min_size = 1, cut = 15)
  expect_true(all(is.na(ours$stability)))
  expect_same_numbers(ours, run("interactions", path, options, "--resamples", "0", "--depth", "2",
                                "--min-size", "1", "--cut", "15"))
  expect_output(print(ours, n = 2), "and [0-9]+ more")
  expect_output(print(find(resamples = 0, min_prevalence = 1, depth = 20)), "no set is found")
})

test_that("weights, outliers and prototypes are those of the command line", {
  data <- iris[seq(1, 150, 3), ]
  path <- as_csv(data)
  options <- c("--target", "Species", "--trees", "10")
  fit <- wald(Species ~ ., data, num.trees = 10)
  theirs <- function(...) run("proximities", path, options, ...)
  ours <- proximities(fit)
  expect_same_numbers(ours, theirs("--show", "weights"))
  expect_equal(rowSums(as.matrix(ours)), rep(1, 50))
  rows <- iris[2:5, ]
  expect_same_numbers(proximities(fit, rows), theirs("--show", "weights", "--rows", as_csv(rows)))
  expect_identical(outliers(fit), theirs()$outlier)
  ours <- prototypes(fit, neighbours = 7)
  expect_same_numbers(ours, theirs("--show", "prototypes", "--neighbours", "7"))
  expect_output(print(ours), "neighbours of row")
})

test_that("rows of a test table weigh as on the command line", {
  set.seed(2)
  of <- function(n) {
    table <- data.frame(x = rnorm(n), z = runif(n), w = sample(c(0, 1, 5), n, TRUE))
    transform(table, y = x + rnorm(n))
  }
  training <- of(60)
  test <- of(30)
  fit <- wald(y ~ ., training, weights = w, num.trees = 20)
  for (measure in c("mda_train_test", "sage", "tree_shap_loss", "tree_shap_interventional")) {
    theirs <- run("importance", as_csv(training), "--target", "y", "--trees", "20", "--weights", "w",
                  "--measure", measure, "--test", as_csv(test))
    ours <- importance(fit, measure, test = test)
    expect_identical(ours$value, theirs$value)
    apart <- list(x = test[c("x", "z")], y = test$y, weights = test$w)
    expect_identical(importance(fit, measure, test = apart)$value, theirs$value)
  }
  expect_refusal(importance(fit, "sage", test = test[-3]), "test has no column \"w\", the weights")
})

test_that("curves of tables with levels are at the values of the command line", {
  set.seed(3)
  mixed <- data.frame(x = rnorm(80), kind = sample(c("a", "b"), 80, TRUE))
  mixed$y <- mixed$x + (mixed$kind == "a")
  fit <- wald(y ~ ., mixed, num.trees = 10)
  both <- explain(fit, measure = "pdp")
  alone <- explain(fit, measure = "pdp", variables = "x")
  expect_identical(as.numeric(both$at[both$variable == "x"]), alone$at)
  shown <- run("explain", as_csv(mixed), "--target", "y", "--trees", "10", "--measure", "ale")
  ale <- explain(fit, measure = "ale")
  expect_identical(ale$value[ale$variable == "x"], shown$value[shown$variable == "x"])
})
