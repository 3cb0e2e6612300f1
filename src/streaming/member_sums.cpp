#include "streaming/member_sums.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "clustering/kmeans/centroid_update.hpp"
#include "clustering/links.hpp"
#include "prepare/subproblem.hpp"
#include "streaming/cluster_blocks.hpp"
#include "streaming/run_places.hpp"

namespace tamis {

Pass MemberSumsState::pass(const Question& question) {
  const FixedPointScales scales(fixed_points(question.ranges));
  ByteWriter writer;
  write(units_of(question.ranges), writer);
  writer.put_all(scales.middle);
  writer.put_all(scales.factor);
  writer.put(std::ssize(question.sets.front()->centroids) / std::ssize(scales.middle));
  writer.put_all(question.bound);
  writer.put(std::ssize(question.sets));
  writer.put(question.beta);
  for (std::size_t s = 0; s < question.sets.size(); ++s) {
    writer.put_all(question.bound_to[s]);
    write(*question.sets[s], writer);
  }
  return {std::string(kKind), writer.take()};
}

MemberSumsState::MemberSumsState(const Pass& pass) {
  ByteReader reader(pass.broadcast);
  units_ = read_units(reader);
  scales_.middle = reader.get_all<std::vector<double>>();
  scales_.factor = reader.get_all<std::vector<double>>();
  n_clusters_ = reader.get<Index>();
  bound_ = reader.get_all<std::vector<Index>>();
  const auto n_sets = reader.get<Index>();
  const auto beta = reader.get<double>();
  for (Index s = 0; s < n_sets; ++s) {
    bound_to_.push_back(reader.get_all<std::vector<Index>>());
    sets_.push_back(read_centers(units_, beta, reader));
  }
  counts_.resize(static_cast<std::size_t>(n_sets * n_clusters_));
  for (auto* const sums : {&values_, &high_, &low_}) sums->resize(counts_.size() * units_.cols());
  places_ = RowPlaces(n_clusters_, n_sets);
}

MemberSumsState::MemberSumsState(const Pass& pass, std::span<const std::byte> bytes)
    : MemberSumsState(pass) {
  ByteReader reader(bytes);
  for (std::vector<std::int64_t>* const list : sums()) {
    const std::size_t size = list->size();
    *list = reader.get_all<std::vector<std::int64_t>>();
    if (list->size() != size) ByteReader::refuse();
  }
  places_ = RowPlaces(n_clusters_, std::ssize(sets_), reader);
  reader.expect_end();
}

void MemberSumsState::update(const MatrixView& block, Index first_row) {
  const std::vector<Index> bound = places_in_run(bound_, first_row, block.rows());
  const std::vector<Index> free = all_but(bound, block.rows());
  const Index first_bound = std::ranges::lower_bound(bound_, first_row) - bound_.begin();
  std::vector<std::vector<Index>> places;
  for (Index s = 0; s < std::ssize(sets_); ++s) {
    places.push_back(nearest(block, sets_[s], free));
    for (Index b = 0; b < std::ssize(bound); ++b)
      places.back()[bound[b]] = bound_to_[s][first_bound + b];
    add_members(block, places.back(), s);
  }
  places_.add(first_row, places);
}

std::vector<Index> MemberSumsState::nearest(const MatrixView& block,
                                            const ScaledCenters<double>& centers,
                                            std::span<const Index> rows) const {
  std::vector<Index> clusters(static_cast<std::size_t>(block.rows()), kNoCluster);
  for_each_group<double>(
      block, rows, units_, n_clusters_,
      [&](RowGroup<double>& group, Index first, Index count) {
        group.measure(centers);
        LaneNearest found;
        nearest_of_lanes(group.distances(), n_clusters_, kLanes<double>, found);
        for (Index l = 0; l < count; ++l) clusters[rows[first + l]] = found.nearest[l];
      },
      [](RowGroup<double>&, Index) {});
  return clusters;
}

FixedPointColumns MemberSumsState::columns(Index set, Index cluster, Index first, Index count) {
  const Index begin = (set * n_clusters_ + cluster) * cols() + first;
  return {.middle = scales_.middle.data() + first,
          .factor = scales_.factor.data() + first,
          .values = values_.data() + begin,
          .high = high_.data() + begin,
          .low = low_.data() + begin,
          .count = count};
}

void MemberSumsState::add_members(const MatrixView& block, std::span<const Index> clusters,
                                  Index set) {
  const ClusterRows members(clusters, n_clusters_);
  for (Index q = 0; q < n_clusters_; ++q) counts_[set * n_clusters_ + q] += std::ssize(members[q]);
  block.visit([&]<class View>(const View& x) {
    if constexpr (requires { x.row(0); })
      for_each_cluster_block(n_clusters_, cols(), [&](Index q, Index first, Index count) {
        const FixedPointColumns some = columns(set, q, first, count);
        for (const Index row : members[q]) add_row(some, x.row(row) + first);
      });
    else
      parallel_for(n_clusters_, 1, [&](Index begin, Index end) {
        for (Index q = begin; q < end; ++q)
          add_sparse_rows(columns(set, q, 0, cols()), x, members[q]);
      });
  });
}

void MemberSumsState::merge(PassState& other) {
  auto& others = static_cast<MemberSumsState&>(other);
  for (std::size_t list = 0; list < sums().size(); ++list)
    std::ranges::transform(*sums()[list], *others.sums()[list], sums()[list]->begin(), std::plus{});
  places_.merge(others.places_);
}

Bytes MemberSumsState::bytes() const {
  ByteWriter writer;
  for (const auto* const list : {&counts_, &values_, &high_, &low_}) writer.put_all(*list);
  places_.write(writer);
  return writer.take();
}

ClusterMoments MemberSumsState::moments(Index set) const {
  ClusterMoments found;
  for (Index q = 0; q < n_clusters_; ++q) {
    const std::int64_t count = counts_[set * n_clusters_ + q];
    found.counts.push_back(static_cast<double>(count));
    for (Index r = 0; r < cols(); ++r) {
      const Index entry = (set * n_clusters_ + q) * cols() + r;
      const double factor = scales_.factor[r];
      found.means.push_back(scales_.middle[r] +
                            static_cast<double>(values_[entry]) / factor / found.counts.back());
      const double squares =
          count == 0 ? 0.0 : squares_about_mean(values_[entry], high_[entry], low_[entry], count);
      found.log_dispersions.push_back(squares > 0.0 ? std::log(squares) - 2.0 * std::log(factor)
                                                    : -HUGE_VAL);
    }
  }
  return found;
}

}  // namespace tamis
