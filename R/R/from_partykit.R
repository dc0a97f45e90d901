# Forests of partykit as wald-forest JSON; from_r.R says how.
#
#   fit <- partykit::cforest(y ~ ., data)
#   writeLines(wald_from_partykit(fit), "forest.json")

# partykit's nodes are lists with a split and kids. Leaves have no values: wald computes them from the bags,
# as partykit does from its weights.
wald_from_partykit <- function(fit) {
  target <- wald_partykit_target(fit)
  response <- if (length(target) == 1) fit$data[[target]]
  wald_refuse_targets("partykit", length(target), response, inherits(response, "Surv"), is.ordered(response))
  inputs <- fit$data[wald_partykit_inputs(fit)]
  if (anyNA(inputs)) {
    stop("partykit draws the side of missing values at random; leave out or impute these values, and grow the ",
         "forest on that")
  }
  levels <- lapply(inputs, wald_levels)
  place_of <- match(names(fit$data), names(inputs))
  trees <- lapply(seq_along(fit$nodes), function(tree) {
    nodes <- list()
    left <- right <- integer(0)
    add <- function(node) {
      place <- length(nodes) + 1
      nodes[[place]] <<- node$split
      left[place] <<- right[place] <<- -1
      if (is.null(node$split)) {
        # NULL would not lengthen the list.
        nodes[place] <<- list(NULL)
      } else {
        if (length(node$kids) != 2) {
          stop("splits into more than two nodes are not supported; grow the forest with multiway = FALSE")
        }
        # The index of kids is turned where values above the break are those of the first one.
        turned <- is.numeric(node$split$breaks) && identical(as.integer(node$split$index), 2:1)
        left[place] <<- add(node$kids[[if (turned) 2 else 1]])
        right[place] <<- add(node$kids[[if (turned) 1 else 2]])
      }
      place - 1
    }
    add(fit$nodes[[tree]])
    leaf <- vapply(nodes, is.null, NA)
    feature <- vapply(nodes, function(split) if (is.null(split)) -1 else place_of[split$varid] - 1, 0)
    of_levels <- !leaf & !vapply(feature + 1, function(j) j == 0 || is.null(levels[[j]]), NA)
    cut <- vapply(seq_along(nodes), function(i) {
      if (leaf[i] || of_levels[i]) return(NA_real_)
      split <- nodes[[i]]
      # A split that is open at the right sends the break itself to the right.
      if (isFALSE(split$right)) {
        stop("splits that are open at the right are not supported; grow the forest by partykit::cforest()")
      }
      as.numeric(split$breaks)
    }, 0)
    levels_right <- lapply(seq_along(nodes), function(i) {
      if (!of_levels[i]) return(NULL)
      split <- nodes[[i]]
      codes <- seq_along(levels[[feature[i] + 1]]) - 1
      if (!is.null(split$breaks)) return(codes[codes + 1 > as.numeric(split$breaks)])
      # Levels that no row of the node had are NA.
      codes[is.na(split$index) | split$index == 2]
    })
    wald_tree(feature, cut, left, right, of_levels, levels_right, NULL, fit$weights[[tree]])
  })
  # Without levels that no row has.
  classes <- if (is.factor(response)) levels(droplevels(response)) else wald_levels(response)
  wald_document(names(inputs), levels, classes, target, "mean", trees, fit$info$control$mtry)
}

# Names of inputs. Weights, offsets and clusters are columns with names in parentheses, such as "(weights)".
wald_partykit_inputs <- function(fit) {
  names <- setdiff(names(fit$data), wald_partykit_target(fit))
  names[!grepl("^\\(.*\\)$", names)]
}

# The name of the target; none where the formula has several, which partykit does not tell from inputs.
wald_partykit_target <- function(fit) names(fit$data)[attr(fit$terms, "response")]
