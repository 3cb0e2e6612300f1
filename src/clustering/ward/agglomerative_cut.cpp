#include <algorithm>
#include <cmath>
#include <limits>

#include "clustering/ward/agglomerative.hpp"
#include "clustering/ward/agglomerative_clusters.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Groups of rows with what the Davies-Bouldin index needs of them. A merge changes one group only.
class Groups {
 public:
  Groups(const MatrixView& x, std::span<const Index> assignment);

  double davies_bouldin() const;
  /// Joins the groups of two rows.
  void merge(Index row, Index other_row);

 private:
  struct Group {
    std::vector<Index> rows = {};
    std::vector<double> centroid = {};
    double spread = 0.0;
  };

  void measure_spread(Group& group) const;
  void measure_distances(Index place);
  double& distance(Index a, Index b) { return distances_[a * capacity_ + b]; }
  double distance(Index a, Index b) const { return distances_[a * capacity_ + b]; }

  const MatrixView& x_;
  std::vector<Index> place_of_row_;
  std::vector<Group> groups_;
  Index capacity_ = 0;
  std::vector<double> distances_;  // of the centroids
};

Groups::Groups(const MatrixView& x, std::span<const Index> assignment)
    : x_(x), place_of_row_(assignment.begin(), assignment.end()) {
  capacity_ = std::ranges::max(assignment) + 1;
  groups_.resize(capacity_);
  distances_.resize(capacity_ * capacity_);
  for (Index i = 0; i < x.rows(); ++i) groups_[assignment[i]].rows.push_back(i);
  std::vector<double> point(x.cols());
  for (Group& group : groups_) {
    group.centroid.resize(x.cols());
    double seen = 0.0;
    for (const Index row : group.rows) {
      seen += 1.0;
      copy_columns(x, std::span(&row, 1), 0, x.cols(), point.data());
      if (seen == 1.0)
        group.centroid = point;
      else
        move_mean(group.centroid.data(), point.data(), 1.0 / seen, x.cols());
    }
    measure_spread(group);
  }
  for (Index a = 0; a < capacity_; ++a) measure_distances(a);
}

void Groups::measure_spread(Group& group) const {
  constexpr Index kRowsAtOnce = 256;
  std::vector<double> distances(group.rows.size());
  parallel_for(std::ssize(group.rows), kRowsAtOnce, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s)
      distances[s] = std::sqrt(squared_distance(x_, group.rows[s], group.centroid));
  });
  double sum = 0.0;
  for (const double d : distances) sum += d;
  group.spread = group.rows.size() == 1 ? 0.0 : sum / static_cast<double>(group.rows.size());
}

void Groups::measure_distances(Index place) {
  const DenseView<double> own(groups_[place].centroid.data(), 1, x_.cols());
  for (Index other = 0; other < std::ssize(groups_); ++other)
    distance(place, other) = distance(other, place) =
        std::sqrt(squared_distance(own, 0, groups_[other].centroid));
}

double Groups::davies_bouldin() const {
  const Index count = std::ssize(groups_);
  double sum = 0.0;
  for (Index a = 0; a < count; ++a) {
    double worst = 0.0;
    for (Index b = 0; b < count; ++b) {
      if (b == a) continue;
      // Groups in one place are not told apart, however narrow they are.
      const double ratio = distance(a, b) > 0.0
                               ? (groups_[a].spread + groups_[b].spread) / distance(a, b)
                               : std::numeric_limits<double>::infinity();
      worst = std::max(worst, ratio);
    }
    sum += worst;
  }
  return sum / static_cast<double>(count);
}

void Groups::merge(Index row, Index other_row) {
  const auto [kept, gone] = std::minmax({place_of_row_[row], place_of_row_[other_row]});
  Group& group = groups_[kept];
  Group& other = groups_[gone];
  group.rows.insert(group.rows.end(), other.rows.begin(), other.rows.end());
  move_mean(group.centroid.data(), other.centroid.data(),
            static_cast<double>(other.rows.size()) / static_cast<double>(group.rows.size()),
            x_.cols());
  for (const Index i : other.rows) place_of_row_[i] = kept;
  const Index last = std::ssize(groups_) - 1;
  if (gone != last) {
    other = std::move(groups_[last]);
    for (const Index i : other.rows) place_of_row_[i] = gone;
  }
  groups_.pop_back();
  measure_spread(groups_[kept]);
  if (gone != last) measure_distances(gone);
  measure_distances(kept);
}

/// Some row of each cluster of the dendrogram, by its number.
std::vector<Index> rows_of_clusters(std::span<const Merge> merges) {
  std::vector<Index> rows = all_indices(std::ssize(merges) + 1);
  for (const Merge& merge : merges) rows.push_back(rows[merge.first]);
  return rows;
}

Index ceil_sqrt(Index n) {
  auto root = static_cast<Index>(std::sqrt(static_cast<double>(n)));
  while (root * root < n) ++root;
  return root;
}

}  // namespace

double davies_bouldin(const MatrixView& x, std::span<const Index> assignment) {
  return Groups(x, assignment).davies_bouldin();
}

std::vector<Index> davies_bouldin_cut(const MatrixView& x, std::span<const Merge> merges,
                                      std::optional<Index> max_clusters) {
  const Index rows = x.rows();
  if (rows < 3) return std::vector<Index>(rows, 0);
  const Index most = std::clamp<Index>(max_clusters.value_or(ceil_sqrt(rows)), 2, rows);
  const std::vector<Index> row_of = rows_of_clusters(merges);
  Groups groups(x, cut(merges, most));
  Index best = most;
  double least = groups.davies_bouldin();
  for (Index count = most - 1; count >= 2; --count) {
    const Merge& merge = merges[rows - 1 - count];
    groups.merge(row_of[merge.first], row_of[merge.second]);
    const double index = groups.davies_bouldin();
    if (index > least) continue;
    least = index;
    best = count;
  }
  return cut(merges, best);
}

}  // namespace tamis
