#include "linalg/ranked_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/column_sorter.hpp"
#include "core/lanes.hpp"
#include "core/large_pages.hpp"
#include "core/transpose.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns that are read together: a cache line of floats.
constexpr Index kPanel = 16;

/// What the ties of a column of n values say of its ranks. Values are visited in ascending order,
/// so that the order of the rows changes no bit.
class RankScale {
 public:
  explicit RankScale(Index n) : n_(n) {}

  /// The average rank of sorted places begin .. end - 1 less that of all.
  double centred(Index begin, Index end) const {
    return 0.5 * static_cast<double>(begin + end - n_);
  }
  void measure(Index begin, Index end) {
    const double rank = centred(begin, end);
    squares_ += static_cast<double>(end - begin) * rank * rank;
    most_frequent_ = std::max(most_frequent_, end - begin);
    if (begin <= (n_ - 1) / 2 && (n_ - 1) / 2 < end) median_ += 0.5 * rank;
    if (begin <= n_ / 2 && n_ / 2 < end) median_ += 0.5 * rank;
  }
  /// Sorted places begin .. end - 1, of which none ties with another.
  void measure_singles(Index begin, Index end) {
    if (n_ > kMostExact) {
      for (Index s = begin; s < end; ++s) measure(s, s + 1);
      return;
    }
    squares_ += 0.25 * static_cast<double>(sum_of_squares(end) - sum_of_squares(begin));
    most_frequent_ = std::max<Index>(most_frequent_, 1);
    for (const Index middle : {(n_ - 1) / 2, n_ / 2})
      if (begin <= middle && middle < end) median_ += 0.5 * centred(middle, middle + 1);
  }
  /// Once all are measured.
  void finish() { deviation_ = std::sqrt(squares_ / static_cast<double>(n_)); }
  bool varies() const { return squares_ > 0.0; }
  Index most_frequent() const { return most_frequent_; }
  double deviation() const { return deviation_; }
  /// Of a tie.
  double scaled(Index begin, Index end) {
    const double rank = centred(begin, end);
    deviations_ += static_cast<double>(end - begin) * std::abs(rank - median_);
    return rank / deviation_;
  }
  /// What scaled() does besides, for sorted places of which none ties with another. Ranks below the
  /// middle are at most the median, all others at least.
  void add_singles(Index begin, Index end) {
    if (n_ > kMostExact) {
      for (Index s = begin; s < end; ++s) scaled(s, s + 1);
      return;
    }
    const auto above_median = [&](Index from, Index to) {
      return 0.5 * static_cast<double>((to - from) * (to + from - n_)) -
             static_cast<double>(to - from) * median_;
    };
    const Index middle = std::clamp(n_ / 2, begin, end);
    deviations_ += above_median(middle, end) - above_median(begin, middle);
  }
  double spread() const {
    if (!varies()) return 0.0;
    const double mean = deviations_ / static_cast<double>(n_) / deviation();
    return mean * mean;
  }

 private:
  /// Ranks are multiples of 1/2. Up to so many rows doubles hold all sums of their squares exactly,
  /// and then it does not matter in which order they are added, or by what formula.
  static constexpr Index kMostExact = Index{1} << 18;

  /// Of 2 s + 1 - n for all s below the given one.
  Index sum_of_squares(Index below) const {
    const Index first = 1 - n_;
    const Index pairs = below * (below - 1);  // twice the sum of all s
    return below * first * first + 2 * first * pairs + 2 * pairs * (2 * below - 1) / 3;
  }

  Index n_;
  Index most_frequent_ = 0;
  double squares_ = 0.0;
  double deviation_ = 0.0;
  double median_ = 0.0;
  double deviations_ = 0.0;
};

/// What there is to know of columns besides their ranks.
struct ColumnFacts {
  std::vector<double>& spread;
  std::vector<Index>& most_frequent;

  void set(Index r, const RankScale& scale) const {
    spread[r] = scale.spread();
    most_frequent[r] = scale.most_frequent();
  }
};

/// Calls visit_singles(begin, end) for the longest runs of sorted items of which none ties with
/// another, and visit_tie(begin, end) for ties of two and more, in their order.
template <class Item, class VisitSingles, class VisitTie>
void for_each_run(std::span<const Item> sorted, const VisitSingles& visit_singles,
                  const VisitTie& visit_tie) {
  const Index n = std::ssize(sorted);
  Index singles = 0;
  for (Index s = 1; s < n; ++s) {
    if (sorted[s].key != sorted[s - 1].key) continue;
    const Index begin = s - 1;
    while (s < n && sorted[s].key == sorted[begin].key) ++s;
    if (singles < begin) visit_singles(singles, begin);
    visit_tie(begin, s);
    singles = s;
  }
  if (singles < n) visit_singles(singles, n);
}

/// Replaces columns by their ranks.
template <class T, class Key>
class ColumnRanker {
 public:
  RankScale rank(std::span<T> column) {
    const auto sorted = sorter_.sort(column);
    RankScale scale(std::ssize(column));
    for_each_run(
        sorted, [&](Index begin, Index end) { scale.measure_singles(begin, end); },
        [&](Index begin, Index end) { scale.measure(begin, end); });
    scale.finish();
    if (!scale.varies()) {
      std::ranges::fill(column, T{0});
      return scale;
    }
    fill_singles(scale, std::ssize(column));
    for_each_run(
        sorted,
        [&](Index begin, Index end) {
          scale.add_singles(begin, end);
          for (Index s = begin; s < end; ++s) column[sorted[s].place] = singles_[s];
        },
        [&](Index begin, Index end) {
          const T rank = static_cast<T>(scale.scaled(begin, end));
          for (Index s = begin; s < end; ++s) column[sorted[s].place] = rank;
        });
    return scale;
  }

 private:
  /// The ranks of values that tie with no other; those of the column before, if ties have left them
  /// as they were.
  void fill_singles(const RankScale& scale, Index n) {
    if (std::ssize(singles_) == n && deviation_ == scale.deviation()) return;
    deviation_ = scale.deviation();
    singles_.resize(n);
    for_this_cpu([n, first = scale.centred(0, 1), deviation = deviation_,
                  out = singles_.data()](auto) TAMIS_KERNEL {
      constexpr Index kRun = 1024;  // counted in 32 bits, which vectors convert to doubles
      for (Index from = 0; from < n; from += kRun) {
        const double of_run = first + static_cast<double>(from);
        const auto count = static_cast<std::int32_t>(std::min(kRun, n - from));
        for (std::int32_t s = 0; s < count; ++s)
          out[from + s] = static_cast<T>((of_run + static_cast<double>(s)) / deviation);
      }
    });
  }

  ColumnSorter<T, Key> sorter_;
  std::vector<T> singles_;
  double deviation_ = 0.0;
};

/// kSide rows from `from` on of as many columns, which go `apart` from each other.
template <class T, Index kSide, class Cpu>
TAMIS_INLINE void transpose_block(const DenseView<T>& x, Index from, Index column, T* out,
                                  Index apart) {
  using Vector = typename Lanes<T, kSide, Cpu>::Vector;
  Vector square[kSide];
  load_transposed(x.row(from) + column, x.row(1) - x.row(0), square);
#pragma GCC unroll 16
  for (Index r = 0; r < kSide; ++r) std::memcpy(out + r * apart + from, &square[r], sizeof(Vector));
}

/// Columns first .. first + width - 1, which go `apart` from each other.
template <class T>
void transpose_panel(const DenseView<T>& x, Index first, Index width, T* out, Index apart) {
  for_this_cpu([=, &x](auto cpu) TAMIS_KERNEL {
    constexpr Index kSide = kRegisterLanes<T, decltype(cpu)>;
    const Index n = x.rows();
    const Index rows = n / kSide * kSide;
    const Index columns = width / kSide * kSide;
    for (Index i = 0; i < rows; i += kSide)
      for (Index r = 0; r < columns; r += kSide)
        transpose_block<T, kSide, decltype(cpu)>(x, i, first + r, out + r * apart, apart);
    for (Index i = 0; i < n; ++i)
      for (Index r = i < rows ? columns : 0; r < width; ++r) out[r * apart + i] = x(i, first + r);
  });
}

/// All columns, one after the other, by runs of rows that are forgotten then. Each run fills a few
/// pages of every column: together with what is left of the table they are hardly more than it was.
template <class T>
void transpose_and_forget(const DenseView<T>& x, const ForgetRows& forget, Buffer<T>& columns) {
  constexpr Index kRun = 8192;
  const std::size_t bytes = columns.size() * sizeof(T);
  prefer_small_pages(columns.data(), bytes);
  for (Index from = 0; from < x.rows(); from += kRun) {
    const DenseView<T> run(x.row(from), std::min(kRun, x.rows() - from), x.cols());
    parallel_for(x.cols(), kPanel, [&](Index begin, Index end) {
      transpose_panel(run, begin, end - begin, &columns[begin * x.rows() + from], x.rows());
    });
    forget(from, from + run.rows());
  }
  prefer_large_pages(columns.data(), bytes);
}

template <class Key, class T>
DenseRanks<T> rank_table(const DenseView<T>& x, const ForgetRows& forget,
                         const ColumnFacts& facts) {
  const Index n = x.rows();
  DenseRanks<T> ranks{Buffer<T>(n * x.cols())};
  if (forget) transpose_and_forget(x, forget, ranks.values);
  parallel_for_with(
      x.cols(), kPanel, [] { return ColumnRanker<T, Key>(); },
      [&](ColumnRanker<T, Key>& ranker, Index begin, Index end) {
        if (!forget) transpose_panel(x, begin, end - begin, &ranks.values[begin * n], n);
        for (Index r = begin; r < end; ++r)
          facts.set(r, ranker.rank({&ranks.values[r * n], static_cast<std::size_t>(n)}));
      });
  return ranks;
}

/// The columns of the table with their values, not yet ranked.
template <class T>
SparseRanks<T> columns_of(const CsrView<T>& x) {
  SparseRanks<T> columns{.base = std::vector<double>(x.cols(), 0.0),
                         .offsets = std::vector<Index>(x.cols() + 1, 0),
                         .rows = Buffer<Index>(x.non_zeros()),
                         .values = Buffer<T>(x.non_zeros())};
  for (Index i = 0; i < x.rows(); ++i)
    for (const Index r : x.row_columns(i)) ++columns.offsets[r + 1];
  std::partial_sum(columns.offsets.begin(), columns.offsets.end(), columns.offsets.begin());
  std::vector<Index> next(columns.offsets.begin(), columns.offsets.end() - 1);
  for (Index i = 0; i < x.rows(); ++i) {
    const auto row_columns = x.row_columns(i);
    const auto row_values = x.row_values(i);
    for (std::size_t e = 0; e < row_columns.size(); ++e) {
      const Index to = next[row_columns[e]]++;
      columns.rows[to] = i;
      columns.values[to] = row_values[e];
    }
  }
  return columns;
}

/// Values of a sparse column that share a rank: sorted entries first .. last - 1 and, if they are
/// zeros, those that are not stored. Together they have the sorted places begin .. end - 1.
struct SparseTie {
  Index first;
  Index last;
  Index begin;
  Index end;
  bool is_zero;
};

template <class Item, class T, class Visit>
void for_each_sparse_tie(std::span<const Item> sorted, std::span<T> entries, Index absent,
                         const Visit& visit) {
  bool is_past_zero = absent == 0;
  const auto visit_absent = [&](Index at) {
    if (!is_past_zero) visit(SparseTie{at, at, at, at + absent, true});
    is_past_zero = true;
  };
  for_each_tie(sorted, [&](Index first, Index last) {
    const T value = entries[sorted[first].place];
    if (value == T{0}) {
      is_past_zero = true;
      visit(SparseTie{first, last, first, last + absent, true});
      return;
    }
    if (value > T{0}) visit_absent(first);
    const Index before = value > T{0} ? absent : 0;
    visit(SparseTie{first, last, first + before, last + before, false});
  });
  visit_absent(std::ssize(sorted));
}

/// Replaces the entries of a column by what their ranks differ from that of its zeros, which
/// becomes the base.
template <class T, class Key>
RankScale rank_entries(ColumnSorter<T, Key>& sorter, Index n, std::span<T> entries, double& base) {
  const auto sorted = sorter.sort(entries);
  const Index absent = n - std::ssize(entries);
  RankScale scale(n);
  SparseTie zeros{};
  for_each_sparse_tie(sorted, entries, absent, [&](const SparseTie& tie) {
    scale.measure(tie.begin, tie.end);
    if (tie.is_zero) zeros = tie;
  });
  scale.finish();
  const bool has_base = scale.varies() && zeros.is_zero;
  base = has_base ? scale.centred(zeros.begin, zeros.end) / scale.deviation() : 0.0;
  if (!scale.varies()) {
    std::ranges::fill(entries, T{0});
    return scale;
  }
  for_each_sparse_tie(sorted, entries, absent, [&](const SparseTie& tie) {
    const T rank = static_cast<T>(scale.scaled(tie.begin, tie.end) - base);
    for (Index s = tie.first; s < tie.last; ++s) entries[sorted[s].place] = rank;
  });
  return scale;
}

template <class Key, class T>
SparseRanks<T> rank_table(const CsrView<T>& x, const ForgetRows&, const ColumnFacts& facts) {
  SparseRanks<T> ranks = columns_of(x);
  parallel_for_with(
      x.cols(), kPanel, [] { return ColumnSorter<T, Key>(); },
      [&](ColumnSorter<T, Key>& sorter, Index begin, Index end) {
        for (Index r = begin; r < end; ++r) {
          const Index from = ranks.offsets[r];
          const auto count = static_cast<std::size_t>(ranks.offsets[r + 1] - from);
          facts.set(r, rank_entries<T, Key>(sorter, x.rows(), {ranks.values.data() + from, count},
                                            ranks.base[r]));
        }
      });
  return ranks;
}

}  // namespace

RankedTable::RankedTable(const MatrixView& x, const ForgetRows& forget)
    : rows_(x.rows()), spread_(x.cols(), 0.0), most_frequent_(x.cols(), 0) {
  const ColumnFacts facts{spread_, most_frequent_};
  x.visit([&]<class View>(const View& view) {
    if constexpr (std::same_as<typename View::value_type, float>) {
      if (rows_ <= std::numeric_limits<std::uint32_t>::max()) {
        storage_ = std::make_shared<Storage>(rank_table<std::uint32_t>(view, forget, facts));
        return;
      }
    }
    storage_ = std::make_shared<Storage>(rank_table<std::uint64_t>(view, forget, facts));
  });
}

RankedTable::RankedTable(Index rows, Buffer<double> ranks, std::vector<double> spread,
                         std::vector<Index> most_frequent)
    : rows_(rows),
      spread_(std::move(spread)),
      most_frequent_(std::move(most_frequent)),
      storage_(std::make_shared<Storage>(DenseRanks<double>{std::move(ranks)})) {}

RankedTable RankedTable::without(std::span<const Index> columns) const {
  RankedTable others = *this;
  for (const Index column : columns) others.spread_[column] = 0.0;
  return others;
}

}  // namespace tamis
