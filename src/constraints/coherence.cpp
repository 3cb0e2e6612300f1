#include "constraints/coherence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "tamis/core/buffer.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr double kNegligible = 1e-12;  ///< of |q|: a shorter overlap is rounding
constexpr double kMaxCombinations = 1e11;
constexpr Index kMaxStoredRows = 8192;  ///< their distances take 512 MB

/// Squared distances of the rows in constraints, stored while they fit.
class RowDistances {
 public:
  RowDistances(const MatrixView& x, std::span<const RowPair> must_link,
               std::span<const RowPair> cannot_link)
      : x_(x) {
    for (const auto pairs : {must_link, cannot_link})
      for (const RowPair& pair : pairs) rows_.insert(rows_.end(), {pair.first, pair.second});
    std::ranges::sort(rows_);
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    if (std::ssize(rows_) <= kMaxStoredRows) fill();
  }

  /// The pair in numbers of this table.
  RowPair local(const RowPair& pair) const { return {number(pair.first), number(pair.second)}; }
  Index row(Index number) const { return rows_[number]; }
  double operator()(Index a, Index b) const {
    return stored_.empty() ? squared_distance(x_, rows_[a], rows_[b])
                           : stored_[a * std::ssize(rows_) + b];
  }

 private:
  Index number(Index row) const { return std::ranges::lower_bound(rows_, row) - rows_.begin(); }

  void fill() {
    const Index n = std::ssize(rows_);
    stored_.resize(n * n);
    parallel_for(n, 1, [&](Index a, Index) {
      for (Index b = 0; b < n; ++b) stored_[a * n + b] = squared_distance(x_, rows_[a], rows_[b]);
    });
  }

  const MatrixView& x_;
  std::vector<Index> rows_;
  Buffer<double> stored_;
};

/// A position along pair q times |q|: 0 at its first end, |q|^2 at its second.
struct Position {
  double value;
  double error;  ///< at most
};

enum class Verdict { apart, overlapping, too_close };

/// Whether [a, b] and [0, length] share less than the negligible part, if the errors allow to say.
Verdict compare(Position a, Position b, double length) {
  const auto shared = [&](double low, double high) {
    return std::min(high, length) - std::max(low, 0.0);
  };
  const double most = shared(std::min(a.value - a.error, b.value - b.error),
                             std::max(a.value + a.error, b.value + b.error));
  if (most < kNegligible * length) return Verdict::apart;
  const double least = shared(std::min(a.value + a.error, b.value + b.error),
                              std::max(a.value - a.error, b.value - b.error));
  return least >= kNegligible * length ? Verdict::overlapping : Verdict::too_close;
}

/// Says for one combination after the other whether two pairs overlap.
class OverlapTest {
 public:
  OverlapTest(const MatrixView& x, const RowDistances& distances)
      : x_(x),
        distances_(distances),
        // Columns add up in 32 lanes; then lanes, differences and squares round once each.
        relative_error_(std::numeric_limits<double>::epsilon() *
                        (static_cast<double>(x.cols()) / 32.0 + 16.0)) {}

  struct Result {
    bool p_misses_q;
    bool q_misses_p;
  };

  /// p and q in numbers of the table of distances.
  Result operator()(const RowPair& p, const RowPair& q) {
    const double p_length = distances_(p.first, p.second);
    const double q_length = distances_(q.first, q.second);
    if (p_length == 0.0 || q_length == 0.0) return {true, true};
    const double d11 = distances_(p.first, q.first);
    const double d12 = distances_(p.first, q.second);
    const double d21 = distances_(p.second, q.first);
    const double d22 = distances_(p.second, q.second);
    return {
        misses(p, q, compare(position(d11, d12, q_length), position(d21, d22, q_length), q_length)),
        misses(q, p,
               compare(position(d11, d21, p_length), position(d12, d22, p_length), p_length))};
  }

 private:
  /// <a - q1, q2 - q1> = (|a - q1|^2 + |q|^2 - |a - q2|^2) / 2; exact where a is an end of q.
  Position position(double to_first, double to_second, double length) const {
    const bool is_end = to_first == 0.0 || to_second == 0.0;
    return {0.5 * (to_first + length - to_second),
            is_end ? 0.0 : relative_error_ * (to_first + length + to_second)};
  }

  bool misses(const RowPair& p, const RowPair& q, Verdict verdict) {
    if (verdict == Verdict::too_close) verdict = compare_by_differences(p, q);
    return verdict == Verdict::apart;
  }

  /// The definition itself, O(m): differences keep the digits that sums of squares lose.
  Verdict compare_by_differences(const RowPair& p, const RowPair& q) {
    const Index m = x_.cols();
    const std::vector<Index> rows{distances_.row(p.first), distances_.row(p.second),
                                  distances_.row(q.first), distances_.row(q.second)};
    values_.resize(4 * m);
    copy_columns(x_, rows, 0, m, values_.data());
    double a = 0.0;
    double b = 0.0;
    double length = 0.0;
    for (Index r = 0; r < m; ++r) {
      const double origin = values_[2 * m + r];
      const double along = values_[3 * m + r] - origin;
      a += (values_[r] - origin) * along;
      b += (values_[m + r] - origin) * along;
      length += along * along;
    }
    return compare({a, 0.0}, {b, 0.0}, length);
  }

  const MatrixView& x_;
  const RowDistances& distances_;
  double relative_error_;
  std::vector<double> values_;
};

/// How many combinations have no overlap: both ways, and of each constraint on the other kind.
struct Counts {
  Counts(std::size_t must_links, std::size_t cannot_links)
      : must_link(must_links, 0), cannot_link(cannot_links, 0) {}

  Index both = 0;
  std::vector<Index> must_link;
  std::vector<Index> cannot_link;
};

Counts count_misses(const MatrixView& x, std::span<const RowPair> must_link,
                    std::span<const RowPair> cannot_link) {
  const RowDistances distances(x, must_link, cannot_link);
  std::vector<RowPair> others;
  for (const RowPair& pair : cannot_link) others.push_back(distances.local(pair));
  Counts counts(must_link.size(), cannot_link.size());
  std::mutex mutex;
  constexpr Index kAtOnce = 64;
  parallel_for(std::ssize(must_link), kAtOnce, [&](Index begin, Index end) {
    OverlapTest test(x, distances);
    Index both = 0;
    std::vector<Index> cannot(others.size(), 0);
    for (Index k = begin; k < end; ++k) {
      const RowPair pair = distances.local(must_link[k]);
      for (std::size_t c = 0; c < others.size(); ++c) {
        const auto [misses, is_missed] = test(pair, others[c]);
        counts.must_link[k] += misses ? 1 : 0;
        cannot[c] += is_missed ? 1 : 0;
        both += misses && is_missed ? 1 : 0;
      }
    }
    const std::scoped_lock lock(mutex);  // sums of integers: any order will do
    counts.both += both;
    for (std::size_t c = 0; c < others.size(); ++c) counts.cannot_link[c] += cannot[c];
  });
  return counts;
}

std::vector<double> fractions(std::span<const Index> counts, double total) {
  std::vector<double> parts;
  for (const Index count : counts) parts.push_back(static_cast<double>(count) / total);
  return parts;
}

std::vector<RowPair> at_least_as_coherent(std::span<const RowPair> pairs,
                                          std::span<const double> of_pair, double of_set) {
  std::vector<RowPair> kept;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (of_pair[k] >= of_set) kept.push_back(pairs[k]);
  return kept;
}

}  // namespace

Coherence coherence(const MatrixView& x, std::span<const RowPair> must_link,
                    std::span<const RowPair> cannot_link) {
  if (must_link.empty() || cannot_link.empty())
    return {.of_set = 1.0,
            .must_link = std::vector<double>(must_link.size(), 1.0),
            .cannot_link = std::vector<double>(cannot_link.size(), 1.0)};
  const auto must_links = static_cast<double>(must_link.size());
  const auto cannot_links = static_cast<double>(cannot_link.size());
  if (must_links * cannot_links > kMaxCombinations)
    throw DataError(fmt::format(
        "the coherence of {} must-link and {} cannot-link pairs takes more than {:g} comparisons: "
        "give fewer labels or pairs, or do not select constraints",
        must_link.size(), cannot_link.size(), kMaxCombinations));
  const Counts counts = count_misses(x, must_link, cannot_link);
  return {.of_set = static_cast<double>(counts.both) / (must_links * cannot_links),
          .must_link = fractions(counts.must_link, cannot_links),
          .cannot_link = fractions(counts.cannot_link, must_links)};
}

PairConstraints select_coherent(const Coherence& coherence, std::span<const RowPair> must_link,
                                std::span<const RowPair> cannot_link) {
  return {
      .must_link = at_least_as_coherent(must_link, coherence.must_link, coherence.of_set),
      .cannot_link = at_least_as_coherent(cannot_link, coherence.cannot_link, coherence.of_set)};
}

PairConstraints select_coherent(const MatrixView& x, std::span<const RowPair> must_link,
                                std::span<const RowPair> cannot_link) {
  return select_coherent(coherence(x, must_link, cannot_link), must_link, cannot_link);
}

}  // namespace tamis
