#include "prepare/condense.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "constraints/constraint_set.hpp"

namespace tamis {
namespace {

constexpr Index kFewestRows = 4;

/// Rows of which something is known: they have a label or are in a pair.
std::vector<bool> known_rows(const Problem& problem) {
  std::vector<bool> known(problem.rows(), false);
  for (const Index i : labeled_rows(problem)) known[i] = true;
  if (problem.pairs)
    for (const auto* const pairs : {&problem.pairs->must_link, &problem.pairs->cannot_link})
      for (const RowPair& pair : *pairs) known[pair.first] = known[pair.second] = true;
  return known;
}

std::vector<RowPair> renumber(std::vector<RowPair> pairs, const std::vector<Index>& place) {
  for (RowPair& pair : pairs) {
    pair.first = place[pair.first];
    pair.second = place[pair.second];
  }
  return pairs;
}

}  // namespace

CondensedProblem::CondensedProblem(const Problem& problem, const CondenseOptions& options,
                                   Diagnostics& diagnostics)
    : original_(problem) {
  if (options.condense == Condense::none) return;
  const ConstraintSet checked(problem);
  std::vector<Index> kept;
  std::vector<Index> replaced;
  const std::vector<bool> known = known_rows(problem);
  for (Index i = 0; i < problem.rows(); ++i) (known[i] ? kept : replaced).push_back(i);
  if (std::ssize(replaced) < kFewestRows) {
    diagnostics.warnings.push_back(
        fmt::format("nothing was condensed: {} of {} rows have neither label nor pair, and a map "
                    "needs {}",
                    replaced.size(), problem.rows(), kFewestRows));
    return;
  }
  const Som som = train_som(problem.matrix, replaced, options.som, problem.progress);
  diagnostics.warnings.insert(diagnostics.warnings.end(), som.warnings.begin(), som.warnings.end());
  diagnostics.figures.emplace_back("map_rows", static_cast<double>(som.sheet_rows));
  diagnostics.figures.emplace_back("map_cols", static_cast<double>(som.sheet_cols));
  diagnostics.figures.emplace_back("quantization_error", som.quantization_error);
  build(kept, som);
}

void CondensedProblem::build(std::span<const Index> kept, const Som& som) {
  const Index rows = std::ssize(kept) + som.n_units();
  const Index cols = original_.cols();
  if (original_.matrix.is_single()) {
    fill(kept, som, floats_);
    condensed_ = Problem{.matrix = DenseView<float>(floats_.data(), rows, cols)};
  } else {
    fill(kept, som, doubles_);
    condensed_ = Problem{.matrix = DenseView<double>(doubles_.data(), rows, cols)};
  }
  condensed_->feature_names = original_.feature_names;
  condensed_->class_names = original_.class_names;
  condensed_->progress = original_.progress;
  condensed_->labels.assign(rows, kUnlabeled);
  std::vector<Index> place(original_.rows(), -1);
  for (Index s = 0; s < std::ssize(kept); ++s) {
    condensed_->labels[s] = original_.label(kept[s]);
    place[kept[s]] = s;
  }
  if (original_.pairs)
    condensed_->pairs = PairConstraints{renumber(original_.pairs->must_link, place),
                                        renumber(original_.pairs->cannot_link, place)};
}

template <class T>
void CondensedProblem::fill(std::span<const Index> kept, const Som& som, Buffer<T>& values) {
  const Index cols = original_.cols();
  const Index n_kept = std::ssize(kept);
  values.resize((n_kept + som.n_units()) * cols);
  copy_columns(original_.matrix, kept, 0, cols, values.data());
  std::ranges::transform(som.codebook, values.begin() + n_kept * cols,
                         [](double value) { return static_cast<T>(value); });
  // Averages of a constant column may differ in the last bit: it must stay constant.
  const std::vector<bool> varies = varying_columns(original_.matrix);
  for (Index r = 0; r < cols; ++r) {
    if (varies[r]) continue;
    T constant{};
    copy_columns(original_.matrix, std::array<Index, 1>{0}, r, 1, &constant);
    for (Index z = 0; z < som.n_units(); ++z) values[(n_kept + z) * cols + r] = constant;
  }
}

}  // namespace tamis
