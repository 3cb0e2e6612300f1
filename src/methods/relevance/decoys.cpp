#include "methods/relevance/decoys.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "core/lanes.hpp"
#include "core/random.hpp"
#include "linalg/gemm.hpp"
#include "methods/relevance/streams.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kNoStratum = -1;
constexpr std::size_t kLeastColumns = 100;
constexpr Index kMostColumns = 2000;
constexpr Index kMoreForRare = 10;
constexpr Index kGrain = 64;

/// A column with one value in more than half of the rows, as what the others differ from it.
struct RareColumn {
  std::vector<Index> places = {};  ///< in the list of judged rows
  std::vector<double> differences = {};

  bool is_one() const { return !places.empty(); }
};

/// The value of more than half of the numbers, if there is one (Boyer, Moore).
double majority(std::span<const double> values) {
  double candidate = 0.0;
  Index lead = 0;
  for (const double value : values) {
    if (lead == 0) candidate = value;
    lead += value == candidate ? 1 : -1;
  }
  return candidate;
}

RareColumn off_the_majority(std::span<const double> values) {
  const double frequent = majority(values);
  RareColumn column;
  for (Index s = 0; s < std::ssize(values); ++s) {
    if (values[s] == frequent) continue;
    column.places.push_back(s);
    column.differences.push_back(values[s] - frequent);
  }
  return column;
}

/// out[c] = sum of differences times the target's rows in which the permuted column has them, for
/// `lanes` columns of the target.
template <Index lanes, class Cpu>
TAMIS_INLINE void multiply_lanes(const RareColumn& column, const Index* order, const double* target,
                                 Index width, double* out) {
  Lanes<double, lanes, Cpu> sums{};
  for (std::size_t e = 0; e < column.places.size(); ++e)
    sums += column.differences[e] *
            Lanes<double, lanes, Cpu>::load(target + order[column.places[e]] * width);
  sums.store(out);
}

/// The products of a permuted column with all columns of a target.
void multiply_rare(const RareColumn& column, const std::vector<Index>& row_order,
                   const RowVectors& of_target, std::vector<double>& products) {
  const Index width = of_target.width;
  products.resize(width);
  for_this_cpu([&column, width, order = row_order.data(), target = of_target.values.data(),
                out = products.data()](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    constexpr Index kMany = 8;
    constexpr Index kSome = 4;
    Index c = 0;
    for (; c + kMany <= width; c += kMany)
      multiply_lanes<kMany, Cpu>(column, order, target + c, width, out + c);
    for (; c + kSome <= width; c += kSome)
      multiply_lanes<kSome, Cpu>(column, order, target + c, width, out + c);
    for (; c < width; ++c) {
      double sum = 0.0;
      for (std::size_t e = 0; e < column.places.size(); ++e)
        sum += column.differences[e] * target[order[column.places[e]] * width + c];
      out[c] = sum;
    }
  });
}

/// Columns that are judged and vary over the judged rows. One without a value in more than half of
/// the rows is as good as continuous.
RareColumns rare_columns(const RankedTable& z, const CrossedTargets& crossed) {
  const Index rows = std::ssize(crossed.rows);
  RareColumns judged;
  for (Index r = 0; r < z.cols(); ++r)
    if (crossed.fold_of[r] != kNoFold && crossed.lengths[r] > 0.0) judged.columns.push_back(r);
  std::vector<Index> others(judged.columns.size(), rows);  // rows off the most frequent value
  parallel_for_with(
      std::ssize(judged.columns), kGrain, [&] { return std::vector<double>(crossed.rows.size()); },
      [&](std::vector<double>& values, Index begin, Index end) {
        for (Index s = begin; s < end; ++s) {
          const Index frequent = z.most_frequent()[judged.columns[s]];
          if (2 * frequent <= rows) continue;
          if (rows == z.rows()) {
            others[s] = rows - frequent;
            continue;
          }
          z.copy_rows(crossed.rows, judged.columns[s], 1, values.data());
          others[s] = std::ssize(off_the_majority(values).places);
        }
      });
  for (const Index off : others) {
    judged.rows_off.push_back(std::min(rows / 2, off));
    judged.is_rare.push_back(2 * off < rows);
  }
  return judged;
}

/// The targets over the judged rows alone, one row for each of them.
std::vector<RowVectors> targets_of_judged_rows(const CrossedTargets& crossed) {
  std::vector<RowVectors> targets;
  for (const RowVectors& target : crossed.targets) {
    RowVectors& some = targets.emplace_back();
    some = {target.width, Buffer<double>(std::ssize(crossed.rows) * target.width)};
    for (Index s = 0; s < std::ssize(crossed.rows); ++s)
      std::copy_n(target.row(crossed.rows[s]), target.width, some.row(s));
  }
  return targets;
}

/// Draws the decoys of one stratum.
class DecoyDraw {
 public:
  /// @param targets over the judged rows
  DecoyDraw(const RankedTable& z, const CrossedTargets& crossed,
            const std::vector<RowVectors>& targets, std::span<const SphereLaw> laws,
            std::vector<Index> columns)
      : z_(z),
        crossed_(crossed),
        targets_(targets),
        laws_(laws),
        columns_(std::move(columns)),
        rare_(columns_.size()) {
    std::ranges::stable_sort(columns_, {}, [&](Index column) { return crossed.fold_of[column]; });
    parallel_for_with(
        std::ssize(columns_), 1, [&] { return std::vector<double>(rows()); },
        [&](std::vector<double>& values, Index s, Index) {
          if (2 * z_.most_frequent()[columns_[s]] <= rows()) return;
          z_.copy_rows(crossed_.rows, columns_[s], 1, values.data());
          RareColumn column = off_the_majority(values);
          if (2 * std::ssize(column.places) < rows()) rare_[s] = std::move(column);
        });
  }

  /// The surprise of each column with its target's rows permuted by RandomStream(seed, stream),
  /// then of each by RandomStream(seed, stream + 1), and so on.
  std::vector<double> surprises(Index permutations, std::uint64_t seed,
                                std::uint64_t stream) const {
    const Index drawn = std::ssize(columns_);
    const Index at_once = std::clamp<Index>(kPermutedRows / rows(), 1, kMostAtOnce);
    std::vector<double> result(permutations * drawn);
    for (Index first = 0; first < permutations; first += at_once) {
      const Index count = std::min(at_once, permutations - first);
      const auto orders = row_orders(count, seed, stream + first);
      parallel_for_with(
          drawn * count, kBatch, [&] { return Batch(rows()); },
          [&](Batch& batch, Index begin, Index end) {
            batch.column_at = kNoColumn;
            for (Index pair = begin; pair < end; ++pair) {
              const Index s = pair / count;
              const Index k = pair % count;
              double* const surprise = &result[(first + k) * drawn + s];
              if (rare_[s].is_one())
                *surprise = surprise_of(s, measure_rare(s, orders[k], batch.products));
              else
                add_permuted(s, orders[k], surprise, batch);
            }
            finish(batch);
          });
    }
    return result;
  }

 private:
  static constexpr Index kPermutedRows = Index{1} << 22;
  static constexpr Index kMostAtOnce = 64;
  static constexpr Index kBatch = 16;
  static constexpr Index kNoColumn = -1;

  /// Permuted columns that wait for their products with the same target.
  struct Batch {
    explicit Batch(Index rows) : column(rows), permuted(kBatch * rows) {}
    Index column_at = kNoColumn;  ///< the position of what is in `column`
    std::vector<double> column;
    Buffer<double> permuted;
    std::vector<double> products = {};  ///< of a column with one frequent value
    std::vector<Index> positions = {};
    std::vector<double*> surprises = {};
  };

  Index rows() const { return std::ssize(crossed_.rows); }
  Index fold_of(Index s) const { return crossed_.fold_of[columns_[s]]; }

  std::vector<std::vector<Index>> row_orders(Index count, std::uint64_t seed,
                                             std::uint64_t stream) const {
    std::vector<std::vector<Index>> orders(count, all_indices(rows()));
    parallel_for(count, 1,
                 [&](Index k, Index) { RandomStream(seed, stream + k).shuffle(orders[k]); });
    return orders;
  }

  double surprise_of(Index s, double share) const {
    const double length = crossed_.lengths[columns_[s]];
    return -laws_[fold_of(s)].log_tail(share / (length * length));
  }

  void add_permuted(Index s, const std::vector<Index>& order, double* surprise,
                    Batch& batch) const {
    if (!batch.positions.empty() && fold_of(batch.positions.front()) != fold_of(s)) finish(batch);
    if (batch.column_at != s) z_.copy_rows(crossed_.rows, columns_[s], 1, batch.column.data());
    batch.column_at = s;
    double* const permuted = &batch.permuted[std::ssize(batch.positions) * rows()];
    for (Index i = 0; i < rows(); ++i) permuted[i] = batch.column[order[i]];
    batch.positions.push_back(s);
    batch.surprises.push_back(surprise);
  }

  /// |z'T|^2 of all that wait.
  void finish(Batch& batch) const {
    if (batch.positions.empty()) return;
    const RowVectors& target = targets_[fold_of(batch.positions.front())];
    const Index count = std::ssize(batch.positions);
    Buffer<double> products(count * target.width, 0.0);
    if (target.width > 0)
      add_product(batch.permuted.data(), rows(), target.values.data(), count, rows(), target.width,
                  products.data());
    for (Index k = 0; k < count; ++k) {
      double share = 0.0;
      for (Index c = 0; c < target.width; ++c)
        share += products[k * target.width + c] * products[k * target.width + c];
      *batch.surprises[k] = surprise_of(batch.positions[k], share);
    }
    batch.positions.clear();
    batch.surprises.clear();
  }

  /// The same of a column with one frequent value, which adds nothing: targets are centred.
  double measure_rare(Index s, const std::vector<Index>& order,
                      std::vector<double>& products) const {
    multiply_rare(rare_[s], order, targets_[fold_of(s)], products);
    double share = 0.0;
    for (const double product : products) share += product * product;
    return share;
  }

  const RankedTable& z_;
  const CrossedTargets& crossed_;
  const std::vector<RowVectors>& targets_;
  std::span<const SphereLaw> laws_;
  std::vector<Index> columns_;    ///< by fold
  std::vector<RareColumn> rare_;  ///< of each column; empty if it is not
};

}  // namespace

DecoyTail::DecoyTail(std::vector<double> surprises) : surprises_(std::move(surprises)) {
  std::ranges::sort(surprises_);
  const auto above = surprises_.end() - kAbove;
  threshold_ = above[-1];
  double excess = 0.0;
  for (auto s = above; s != surprises_.end(); ++s) excess += *s - threshold_;
  scale_ = std::max(1.0, excess / static_cast<double>(kAbove));
}

double DecoyTail::corrected(double surprise) const {
  constexpr double kHeaviest = 1.5;
  const auto n = static_cast<double>(count());
  if (surprise > threshold_ && scale_ <= kHeaviest)
    return std::min(surprise, std::log(n / kAbove) + (surprise - threshold_) / scale_);
  const auto as_large = surprises_.end() - std::ranges::lower_bound(surprises_, surprise);
  return std::min(surprise, -std::log((1.0 + static_cast<double>(as_large)) / (1.0 + n)));
}

std::vector<std::vector<Index>> strata_of(std::span<const Index> rows_off) {
  std::map<Index, std::vector<Index>> levels;
  for (Index s = 0; s < std::ssize(rows_off); ++s)
    levels[static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(rows_off[s])))].push_back(
        s);
  std::vector<std::vector<Index>> strata;
  bool is_open = false;
  for (const auto& [level, positions] : levels) {
    if (!is_open) strata.emplace_back();
    strata.back().insert(strata.back().end(), positions.begin(), positions.end());
    is_open = strata.back().size() < kLeastColumns;
  }
  if (is_open && strata.size() > 1) {
    const std::vector<Index> remainder = std::move(strata.back());
    strata.pop_back();
    strata.back().insert(strata.back().end(), remainder.begin(), remainder.end());
  }
  return strata;
}

std::vector<DecoyStratum> plan_decoys(const RareColumns& judged, Index count, std::uint64_t seed) {
  std::vector<DecoyStratum> plan;
  for (const std::vector<Index>& positions : strata_of(judged.rows_off)) {
    const std::uint64_t stream = kDecoyStream + kStratumStreams * plan.size();
    DecoyStratum& stratum = plan.emplace_back();
    const Index size = std::ssize(positions);
    for (const Index s : positions) stratum.columns.push_back(judged.columns[s]);
    bool has_rare = false;
    for (const Index k : RandomStream(seed, stream).sample(size, std::min(size, kMostColumns))) {
      stratum.drawn.push_back(stratum.columns[k]);
      has_rare = has_rare || judged.is_rare[positions[k]];
    }
    const Index wanted = has_rare ? kMoreForRare * count : count;
    stratum.permutations = (wanted + std::ssize(stratum.drawn) - 1) / std::ssize(stratum.drawn);
    stratum.first_stream = stream + 1;
  }
  return plan;
}

Decoys::Decoys(const RankedTable& z, const CrossedTargets& crossed, std::span<const SphereLaw> laws,
               Index count, const Run& run)
    : stratum_of_(z.cols(), kNoStratum) {
  const auto strata = plan_decoys(rare_columns(z, crossed), count, run.seed);
  const std::vector<RowVectors> targets = targets_of_judged_rows(crossed);
  Progress::Stage stage(run.progress, "drawing decoys", std::ssize(strata));
  for (const DecoyStratum& stratum : strata) {
    const DecoyDraw decoys(z, crossed, targets, laws, stratum.drawn);
    add(stratum, decoys.surprises(stratum.permutations, run.seed, stratum.first_stream), run.trace);
    stage.advance();
  }
}

Decoys::Decoys(Index cols, const std::vector<DecoyStratum>& strata,
               std::vector<std::vector<double>> surprises, const Trace& trace)
    : stratum_of_(cols, kNoStratum) {
  for (std::size_t s = 0; s < strata.size(); ++s) add(strata[s], std::move(surprises[s]), trace);
}

void Decoys::add(const DecoyStratum& stratum, std::vector<double> surprises, const Trace& trace) {
  const Index number = std::ssize(tails_);
  for (const Index column : stratum.columns) stratum_of_[column] = number;
  const DecoyTail& tail = tails_.emplace_back(std::move(surprises));
  if (!trace.is_wanted()) return;
  trace.record(TraceEvent{"decoys"}
                   .with("stratum", number)
                   .with("columns", std::ssize(stratum.columns))
                   .with("decoys", tail.count())
                   .with("threshold", tail.threshold())
                   .with("scale", tail.scale()));
}

double Decoys::corrected(Index column, double log_p) const {
  const Index stratum = stratum_of_[column];
  return stratum == kNoStratum ? log_p : -tails_[stratum].corrected(-log_p);
}

}  // namespace tamis
