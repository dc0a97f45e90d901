# What R raises while the engine works.

test_that("a time limit is an error that is caught, and the session goes on", {
  data <- simulate_design("friedman_1", 5000)
  limited <- function() {
    setTimeLimit(elapsed = 0.5, transient = TRUE)
    on.exit(setTimeLimit())
    wald(y ~ ., data, num.trees = 20000)
  }
  seen <- NULL
  note <- function(error) seen <<- c(seen, conditionMessage(error))
  noticed <- function() withCallingHandlers(limited(), error = note)
  error <- tryCatch(noticed(), error = function(error) error)
  expect_s3_class(error, "error")
  expect_match(conditionMessage(error), "time limit")
  expect_identical(conditionCall(error)[[1]], quote(wald))
  expect_identical(seen, conditionMessage(error))
  expect_length(wald(y ~ ., cells, num.trees = 5)$predictions, 60)
})

test_that("an error of an earlier call is not raised again", {
  session$error <- simpleError("earlier")
  ticker(FALSE, "growing trees")
  expect_null(session$error)
})

test_that("an error that nothing has caught is one of the call", {
  data <- native_data(wald(y ~ ., simulate_design("friedman_1", 5000), num.trees = 1))
  work <- list(num.threads = 1, free = NULL, tick = function(done, total) stop("in the tick"))
  expect_refusal(checked(.Call(wrap__grow_forest, data, list(trees = 20000), work)), "R raised an error",
                 class = "wald_session_error")
})
