# Forests of party as wald-forest JSON; from_r.R says how.
#
#   fit <- party::cforest(y ~ ., data, controls = party::cforest_unbiased())
#   writeLines(wald_from_party(fit), "forest.json")

wald_from_party <- function(fit) {
  inputs <- fit@data@get("input")
  response <- fit@responses@variables
  # party makes numbers of an ordered target, and remembers that.
  wald_refuse_targets("party", length(response), response[[1]], any(fit@responses@is_censored),
                      any(fit@responses@is_ordinal))
  if (anyNA(inputs)) {
    stop("party's surrogate splits for missing values are not supported; leave out or impute these values, ",
         "and grow the forest on that")
  }
  levels <- lapply(inputs, wald_levels)
  first_code <- ifelse(vapply(inputs, is.logical, NA), 0, 1)
  # Leaves have shares of all levels; without those that no row has.
  known <- which(table(response[[1]]) > 0)
  classes <- if (is.factor(response[[1]])) levels(response[[1]])[known]
  trees <- lapply(seq_along(fit@ensemble), function(tree) {
    # party's nodes are lists: number, -, -, terminal, split, -, prediction, left, right.
    nodes <- list()
    left <- right <- integer(0)
    add <- function(node) {
      place <- length(nodes) + 1
      nodes[[place]] <<- node
      left[place] <<- right[place] <<- -1
      if (!node[[4]]) {
        # The fifth entry of a split encodes whether values up to the cut go left.
        turned <- node[[5]][[2]] && node[[5]][[5]] == 0
        left[place] <<- add(node[[if (turned) 9 else 8]])
        right[place] <<- add(node[[if (turned) 8 else 9]])
      }
      place - 1
    }
    add(fit@ensemble[[tree]])
    leaf <- vapply(nodes, function(node) node[[4]], NA)
    split_of <- function(i) nodes[[i]][[5]]
    feature <- vapply(seq_along(nodes), function(i) if (leaf[i]) -1 else split_of(i)[[1]] - 1, 0)
    of_levels <- !leaf & !vapply(feature + 1, function(j) j == 0 || is.null(levels[[j]]), NA)
    cut <- vapply(seq_along(nodes), function(i) {
      if (leaf[i] || of_levels[i]) NA_real_ else as.numeric(split_of(i)[[3]])
    }, 0)
    levels_right <- lapply(seq_along(nodes), function(i) {
      if (!of_levels[i]) return(NULL)
      split <- split_of(i)
      j <- feature[i] + 1
      codes <- seq_along(levels[[j]]) - 1
      # Of ordered factors and logicals the cut is the number of a level, else 1 stands for left.
      if (split[[2]]) codes[codes + first_code[j] > as.numeric(split[[3]])] else codes[split[[3]] == 0]
    })
    value <- lapply(nodes, function(node) node[[7]])
    value <- if (is.null(classes)) wald_numbers(unlist(value))
      else wald_rows(do.call(rbind, value)[, known, drop = FALSE])
    wald_tree(feature, cut, left, right, of_levels, levels_right, value, fit@weights[[tree]])
  })
  wald_document(names(inputs), levels, classes, names(response), "mean", trees, wald_party_mtry(fit))
}

# What cforest_control() was given, which only the functions of a forest keep. Zero stands for all variables.
wald_party_mtry <- function(fit) {
  controls <- environment(fit@predict_response)$controls
  mtry <- tryCatch(controls@gtctrl@mtry, error = function(error) NULL)
  if (identical(as.numeric(mtry), 0)) Inf else mtry
}

