# Forests of randomForest as wald-forest JSON; from_r.R says how.
#
#   fit <- randomForest::randomForest(y ~ ., data, keep.inbag = TRUE)
#   writeLines(wald_from_randomforest(fit, data), "forest.json")

# `data` are the inputs on which the forest was grown: from them alone it is known which columns that
# randomForest has made numbers are texts, logicals or ordered.
wald_from_randomforest <- function(fit, data = NULL) {
  forest <- fit$forest
  if (identical(fit$type, "unsupervised")) {
    stop("unsupervised forests of randomForest are not supported; grow one with a target")
  }
  if (is.null(forest)) stop("randomForest has not kept the trees; grow the forest with keep.forest = TRUE")
  if (is.null(fit$inbag)) stop("randomForest has not kept the bags; grow the forest with keep.inbag = TRUE")
  regression <- fit$type == "regression"
  names <- wald_randomforest_inputs(fit)
  levels <- lapply(seq_along(names), function(j) {
    known <- forest$xlevels[[j]]
    if (is.character(known)) known else wald_levels(data[[names[j]]])
  })
  first_code <- ifelse(vapply(names, function(name) is.logical(data[[name]]), NA), 0, 1)
  classes <- if (regression) NULL else fit$classes
  trees <- lapply(seq_len(forest$ntree), function(tree) {
    nodes <- seq_len(forest$ndbigtree[tree])
    # getTree() makes a vector of a tree that is a root alone.
    left <- if (regression) forest$leftDaughter[nodes, tree] else forest$treemap[nodes, 1, tree]
    right_child <- if (regression) forest$rightDaughter[nodes, tree] else forest$treemap[nodes, 2, tree]
    leaf <- left == 0
    feature <- ifelse(leaf, -1, forest$bestvar[nodes, tree] - 1)
    cut <- ifelse(leaf, NA, forest$xbestsplit[nodes, tree])
    of_levels <- !leaf & !vapply(feature + 1, function(j) j == 0 || is.null(levels[[j]]), NA)
    right <- vector("list", length(leaf))
    right[of_levels] <- lapply(which(of_levels), function(i) {
      j <- feature[i] + 1
      codes <- seq_along(levels[[j]]) - 1
      # Of ordered factors, texts and logicals a threshold on level numbers: the levels above it go right.
      if (forest$ncat[j] == 1) return(codes[codes + first_code[j] > cut[i]])
      # The bits of the split point are the levels that go left.
      codes[floor(cut[i] / 2^codes) %% 2 == 0]
    })
    value <- ifelse(leaf, forest$nodepred[nodes, tree], NA)
    value <- if (regression) wald_numbers(value) else wald_one_hot(value, length(classes))
    wald_tree(feature, cut, left - 1, right_child - 1, of_levels, right, value, fit$inbag[, tree])
  })
  target <- if (is.null(fit$terms)) NULL else paste(deparse(fit$terms[[2]]), collapse = " ")
  wald_document(names, levels, classes, target, if (regression) "mean" else "vote", trees)
}

# Names of inputs, which are numbers where a matrix had none.
wald_randomforest_inputs <- function(fit) {
  names <- names(fit$forest$ncat)
  if (is.null(names)) rownames(fit$importance) else names
}
