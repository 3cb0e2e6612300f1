#include "methods/sbcs/pair_errors.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>

#include "core/double_lanes.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Sums are taken in at most this many parts, whatever the number of threads, and joined in order.
constexpr Index kParts = 64;
constexpr Index kRows = ScaledBlock::kRows;
constexpr Index kDoubles = 4;  ///< of DoubleLanes
constexpr int kVectors = 4;

/// Listed pairs whose values are gathered at a time.
constexpr Index kListedPairs = 512;

/// What is known of some pairs.
struct PairColumns {
  const double* distances;
  const double* targets;
  const double* weights;
};

/// Adds weight * (exp(-(distance + difference^2)) - target)^2 of kVectors vectors of pairs.
template <class Cpu, class Difference>
TAMIS_INLINE void add_errors(const PairColumns& pairs, Index first, const Difference& difference,
                             DoubleLanes<Cpu> (&sums)[kVectors]) {
  using Vector = DoubleLanes<Cpu>;
  Vector similarity[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    const Vector between = difference(first + v * kDoubles);
    similarity[v] = -(Vector::load(pairs.distances + first + v * kDoubles) + between * between);
  }
  exponentiate(similarity);
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    const Vector error = similarity[v] - Vector::load(pairs.targets + first + v * kDoubles);
    sums[v] += Vector::load(pairs.weights + first + v * kDoubles) * (error * error);
  }
}

template <class Cpu>
TAMIS_INLINE double total(const DoubleLanes<Cpu> (&sums)[kVectors]) {
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])).sum();
}

/// All pairs of two blocks, those beyond their rows included: these weigh 0.
double block_error(const double* left, Index left_rows, const double* right, Index right_rows,
                   const PairColumns& pairs) {
  return for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    Vector sums[kVectors] = {};
    for (Index a = 0; a < left_rows; ++a)
      for (Index b = 0; b < right_rows; b += kVectors * kDoubles)
        add_errors(
            pairs, a * kRows + b,
            [&](Index place)
                TAMIS_KERNEL { return left[a] - Vector::load(right + place - a * kRows); },
            sums);
    return total(sums);
  });
}

/// Pair s of values first[s] and second[s]; the number of pairs is a multiple of all lanes.
double list_error(const double* first, const double* second, Index count,
                  const PairColumns& pairs) {
  return for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    Vector sums[kVectors] = {};
    for (Index s = 0; s < count; s += kVectors * kDoubles)
      add_errors(
          pairs, s,
          [&](Index place)
              TAMIS_KERNEL { return Vector::load(first + place) - Vector::load(second + place); },
          sums);
    return total(sums);
  });
}

auto tile_of(const WantedPair& pair) { return std::tuple(pair.first / kRows, pair.second / kRows); }

std::vector<Index> rows_of(std::span<const WantedPair> pairs) {
  std::vector<Index> rows;
  for (const WantedPair& pair : pairs) rows.insert(rows.end(), {pair.first, pair.second});
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::span<const Index> panel_of(std::span<const Index> columns, Index from) {
  return columns.subspan(from, std::min(ScaledBlock::kColumns, std::ssize(columns) - from));
}

}  // namespace

/// Two blocks of rows of which every two are a pair, and the errors of their pairs.
class PairErrors::Tile {
 public:
  explicit Tile(const PairErrors& errors) : errors_(errors) {}

  /// Blocks first <= second.
  void take(Index first, Index second) {
    first_ = first;
    second_ = second;
    want();
    distances_.fill(0.0);
    for (const Buffer<double>& column : errors_.taken_)
      add_squared_differences(column.data() + first * kRows, std::ssize(rows_of_block(first)),
                              column.data() + second * kRows, distances_);
  }

  /// sums[s] += the error with columns[s].
  void add(std::span<const Index> columns, std::span<double> sums) {
    const PairColumns pairs{distances_.data(), targets_.data(), weights_.data()};
    const auto left = rows_of_block(first_);
    const auto right = rows_of_block(second_);
    for (Index from = 0; from < std::ssize(columns); from += ScaledBlock::kColumns) {
      const auto panel = panel_of(columns, from);
      left_.load(errors_.x_, left, panel, errors_.scaling_);
      right_.load(errors_.x_, right, panel, errors_.scaling_);
      for (Index c = 0; c < std::ssize(panel); ++c)
        sums[from + c] += block_error(left_.column(c), std::ssize(left), right_.column(c),
                                      std::ssize(right), pairs);
    }
  }

 private:
  std::span<const Index> rows_of_block(Index block) const {
    const std::span<const Index> rows = errors_.pairs_.rows;
    return rows.subspan(block * kRows, std::min(kRows, std::ssize(rows) - block * kRows));
  }

  /// Targets and weights of the pairs.
  void want() {
    const std::vector<Index>& classes = errors_.pairs_.classes;
    targets_.fill(0.0);
    weights_.fill(0.0);
    for (Index a = 0; a < std::ssize(rows_of_block(first_)); ++a)
      for (Index b = first_ == second_ ? a + 1 : 0; b < std::ssize(rows_of_block(second_)); ++b) {
        weights_[a * kRows + b] = 1.0;
        if (classes[first_ * kRows + a] == classes[second_ * kRows + b])
          targets_[a * kRows + b] = 1.0;
      }
    const std::vector<WantedPair>& changed = errors_.pairs_.changed;
    const std::tuple tile(first_, second_);
    for (auto pair = std::ranges::lower_bound(changed, tile, {}, tile_of);
         pair != changed.end() && tile_of(*pair) == tile; ++pair) {
      const Index place = pair->first % kRows * kRows + pair->second % kRows;
      targets_[place] = pair->target;
      weights_[place] = pair->weight;
    }
  }

  const PairErrors& errors_;
  Index first_ = 0;
  Index second_ = 0;
  ScaledBlock left_;
  ScaledBlock right_;
  BlockPairs distances_{};
  BlockPairs targets_{};
  BlockPairs weights_{};
};

PairErrors::PairErrors(const MatrixView& x, const Scaling& scaling, WantedPairs pairs)
    : x_(x),
      scaling_(scaling),
      pairs_(std::move(pairs)),
      listed_rows_(rows_of(pairs_.listed)),
      listed_distances_(pairs_.listed.size(), 0.0) {
  std::ranges::stable_sort(pairs_.changed, {}, tile_of);
  for (WantedPair& pair : pairs_.listed)
    for (Index* const row : {&pair.first, &pair.second})
      *row = std::ranges::lower_bound(listed_rows_, *row) - listed_rows_.begin();
}

Index PairErrors::n_blocks() const { return (std::ssize(pairs_.rows) + kRows - 1) / kRows; }
Index PairErrors::n_parts() const { return std::min(kParts, n_blocks()); }

void PairErrors::take(Index column) {
  taken_.push_back(scaled_columns(x_, pairs_.rows, {&column, 1}, scaling_));
  taken_.back().resize(n_blocks() * kRows, 0.0);
  const Buffer<double> values = scaled_columns(x_, listed_rows_, {&column, 1}, scaling_);
  for (std::size_t s = 0; s < pairs_.listed.size(); ++s) {
    const double difference = values[pairs_.listed[s].first] - values[pairs_.listed[s].second];
    listed_distances_[s] += difference * difference;
  }
}

std::vector<double> PairErrors::tiled_part(Index part, std::span<const Index> columns) const {
  std::vector<double> sums(columns.size(), 0.0);
  const auto tile = std::make_unique<Tile>(*this);
  for (Index first = part; first < n_blocks(); first += n_parts())
    for (Index second = first; second < n_blocks(); ++second) {
      tile->take(first, second);
      tile->add(columns, sums);
    }
  return sums;
}

void PairErrors::add_listed(std::span<const Index> columns, std::span<double> sums) const {
  struct Gathered {
    std::array<double, kListedPairs> first{}, second{}, distances{}, targets{}, weights{};
  };
  const std::vector<WantedPair>& listed = pairs_.listed;
  if (listed.empty()) return;
  parallel_for(std::ssize(columns), ScaledBlock::kColumns, [&](Index begin, Index end) {
    const Buffer<double> values =
        scaled_columns(x_, listed_rows_, columns.subspan(begin, end - begin), scaling_);
    const auto some = std::make_unique<Gathered>();
    for (Index from = 0; from < std::ssize(listed); from += kListedPairs)
      for (Index c = begin; c < end; ++c) {
        for (Index s = 0; s < kListedPairs; ++s) {
          const bool is_pair = from + s < std::ssize(listed);
          const WantedPair& pair = listed[is_pair ? from + s : from];
          some->first[s] = values[pair.first * (end - begin) + c - begin];
          some->second[s] = values[pair.second * (end - begin) + c - begin];
          some->distances[s] = is_pair ? listed_distances_[from + s] : 0.0;
          some->targets[s] = pair.target;
          some->weights[s] = is_pair ? pair.weight : 0.0;
        }
        sums[c] += list_error(some->first.data(), some->second.data(), kListedPairs,
                              {some->distances.data(), some->targets.data(), some->weights.data()});
      }
  });
}

std::vector<double> PairErrors::with_each(std::span<const Index> columns,
                                          Progress::Stage& stage) const {
  std::vector<std::vector<double>> parts(n_parts());
  parallel_for(n_parts(), 1, [&](Index part, Index) {
    parts[part] = tiled_part(part, columns);
    stage.advance();
  });
  std::vector<double> errors(columns.size(), 0.0);
  for (const std::vector<double>& part : parts)
    for (std::size_t s = 0; s < errors.size(); ++s) errors[s] += part[s];
  add_listed(columns, errors);
  stage.advance();
  for (double& error : errors) error *= 2.0;  // ordered pairs
  return errors;
}

}  // namespace tamis
