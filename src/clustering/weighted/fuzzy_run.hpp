#pragma once

#include <span>
#include <vector>

#include "clustering/weighted/cluster_setting.hpp"
#include "clustering/weighted/link_costs.hpp"
#include "tamis/clustering/clustering.hpp"

namespace tamis {

/// From what memberships follow: for rows without links, from centroids and weights alone.
struct MembershipRecipe {
  Membership kind = Membership::fuzzy;
  ClusterStart solved_for = {};
  std::vector<double> linked = {};  ///< linked rows x clusters
};

/// The memberships of rows without links, clusters x lanes: in the nearest cluster, or eq. 4.15
/// without constraints.
void free_memberships(Membership kind, const double* distances, Index n_clusters, Index lanes,
                      double* memberships);

/// The largest difference of two such, among the first `count` lanes.
double largest_difference(const double* a, const double* b, Index n_clusters, Index lanes,
                          Index count);

/// Rows x clusters.
std::vector<double> memberships(const ClusterSetting& setting, const MembershipRecipe& recipe);

/// One run of wckm: each step solves for memberships, then centroids, then weights.
///
/// Memberships of rows without links are not kept: where it matters how much they change, those
/// before are found again.
class FuzzyRun {
 public:
  FuzzyRun(const ClusterSetting& setting, Membership membership, double penalty,
           ClusterStart start);

  struct Step {
    ClusterIteration iteration;
    double largest_change = 0.0;   ///< of a membership; infinite if it is surely not small
    double soft_violations = 0.0;  ///< the penalised sum, without the penalty
    Index moved_by_links = 0;      ///< rows that would be elsewhere if their links did not count
  };
  /// @throws DataError if the penalty of links outweighs every distance by far more than numbers
  /// can
  Step step();

  struct Changes {
    void add(const Changes& more);

    Index rows = 0;
    double largest = 0.0;
  };
  /// What rows without links say to the centroids and weights of now().
  struct FreeRows {
    DeviationSums sums;
    Changes changes = {};
  };
  /// The same where others have looked at all rows without links: the setting has none.
  Step step(FreeRows free);

  const ClusterStart& now() const { return now_; }
  /// The centroids and weights before those, if they are so near that memberships may have settled:
  /// only then it matters how much these change.
  const ClusterStart* near_before() const;

  const std::vector<double>& centroids() const { return now_.centroids; }
  const std::vector<double>& weights() const { return now_.weights; }
  const std::vector<Index>& clusters() const { return clusters_; }
  /// Of the memberships that the last step found.
  const MembershipRecipe& recipe() const { return recipe_; }

 private:
  template <class T>
  FreeRows place_free_rows();
  template <class T>
  Changes place_group(RowGroup<T>& group, Index first, Index count);
  DeviationSums place_linked_rows(Step& step, Changes& changes);
  void begin_sweeps(std::span<const double> distances);
  void sweep(std::span<const double> distances, double unit_penalty, Step& step, Changes& changes);
  double soft_violations();
  /// Moves centroids and weights; returns sum_j w_j^beta D_j.
  double update(const DeviationSums& sums);
  std::span<double> of_linked(Index place) {
    return std::span(recipe_.linked).subspan(place * setting_.n_clusters, setting_.n_clusters);
  }

  const ClusterSetting& setting_;
  double penalty_;
  ClusterStart now_;
  MembershipRecipe recipe_;
  std::vector<Index> clusters_;
  LinkCosts costs_;
};

}  // namespace tamis
