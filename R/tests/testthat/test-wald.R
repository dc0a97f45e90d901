test_that("a formula and columns give the same forest", {
  fit <- wald(y ~ ., cells, num.trees = 10)
  again <- wald(cells[c("x1", "x2", "x4", "kind", "large")], cells$y, num.trees = 10)
  expect_identical(importance(fit, "mdi")$value, importance(again, "mdi")$value)
  expect_identical(fit$predictions, again$predictions)
  expect_identical(names(wald(y ~ . - kind - x4, cells, num.trees = 2)$levels), c("x1", "x2", "large"))
  expect_identical(names(wald(formula = y ~ x2 + x1, data = cells, num.trees = 2)$levels),
                   c("x2", "x1"))
})

test_that("weights and clusters are columns of data, or values of the caller", {
  data <- mtcars
  data$weights <- data$wt
  named <- wald(mpg ~ ., data, weights = "weights", cluster = "carb", num.trees = 10)
  # weights() is a function, too.
  expect_identical(wald(mpg ~ ., data, weights = weights, cluster = carb, num.trees = 10)$model,
                   named$model)
  grow_with <- function(given) wald(mpg ~ ., mtcars, weights = given, num.trees = 10)
  # Of a function that passes its arguments on, not of where it was made.
  heavy <- rep(1, 32)
  pass_on <- function(...) wald(mpg ~ ., mtcars, ..., num.trees = 10)
  own <- function(heavy, patient) pass_on(weights = heavy, cluster = patient)
  expect_identical(own(mtcars$wt, mtcars$gear)$weights, mtcars$wt)
  expect_identical(own(mtcars$wt, mtcars$gear)$cluster, mtcars$gear)
  expect_identical(grow_with(1 / mtcars$wt)$model,
                   wald(mpg ~ ., mtcars, weights = 1 / wt, num.trees = 10)$model)
  expect_identical(wald(mtcars[-1], matrix(mtcars$mpg), num.trees = 10)$predictions,
                   wald(mpg ~ ., mtcars, num.trees = 10)$predictions)
})

test_that("calls with data in them are cut where they are printed", {
  fit <- do.call(wald, list(mpg ~ ., mtcars, num.trees = 5))
  expect_lt(length(utils::capture.output(print(fit))), 15)
})

test_that("the number of threads changes nothing", {
  one <- wald(y ~ ., cells, num.trees = 20, num.threads = 1)
  two <- wald(y ~ ., cells, num.trees = 20, num.threads = 2)
  expect_identical(one$model, two$model)
  expect_identical(importance(one, num.threads = 1)$value, importance(two, num.threads = 2)$value)
})

test_that("tibbles, matrices, integers, texts and orders of levels give the same forest", {
  fit <- wald(y ~ ., cells, num.trees = 10)
  other <- cells
  other$kind <- factor(other$kind, levels = c("b", "zz", "c", "a"), ordered = TRUE)
  expect_identical(wald(y ~ ., other, num.trees = 10)$predictions, fit$predictions)
  other$kind <- as.character(other$kind)
  expect_identical(wald(y ~ ., other, num.trees = 10)$predictions, fit$predictions)
  skip_if_not_installed("tibble")
  expect_identical(wald(y ~ ., tibble::as_tibble(cells), num.trees = 10)$predictions, fit$predictions)
  numbers <- as.matrix(mtcars[-1])
  expect_identical(wald(numbers, mtcars$mpg, num.trees = 10)$predictions,
                   wald(mpg ~ ., mtcars, num.trees = 10)$predictions)
})

test_that("integer64 is read as numbers", {
  skip_if_not_installed("bit64")
  data <- mtcars
  data$cyl <- bit64::as.integer64(data$cyl)
  expect_identical(wald(mpg ~ ., data, num.trees = 5)$predictions,
                   wald(mpg ~ ., mtcars, num.trees = 5)$predictions)
  expect_identical(wald(mpg ~ ., mtcars, weights = bit64::as.integer64(1:32), num.trees = 5)$model,
                   wald(mpg ~ ., mtcars, weights = 1:32, num.trees = 5)$model)
  data$cyl[1] <- bit64::as.integer64(2)^60
  expect_refusal(wald(mpg ~ ., data), "\"cyl\"", "2^53")
})

test_that("out-of-bag errors are those of the predictions", {
  fit <- wald(y ~ ., cells, num.trees = 50)
  expect_equal(fit$prediction.error, mean((cells$y - fit$predictions)^2))
  expect_equal(fit$r.squared, 1 - fit$prediction.error / mean((cells$y - mean(cells$y))^2))
  classes <- wald(Species ~ ., iris, num.trees = 50)
  expect_equal(classes$prediction.error, mean(predict(classes) != iris$Species))
  expect_identical(unclass(classes$confusion),
                   unclass(table(true = iris$Species, predicted = predict(classes))) + 0)
  expect_equal(rowSums(classes$predictions), rep(1, 150))
})

test_that("predictions have the levels of the target in their order", {
  data <- iris
  data$Species <- factor(data$Species, levels = c("virginica", "setosa", "versicolor", "none"))
  fit <- wald(Species ~ ., data, num.trees = 20)
  expect_identical(levels(predict(fit, iris)), levels(data$Species))
  proportions <- predict(fit, iris[c(1, 51, 101), ], type = "prob")
  expect_identical(colnames(proportions), c("virginica", "setosa", "versicolor"))
  expect_identical(colnames(proportions)[max.col(proportions)],
                   c("setosa", "versicolor", "virginica"))
})

test_that("predictions of an ordered target are ordered, and can be compared with it", {
  grade <- factor(rep(c("low", "mid", "high"), 20), levels = c("low", "mid", "high"), ordered = TRUE)
  fit <- wald(cells["x2"], grade, num.trees = 20)
  for (found in list(predict(fit), predict(fit, cells))) {
    expect_s3_class(found, "ordered")
    expect_identical(levels(found), levels(grade))
  }
  expect_no_warning(expect_equal(mean(predict(fit) != grade), fit$prediction.error))
})

test_that("quantiles contain the target as often as they should", {
  data <- simulate_design("friedman_1", 300)
  fit <- wald(y ~ ., data, num.trees = 100)
  found <- predict(fit, type = "quantiles", quantiles = c(0.1, 0.9))
  expect_true(abs(mean(data$y > found[, 1] & data$y < found[, 2]) - 0.8) < 0.1)
})

test_that("a forest survives a session", {
  fit <- wald(Species ~ ., iris, num.trees = 10)
  path <- tempfile(fileext = ".rds")
  saveRDS(fit, path)
  again <- readRDS(path)
  # As in another session, where pointers point nowhere.
  expect_false(.Call(wrap__is_alive, again$native$forest))
  expect_identical(predict(again, iris, type = "prob"), predict(fit, iris, type = "prob"))
  expect_identical(importance(again, "mdi"), importance(fit, "mdi"))
  expect_identical(explain(again, iris[1:3, ]), explain(fit, iris[1:3, ]))
})

test_that("the bytes of a model file are made where they are needed", {
  # What has no bytes fails when they are asked for.
  file <- model_file("no forest")
  expect_error(length(file), "a forest was expected")
  fit <- wald(y ~ ., cells, num.trees = 10)
  path <- write_wald(fit, tempfile())
  expect_identical(readBin(path, "raw", file.size(path)), fit$model)
  # Stored, it is a vector like others.
  expect_identical(unserialize(serialize(fit$model, NULL)), fit$model)
  expect_identical(serialize(fit$model, NULL), serialize(fit$model[seq_along(fit$model)], NULL))
})

test_that("forests travel to the processes of a cluster and back", {
  fit <- wald(y ~ ., cells, num.trees = 10)
  cluster <- parallel::makePSOCKcluster(1)
  on.exit(parallel::stopCluster(cluster))
  work <- function(fit, rows) {
    list(predict(fit, rows), wald::importance(fit, "mdi", num.threads = 1),
         wald::wald(y ~ ., rows, num.trees = 10, num.threads = 1))
  }
  environment(work) <- globalenv()
  found <- parallel::clusterCall(cluster, work, fit, cells)[[1]]
  expect_identical(found[[1]], predict(fit, cells))
  expect_identical(found[[2]], importance(fit, "mdi"))
  expect_identical(found[[3]]$model, fit$model)
  expect_identical(predict(found[[3]], cells), predict(fit, cells))
})

test_that("model files and JSON can be read with and without the data", {
  fit <- wald(y ~ ., cells, num.trees = 10)
  for (format in c("model", "json")) {
    path <- write_wald(fit, tempfile(), format)
    again <- read_wald(path, cells[names(fit$levels)], cells$y)
    expect_identical(predict(again, cells), predict(fit, cells))
    expect_identical(importance(again, "mdi"), importance(fit, "mdi"))
    alone <- read_wald(path)
    expect_output(print(alone), "^wald: forest of 10 trees.*\n5 variables$")
    expect_identical(predict(alone, cells), predict(fit, cells))
    expect_refusal(importance(alone), "training data", class = "wald_measure_error")
    expect_refusal(write_wald(fit, path), "exists already", class = "wald_file_error")
  }
})

test_that("forests work in forked processes", {
  skip_on_os("windows")
  fit <- wald(y ~ ., cells, num.trees = 10)
  found <- parallel::mclapply(1:3, function(seed) {
    list(wald(y ~ ., cells, num.trees = 10, seed = seed)$predictions, predict(fit, cells))
  }, mc.cores = 2)
  for (seed in 1:3) {
    expect_identical(found[[seed]][[1]], wald(y ~ ., cells, num.trees = 10, seed = seed)$predictions)
    expect_identical(found[[seed]][[2]], predict(fit, cells))
  }
})

test_that("an interruption is heard, and the session goes on", {
  skip_on_os("windows")
  begun <- proc.time()[["elapsed"]]
  # The signal of Ctrl-C, after half a second.
  system(paste("(sleep 0.5; kill -INT", Sys.getpid(), ") &"))
  data <- simulate_design("friedman_1", 5000)
  heard <- tryCatch({
    wald(y ~ ., data, num.trees = 20000)
    FALSE
  }, interrupt = function(condition) TRUE)
  expect_true(heard)
  expect_lt(proc.time()[["elapsed"]] - begun, 30)
  expect_length(wald(y ~ ., cells, num.trees = 5)$predictions, 60)
})

test_that("long work shows its progress, which ends with it", {
  # testthat mutes all messages.
  heard <- list2env(list(is_heard = function(doing) TRUE), parent = environment(ticker))
  environment(ticker) <- heard
  tick <- ticker(TRUE, "growing trees", patience = -1)
  shown <- utils::capture.output(expect_false(tick(1, 4)), type = "message")
  expect_identical(shown[1], "growing trees")
  expect_false(is.null(session$bar))
  checked(NULL)
  expect_null(session$bar)
})

test_that("suppressMessages() hides progress, of which handlers of messages are given the heading", {
  hidden <- suppressMessages(ticker(TRUE, "growing trees", patience = -1))
  # What the engine calls knows no handlers.
  expect_identical(utils::capture.output(invisible(hidden(1, 4)), type = "message"), character())
  expect_null(session$bar)
  grow <- function(progress) wald(y ~ ., cells, num.trees = 5, progress = progress)
  expect_message(fit <- grow(TRUE), "^growing trees\n$")
  expect_length(fit$predictions, 60)
  expect_silent(grow(FALSE))
})

test_that("a target of two numbers is noted, since it may be classes", {
  fit <- wald(am ~ ., mtcars, num.trees = 5)
  expect_match(fit$notes, "\"am\" holds numbers, of which there are two, 0 and 1; factor(am)", fixed = TRUE)
  expect_output(print(fit), "note: regression was chosen")
  expect_output(print(summary(fit)), "note: regression was chosen")
  for (other in list(mpg ~ ., factor(am) ~ ., (am > 0) ~ .)) expect_null(wald(other, mtcars, num.trees = 2)$notes)
})

test_that("no rows have no predictions", {
  fit <- wald(y ~ ., cells, num.trees = 5)
  expect_identical(predict(fit, cells[0, ]), numeric())
  quantiles <- predict(fit, cells[0, ], type = "quantiles", quantiles = 0.5)
  expect_identical(quantiles, predict(fit, cells[1, ], type = "quantiles", quantiles = 0.5)[0, , drop = FALSE])
  expect_refusal(predict(fit, cells[0, ], type = "quantiles", quantiles = 2), "quantiles is 2")
  expect_refusal(predict(fit, cells[0, -1]), "\"x1\"")
  # What explains or compares rows needs some.
  expect_refusal(explain(fit, cells[0, ]), "no rows")
  classes <- wald(Species ~ ., iris, num.trees = 5)
  expect_identical(predict(classes, iris[0, ]), iris$Species[0])
  expect_identical(predict(classes, iris[0, ], type = "prob"), predict(classes, iris[1, ], type = "prob")[0, ])
})

test_that("names of columns that a forest does not use do not matter", {
  fit <- wald(y ~ ., cells, num.trees = 5)
  for (names in list(c("k", "k"), c("k", ""), c("k", NA))) {
    wide <- stats::setNames(cbind(cells, k = 1, l = 2), c(names(cells), names))
    expect_identical(predict(fit, wide), predict(fit, cells))
  }
  expect_refusal(predict(fit, cbind(cells, x1 = 1)), "two columns \"x1\"")
  test <- stats::setNames(cbind(cells, k = 1, k = 2), c(names(cells), "k", "k"))
  expect_identical(importance(fit, "mda_train_test", test = test), importance(fit, "mda_train_test", test = cells))
  expect_refusal(importance(fit, "mda_train_test", test = cbind(cells, y = 1)), "two columns \"y\"")
})

test_that("forests and what is found print", {
  fit <- wald(Species ~ ., iris, num.trees = 10)
  expect_output(print(fit), "forest of 10 trees")
  expect_output(print(summary(fit)), "confusion")
  expect_output(print(importance(fit, "mdi")), "Petal.Length")
})
