#include "ensembles/resampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::vector<Index> joined(std::span<const Index> first, std::span<const Index> second) {
  std::vector<Index> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

/// The drawn pairs between rows of the member; copies[i] lists the places of row i there.
std::vector<RowPair> renumbered(std::span<const RowPair> pairs, std::span<const Index> drawn,
                                const std::vector<std::vector<Index>>& copies) {
  std::vector<RowPair> result;
  for (const Index position : drawn)
    for (const Index first : copies[pairs[position].first])
      for (const Index second : copies[pairs[position].second])
        result.push_back({first, second, pairs[position].weight});
  return result;
}

}  // namespace

std::vector<Index> bootstrap(std::span<const Index> items, RandomStream& random) {
  std::vector<Index> drawn(items.size());
  for (Index& item : drawn) item = items[random.below(std::ssize(items))];
  return drawn;
}

Resampling::Resampling(const Problem& problem, Index subspace_size)
    : seed_(problem.seed),
      subspace_size_(subspace_size),
      features_(all_rows(problem.cols())),
      resampled_rows_(labeled_rows(problem)),
      common_rows_(unlabeled_rows(problem)) {
  if (subspace_size > problem.cols())
    throw InvalidArgument(
        fmt::format("a subspace of {} features is larger than the table, which has {}; choose a "
                    "smaller one",
                    subspace_size, problem.cols()));
  if (problem.pairs) {
    must_links_ = all_rows(std::ssize(problem.pairs->must_link));
    cannot_links_ = all_rows(std::ssize(problem.pairs->cannot_link));
  }
  if (resampled_rows_.empty() && must_links_.empty() && cannot_links_.empty())
    std::swap(resampled_rows_, common_rows_);
}

RandomStream Resampling::stream_of(Index member) const {
  return RandomStream(seed_, static_cast<std::uint64_t>(member));
}

std::vector<Index> Resampling::draw_features(RandomStream& random) const {
  if (subspace_size_ == std::ssize(features_)) return features_;
  std::vector<Index> features = random.sample(std::ssize(features_), subspace_size_);
  std::ranges::sort(features);
  return features;
}

std::vector<Index> Resampling::draw_features(Index member) const {
  RandomStream random = stream_of(member);
  return draw_features(random);
}

Draw Resampling::draw(Index member) const {
  RandomStream random = stream_of(member);
  Draw result{.member = member, .features = draw_features(random)};
  result.rows = bootstrap(resampled_rows_, random);
  result.must_link = bootstrap(must_links_, random);
  result.cannot_link = bootstrap(cannot_links_, random);
  result.seed = random.bits() >> 1;  // fits a signed number, so that the trace can hold it
  return result;
}

void record_draw(const Trace& trace, const Draw& draw) {
  TraceEvent event{
      .name = "member",
      .fields = {{"index", draw.member}, {"features", draw.features}, {"rows", draw.rows}}};
  if (!draw.must_link.empty() || !draw.cannot_link.empty()) {
    event.fields.emplace_back("must_link", draw.must_link);
    event.fields.emplace_back("cannot_link", draw.cannot_link);
  }
  event.fields.emplace_back("seed", static_cast<Index>(draw.seed));
  trace.record(event);
}

MemberProblem::MemberProblem(const Problem& whole, const Resampling& resampling, const Draw& draw)
    : rows_(joined(draw.rows, resampling.common_rows())),
      problem_{.matrix = whole.matrix.visit([&](const auto& x) { return gather(x, draw); })} {
  if (!whole.feature_names.empty())
    for (const Index r : draw.features) problem_.feature_names.push_back(whole.feature_names[r]);
  problem_.class_names = whole.class_names;
  problem_.seed = draw.seed;
  if (!whole.labels.empty())
    for (const Index row : rows_) problem_.labels.push_back(whole.labels[row]);
  if (!whole.pairs) return;
  std::vector<std::vector<Index>> copies(whole.rows());
  for (Index s = 0; s < std::ssize(rows_); ++s) copies[rows_[s]].push_back(s);
  problem_.pairs = PairConstraints{renumbered(whole.pairs->must_link, draw.must_link, copies),
                                   renumbered(whole.pairs->cannot_link, draw.cannot_link, copies)};
}

template <class T>
Buffer<T>& MemberProblem::values() {
  if constexpr (std::is_same_v<T, double>)
    return doubles_;
  else
    return floats_;
}

template <class T>
MatrixView MemberProblem::gather(const DenseView<T>& x, const Draw& draw) {
  const Index cols = std::ssize(draw.features);
  Buffer<T>& table = values<T>();
  table.resize(rows_.size() * draw.features.size());
  for (Index s = 0; s < std::ssize(rows_); ++s) {
    const T* const from = x.row(rows_[s]);
    for (Index c = 0; c < cols; ++c) table[s * cols + c] = from[draw.features[c]];
  }
  return DenseView<T>(table.data(), std::ssize(rows_), cols);
}

template <class T>
MatrixView MemberProblem::gather(const CsrView<T>& x, const Draw& draw) {
  std::vector<Index> place(x.cols(), -1);
  for (Index c = 0; c < std::ssize(draw.features); ++c) place[draw.features[c]] = c;
  Buffer<T>& entries = values<T>();
  offsets_.push_back(0);
  for (const Index row : rows_) {
    const std::span<const Index> columns = x.row_columns(row);
    for (Index e = 0; e < std::ssize(columns); ++e) {
      if (place[columns[e]] < 0) continue;
      columns_.push_back(place[columns[e]]);
      entries.push_back(x.row_values(row)[e]);
    }
    offsets_.push_back(std::ssize(columns_));
  }
  return CsrView<T>(offsets_, columns_, entries, std::ssize(draw.features));
}

}  // namespace tamis
