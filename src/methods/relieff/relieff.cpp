#include "tamis/methods/relieff.hpp"

#include <algorithm>

#include "core/ties.hpp"
#include "methods/preconditions.hpp"
#include "methods/relieff/range_rows.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using Partners = std::vector<RangeRows::Partner>;

/// The labeled rows by class, numbered by their place among them.
class LabeledClasses {
 public:
  LabeledClasses(const Knowledge& known, const std::vector<Index>& labeled) {
    std::vector<Index> labels;
    for (const Index row : labeled) labels.push_back(known.label(row));
    class_of_.resize(labels.size());
    for (auto& [label, members] : positions_by_class(labels)) {
      for (const Index position : members) class_of_[position] = std::ssize(classes_);
      classes_.push_back(std::move(members));
    }
  }

  /// The k nearest rows of each class with what each counts in the mean over all rows: hits against
  /// the feature, misses for it by the share of their class among the others.
  Partners partners(Index row, std::span<const double> distances, Index k) const {
    const auto labeled = static_cast<double>(class_of_.size());
    const Index own = class_of_[row];
    const double others = labeled - static_cast<double>(classes_[own].size());
    Partners all;
    std::vector<RowDistance> near;
    for (Index c = 0; c < std::ssize(classes_); ++c) {
      near.clear();
      for (const Index position : classes_[c])
        if (position != row) near.push_back({distances[position], position});
      keep_nearest(near, k);
      const double share = c == own ? -1.0 : static_cast<double>(classes_[c].size()) / others;
      for (const RowDistance& partner : near)
        all.push_back({partner.row, share / labeled / static_cast<double>(near.size())});
    }
    return all;
  }

 private:
  std::vector<Index> class_of_;
  std::vector<std::vector<Index>> classes_;
};

/// Rows whose distances to all are held at once: at most 64 MB, but for very many rows.
Index rows_at_once(Index labeled) {
  constexpr Index kHeldDistances = Index{1} << 23;
  return std::clamp<Index>(kHeldDistances / labeled, 16, 256);
}

}  // namespace

Ranking relieff(const Problem& problem, const RelieffOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  const std::vector<Index> labeled = labeled_rows(problem.known);
  const std::vector<bool> differs = varying_columns(problem.matrix, labeled);
  if (std::ranges::find(differs, true) == differs.end())
    throw DataError(constant_on_labeled_rows(options.info));
  const LabeledClasses classes(problem.known, labeled);
  const RangeRows rows(problem.matrix, labeled);
  const Index step = rows_at_once(rows.rows());
  std::vector<double> scores(problem.cols(), 0.0);
  Progress::Stage stage(run.progress, "nearest rows of each class", rows.rows());
  for (Index begin = 0; begin < rows.rows(); begin += step) {
    const Index end = std::min(begin + step, rows.rows());
    const std::vector<double> distances = rows.distances(begin, end);
    std::vector<Partners> partners(end - begin);
    parallel_for(end - begin, 1, [&](Index from, Index to) {
      for (Index s = from; s < to; ++s)
        partners[s] =
            classes.partners(begin + s, std::span(distances).subspan(s * rows.rows(), rows.rows()),
                             options.n_neighbors);
    });
    rows.add_differences(begin, partners, scores);
    stage.advance(end - begin);
  }
  const std::vector<bool> varies = varying_columns(problem.matrix);
  for (Index r = 0; r < problem.cols(); ++r)
    if (!varies[r]) scores[r] = kUndefined;
  return rank_features(std::move(scores), Better::higher, {},
                       constant_on_labeled_rows(options.info));
}

}  // namespace tamis
