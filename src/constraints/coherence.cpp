#include "constraints/coherence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "constraints/numbered_pairs.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kComparisons = 4'000'000'000;  ///< a few seconds
constexpr Index kFewestProbes = 16;
constexpr Index kMaxConstraints = 625'000'000;
constexpr Index kWord = 64;

void sort_and_unite(std::vector<Index>& rows) {
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

void add_ends(std::span<const RowPair> pairs, std::vector<Index>& rows) {
  for (const RowPair& pair : pairs) rows.insert(rows.end(), {pair.first, pair.second});
}

std::vector<Index> ends_of(std::span<const RowPair> pairs) {
  std::vector<Index> rows;
  add_ends(pairs, rows);
  sort_and_unite(rows);
  return rows;
}

std::vector<Index> places_of(std::span<const Index> rows, Index n_rows) {
  std::vector<Index> places(n_rows, -1);
  for (Index s = 0; s < std::ssize(rows); ++s) places[rows[s]] = s;
  return places;
}

/// Where all rows of constraints fall on the pairs that each constraint is measured on.
struct Probes {
  const PairPositions& positions;
  const std::vector<Index>& places;  ///< of rows
};

/// Which pairs p do not overlap which pairs q, a bit for each q.
class MissTable {
 public:
  MissTable(const MatrixView& x, std::span<const RowPair> on, std::span<const RowPair> of,
            const Probes& probes, Progress::Stage& stage)
      : words_per_pair_((std::ssize(on) + kWord - 1) / kWord), words_(of.size() * words_per_pair_) {
    const bool are_probes = probes.positions.n_pairs() == std::ssize(on);
    const std::vector<Index> rows = are_probes ? std::vector<Index>{} : ends_of(of);
    const std::vector<Index> places = are_probes ? probes.places : places_of(rows, x.rows());
    for (Index first = 0; first < std::ssize(on); first += kWord) {
      if (are_probes)
        fill(first / kWord, of, probes.positions, first, places);
      else
        fill(first / kWord, of,
             PairPositions(x, rows, on.subspan(first, std::min(kWord, std::ssize(on) - first))), 0,
             places);
      stage.advance();
    }
  }
  bool operator()(Index p, Index q) const {
    return (words_[p * words_per_pair_ + q / kWord] >> (q % kWord) & 1) != 0;
  }

 private:
  /// A word of each pair, from the positions on 64 lines.
  void fill(Index word, std::span<const RowPair> of, const PairPositions& positions, Index first,
            const std::vector<Index>& places) {
    for (Index p = 0; p < std::ssize(of); ++p)
      words_[p * words_per_pair_ + word] =
          positions.misses(places[of[p].first], places[of[p].second], first);
  }

  Index words_per_pair_;
  std::vector<std::uint64_t> words_;
};

/// The variance of a mean of some of the numbers of which `all` there are.
double variance_of_mean(const std::vector<double>& values, Index all) {
  if (std::ssize(values) == all) return 0.0;
  const auto n = static_cast<double>(values.size());
  double mean = 0.0;
  double squares = 0.0;
  for (const double value : values) mean += value / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / (n - 1.0) / n * (1.0 - n / static_cast<double>(all));
}

struct SetCoherence {
  double fraction;
  double standard_error;
};

/// The fraction of combinations without overlap either way. Both kinds are samples, so the variance
/// of their mean is that of the means of must-links plus that of the means of cannot-links.
SetCoherence measure_set(const MatrixView& x, const std::vector<RowPair>& must_link, Index all_must,
                         const std::vector<RowPair>& cannot_link, Index all_cannot,
                         const Probes& on_must, const Probes& on_cannot, const Progress& progress) {
  const Index n_words =
      (std::ssize(must_link) + kWord - 1) / kWord + (std::ssize(cannot_link) + kWord - 1) / kWord;
  Progress::Stage stage(progress, "coherence", n_words);
  const MissTable of_must(x, cannot_link, must_link, on_cannot, stage);
  const MissTable of_cannot(x, must_link, cannot_link, on_must, stage);
  Index both = 0;
  std::vector<double> must_means(must_link.size(), 0.0);
  std::vector<double> cannot_means(cannot_link.size(), 0.0);
  for (Index p = 0; p < std::ssize(must_link); ++p)
    for (Index q = 0; q < std::ssize(cannot_link); ++q) {
      if (!of_must(p, q) || !of_cannot(q, p)) continue;
      ++both;
      must_means[p] += 1.0 / static_cast<double>(cannot_link.size());
      cannot_means[q] += 1.0 / static_cast<double>(must_link.size());
    }
  const auto all = static_cast<double>(must_link.size() * cannot_link.size());
  return {static_cast<double>(both) / all, std::sqrt(variance_of_mean(must_means, all_must) +
                                                     variance_of_mean(cannot_means, all_cannot))};
}

/// On how many others each constraint is measured, so that all of them take not too long.
Index count_probes(Index n_constraints, Index max_pairs) {
  if (n_constraints > kMaxConstraints)
    throw DataError(fmt::format(
        "{} constraints are too many to measure the coherence of each (at most {}): give fewer "
        "labels or pairs, or do not select constraints",
        n_constraints, kMaxConstraints));
  return std::min(std::max(kComparisons / n_constraints, kFewestProbes), max_pairs);
}

}  // namespace

CoherenceMeter::CoherenceMeter(const MatrixView& x, const ConstraintSet& constraints,
                               Index max_pairs, const Run& run) {
  const NumberedPairs musts(constraints, LinkKind::must_link);
  const NumberedPairs cannots(constraints, LinkKind::cannot_link);
  std::vector<Index> rows;
  for (const auto& members : constraints.classes())
    rows.insert(rows.end(), members.begin(), members.end());
  add_ends(constraints.extra_must_link(), rows);
  add_ends(constraints.extra_cannot_link(), rows);
  sort_and_unite(rows);
  measure(x, rows, {musts.size(), [&](Index k) { return musts[k]; }},
          {cannots.size(), [&](Index k) { return cannots[k]; }}, max_pairs, run);
}

CoherenceMeter::CoherenceMeter(const MatrixView& x, std::span<const RowPair> must_link,
                               std::span<const RowPair> cannot_link, Index max_pairs,
                               const Run& run) {
  std::vector<Index> rows;
  add_ends(must_link, rows);
  add_ends(cannot_link, rows);
  sort_and_unite(rows);
  measure(x, rows, {std::ssize(must_link), [&](Index k) { return must_link[k]; }},
          {std::ssize(cannot_link), [&](Index k) { return cannot_link[k]; }}, max_pairs, run);
}

/// At most `count` of the pairs, in random order.
std::vector<RowPair> CoherenceMeter::drawn(const Source& source, Index count,
                                           RandomStream& random) {
  std::vector<RowPair> pairs;
  for (const Index number : random.sample(source.size, std::min(count, source.size)))
    pairs.push_back(source.pair(number));
  return pairs;
}

void CoherenceMeter::measure(const MatrixView& x, const std::vector<Index>& rows,
                             const Source& musts, const Source& cannots, Index max_pairs,
                             const Run& run) {
  if (musts.size == 0 || cannots.size == 0) return;
  const Index n_probes = count_probes(musts.size + cannots.size, max_pairs);
  RandomStream random(run.seed);
  const std::vector<RowPair> must_link = drawn(musts, max_pairs, random);
  const std::vector<RowPair> cannot_link = drawn(cannots, max_pairs, random);
  place_of_row_ = places_of(rows, x.rows());
  const auto first_of = [&](const std::vector<RowPair>& pairs) {
    return std::span(pairs).first(std::min<std::size_t>(n_probes, pairs.size()));
  };
  on_must_link_.emplace(x, rows, first_of(must_link));
  on_cannot_link_.emplace(x, rows, first_of(cannot_link));
  const SetCoherence measured =
      measure_set(x, must_link, musts.size, cannot_link, cannots.size,
                  {*on_must_link_, place_of_row_}, {*on_cannot_link_, place_of_row_}, run.progress);
  of_set_ = measured.fraction;
  if (std::max(musts.size, cannots.size) > max_pairs) standard_error_ = measured.standard_error;
}

double CoherenceMeter::fraction(const std::optional<PairPositions>& probes, Index i,
                                Index j) const {
  if (!probes) return 1.0;
  return static_cast<double>(probes->count_misses(place_of_row_[i], place_of_row_[j])) /
         static_cast<double>(probes->n_pairs());
}

void CoherenceMeter::keep(LinkKind kind, std::span<const Index> left, std::span<const Index> right,
                          KeptPairs& kept) const {
  const auto& probes = kind == LinkKind::must_link ? on_cannot_link_ : on_must_link_;
  if (!probes) {
    kept.fill(1.0 >= of_set_);
    return;
  }
  std::array<Index, kRowsAtOnce> left_places;
  std::array<Index, kRowsAtOnce> right_places;
  const auto place_of = [&](Index row) { return place_of_row_[row]; };
  std::ranges::transform(left, left_places.begin(), place_of);
  std::ranges::transform(right, right_places.begin(), place_of);
  PairPositions::Counts counts;
  probes->count_misses(std::span(left_places).first(left.size()),
                       std::span(right_places).first(right.size()), counts);
  const auto all = static_cast<double>(probes->n_pairs());
  for (Index a = 0; a < std::ssize(left); ++a)
    for (Index b = a * kRowsAtOnce; b < a * kRowsAtOnce + std::ssize(right); ++b)
      kept[b] = counts[b] / all >= of_set_;
}

Coherence coherence(const MatrixView& x, std::span<const RowPair> must_link,
                    std::span<const RowPair> cannot_link, Index max_pairs, const Run& run) {
  const CoherenceMeter meter(x, must_link, cannot_link, max_pairs, run);
  Coherence found{.of_set = meter.of_set(),
                  .must_link = std::vector<double>(must_link.size()),
                  .cannot_link = std::vector<double>(cannot_link.size()),
                  .standard_error = meter.standard_error()};
  constexpr Index kAtOnce = 1024;
  Progress::Stage stage(run.progress, "constraints",
                        std::ssize(must_link) + std::ssize(cannot_link));
  const auto measure = [&](std::span<const RowPair> pairs, std::vector<double>& values,
                           const auto& of) {
    parallel_for(std::ssize(pairs), kAtOnce, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) values[k] = of(pairs[k]);
      stage.advance(end - begin);
    });
  };
  measure(must_link, found.must_link,
          [&](const RowPair& p) { return meter.of_must_link(p.first, p.second); });
  measure(cannot_link, found.cannot_link,
          [&](const RowPair& p) { return meter.of_cannot_link(p.first, p.second); });
  return found;
}

}  // namespace tamis
