#pragma once

#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// How features are judged: docs/methods/ridge_omp.md.
struct RelevanceOptions {
  double fdr = 0.1;
  Null null = Null::automatic;
  Index n_folds = 5;
  Index n_decoys = 2000;

  bool is_wanted() const { return fdr < 1.0; }

  static constexpr auto fields() {
    using Self = RelevanceOptions;
    return field_list(
        field("fdr", &Self::fdr, Range{.low = 0.0, .high = 1.0, .excludes_low = true},
              "share of false discoveries among relevant features that you accept, and among those "
              "that add something; 1: do not judge"),
        field(
            "null", &Self::null,
            "what irrelevant features have nothing to do with: the labels (or numeric target), or "
            "neither them nor other columns; auto: labels where at least half of the rows have "
            "one"),
        field("n_folds", &Self::n_folds, between(2, 1000),
              "parts of the columns, each judged by a target that the others make"),
        field("n_decoys", &Self::n_decoys, at_least(0),
              "columns with permuted rows that correct the law of chance, per kind of column; 0: "
              "the law alone"));
  }
};

}  // namespace tamis
