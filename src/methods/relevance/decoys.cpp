#include "methods/relevance/decoys.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

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

/// Rows off the most frequent value of each judged column, at most half of them: a column without a
/// value in more than half of the rows is as good as continuous.
std::vector<Index> rows_off(const RankedTable& z, const CrossedTargets& crossed,
                            std::span<const Index> columns) {
  const Index rows = std::ssize(crossed.rows);
  std::vector<Index> off(columns.size(), rows / 2);
  parallel_for_with(
      std::ssize(columns), kGrain, [&] { return std::vector<double>(crossed.rows.size()); },
      [&](std::vector<double>& values, Index begin, Index end) {
        for (Index s = begin; s < end; ++s) {
          const Index frequent = z.most_frequent()[columns[s]];
          if (2 * frequent <= rows) continue;
          if (rows == z.rows()) {
            off[s] = std::min(off[s], rows - frequent);
            continue;
          }
          z.copy_rows(crossed.rows, columns[s], 1, values.data());
          const auto others = std::ssize(off_the_majority(values).places);
          off[s] = std::min<Index>(off[s], others);
        }
      });
  return off;
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

  bool has_rare() const { return std::ranges::any_of(rare_, &RareColumn::is_one); }

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
                *surprise = surprise_of(s, measure_rare(s, orders[k]));
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
  double measure_rare(Index s, const std::vector<Index>& order) const {
    const RowVectors& target = targets_[fold_of(s)];
    std::vector<double> products(target.width, 0.0);
    for (std::size_t e = 0; e < rare_[s].places.size(); ++e) {
      const double* const row = target.row(order[rare_[s].places[e]]);
      for (Index c = 0; c < target.width; ++c) products[c] += rare_[s].differences[e] * row[c];
    }
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

Decoys::Decoys(const RankedTable& z, const CrossedTargets& crossed, std::span<const SphereLaw> laws,
               Index count, const Run& run)
    : stratum_of_(z.cols(), kNoStratum) {
  std::vector<Index> judged;
  for (Index r = 0; r < z.cols(); ++r)
    if (crossed.fold_of[r] != kNoFold && crossed.lengths[r] > 0.0) judged.push_back(r);
  const auto strata = strata_of(rows_off(z, crossed, judged));
  const std::vector<RowVectors> targets = targets_of_judged_rows(crossed);
  Progress::Stage stage(run.progress, "drawing decoys", std::ssize(strata));
  for (Index number = 0; number < std::ssize(strata); ++number) {
    const Index size = std::ssize(strata[number]);
    const std::uint64_t stream = kDecoyStream + kStratumStreams * number;
    for (const Index s : strata[number]) stratum_of_[judged[s]] = number;
    std::vector<Index> columns;
    for (const Index k : RandomStream(run.seed, stream).sample(size, std::min(size, kMostColumns)))
      columns.push_back(judged[strata[number][k]]);
    const Index drawn = std::ssize(columns);
    const DecoyDraw decoys(z, crossed, targets, laws, std::move(columns));
    const Index wanted = decoys.has_rare() ? kMoreForRare * count : count;
    const Index permutations = (wanted + drawn - 1) / drawn;
    const DecoyTail& tail =
        tails_.emplace_back(decoys.surprises(permutations, run.seed, stream + 1));
    if (run.trace.is_wanted())
      run.trace.record(TraceEvent{"decoys"}
                           .with("stratum", number)
                           .with("columns", size)
                           .with("decoys", tail.count())
                           .with("threshold", tail.threshold())
                           .with("scale", tail.scale()));
    stage.advance();
  }
}

double Decoys::corrected(Index column, double log_p) const {
  const Index stratum = stratum_of_[column];
  return stratum == kNoStratum ? log_p : -tails_[stratum].corrected(-log_p);
}

}  // namespace tamis
