# The engine "wald" of parsnip's rand_forest().

.onLoad <- function(libname, pkgname) {
  if (isNamespaceLoaded("parsnip")) return(register_parsnip(asNamespace("parsnip")))
  setHook(packageEvent("parsnip", "onLoad"), function(...) register_parsnip(asNamespace("parsnip")))
}

# `parsnip` holds the functions of parsnip. Their arguments are named: they do not all have one order.
register_parsnip <- function(parsnip) {
  model <- "rand_forest"
  for (mode in c("regression", "classification")) {
    parsnip$set_model_engine(model = model, mode = mode, eng = "wald")
    parsnip$set_dependency(model = model, eng = "wald", pkg = "wald", mode = mode)
    parsnip$set_fit(model = model, mode = mode, eng = "wald", value = list(
      interface = "data.frame", protect = c("x", "y", "weights"),
      func = c(pkg = "wald", fun = "wald"), defaults = list(seed = quote(sample.int(10^5, 1)))))
    parsnip$set_encoding(model = model, mode = mode, eng = "wald", options = list(
      predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
      allow_sparse_x = FALSE))
  }
  for (argument in list(c("mtry", "mtry"), c("trees", "num.trees"), c("min_n", "min.node.size"))) {
    parsnip$set_model_arg(model = model, eng = "wald", parsnip = argument[1], original = argument[2],
                          func = list(pkg = "dials", fun = argument[1]), has_submodel = FALSE)
  }
  prediction <- function(mode, type, ours, post = NULL) {
    parsnip$set_pred(model = model, mode = mode, eng = "wald", type = type, value = list(
      pre = NULL, post = post, func = c(fun = "predict"),
      args = list(object = quote(object$fit), newdata = quote(new_data), type = ours)))
  }
  # Of the base environment, so that a package that is loaded again registers the same function.
  as_data_frame <- function(result, object) as.data.frame(result)
  environment(as_data_frame) <- baseenv()
  prediction("regression", "numeric", "response")
  prediction("classification", "class", "response")
  prediction("classification", "prob", "prob", as_data_frame)
  invisible()
}
