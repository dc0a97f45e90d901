# The engine "wald" of parsnip's rand_forest().

.onLoad <- function(libname, pkgname) {
  if (isNamespaceLoaded("parsnip")) return(register_parsnip(asNamespace("parsnip")))
  setHook(packageEvent("parsnip", "onLoad"), function(...) register_parsnip(asNamespace("parsnip")))
}

# `parsnip` holds the functions of parsnip.
register_parsnip <- function(parsnip) {
  model <- "rand_forest"
  for (mode in c("regression", "classification")) {
    parsnip$set_model_engine(model, mode, "wald")
    parsnip$set_dependency(model, "wald", "wald", mode = mode)
    parsnip$set_fit(model, "wald", mode, value = list(
      interface = "data.frame", protect = c("x", "y", "weights"),
      func = c(pkg = "wald", fun = "wald"), defaults = list(seed = quote(sample.int(10^5, 1)))))
    parsnip$set_encoding(model, "wald", mode, options = list(
      predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
      allow_sparse_x = FALSE))
  }
  for (argument in list(c("mtry", "mtry"), c("trees", "num.trees"), c("min_n", "min.node.size"))) {
    parsnip$set_model_arg(model, "wald", argument[1], argument[2], has_submodel = FALSE,
                          func = list(pkg = "dials", fun = argument[1]))
  }
  prediction <- function(type) {
    list(pre = NULL, post = NULL, func = c(fun = "predict"),
         args = list(object = quote(object$fit), newdata = quote(new_data), type = type))
  }
  parsnip$set_pred(model, "wald", "regression", "numeric", prediction("response"))
  parsnip$set_pred(model, "wald", "classification", "class", prediction("response"))
  probabilities <- prediction("prob")
  probabilities$post <- function(result, object) as_tibble(as.data.frame(result))
  parsnip$set_pred(model, "wald", "classification", "prob", probabilities)
  invisible()
}
