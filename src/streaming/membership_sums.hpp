#pragma once

#include <optional>
#include <vector>

#include "clustering/weighted/fuzzy_run.hpp"
#include "levels/code_facts.hpp"
#include "streaming/pass.hpp"
#include "streaming/row_places.hpp"
#include "streaming/weighted_sets.hpp"

namespace tamis {

/// Asks how rows share themselves among clusters, for each of some sets of clusters whose columns
/// are weighted alike, and for the sums of their weighted deviations from the centroids, each
/// rounded to 2^-90 of the largest that there can be.
class MembershipSumsState : public PassState {
 public:
  static constexpr std::string_view kKind = "memberships";
  struct Set {
    const ClusterStart* now = nullptr;
    const ClusterStart* before = nullptr;  ///< asks too how much memberships change since
  };
  struct Question {
    std::vector<Set> sets;
    const ColumnRanges& ranges;
    double beta = 0.0;
    Membership membership = Membership::fuzzy;
    std::vector<Index> left_out = {};  ///< rows, ascending
  };
  static Pass pass(const Question& question);

  explicit MembershipSumsState(const Pass& pass);
  MembershipSumsState(const Pass& pass, std::span<const std::byte> bytes);

  void update(const MatrixView& block, Index first_row) override;
  void merge(PassState& other) override;
  Bytes bytes() const override;

  /// But for how many rows changed their cluster.
  FuzzyRun::FreeRows free_rows(Index set) const;
  RowPlaces take_places() { return std::move(places_); }

 private:
  struct Asked {
    ScaledCenters<double> now;
    std::optional<ScaledCenters<double>> before = std::nullopt;
  };
  struct Part;
  void look_at(const MatrixView& block, std::span<const Index> rows, Index set,
               std::vector<Index>& clusters);
  void add_group(RowGroup<double>& group, const Asked& asked, Index count, Part& part) const;
  void add_part(const Part& part, Index set);
  Index cols() const { return units_.cols(); }

  ColumnUnits units_;
  Index n_clusters_ = 0;
  Membership membership_ = Membership::fuzzy;
  std::vector<double> first_factors_;  // of columns: powers of two
  std::vector<double> second_factors_;
  std::vector<Index> left_out_;
  std::vector<Asked> sets_;
  std::vector<Int128> mass_;    // sets x clusters
  std::vector<Int128> first_;   // sets x clusters x columns
  std::vector<Int128> second_;  // sets x columns
  std::vector<double> largest_changes_;
  RowPlaces places_{1, 1};
};

}  // namespace tamis
