#include "graphs/narrow_edges.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>

#include "core/bit_marks.hpp"
#include "core/lanes.hpp"
#include "core/simd.hpp"
#include "graphs/key_panel.hpp"
#include "graphs/narrow_keys.hpp"
#include "graphs/smallest_keys.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kMostColumns = 256;
constexpr Index kMostNeighbors = SmallestKeys::kMostChosen;
constexpr Index kMostRows = 16384;
constexpr Index kMostValues = Index{1} << 20;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Key and position in one number, ordered by key: the bits of keys, which are not negative, order
/// like integers.
std::uint64_t pack(float key, std::uint32_t position) {
  return (std::uint64_t{std::bit_cast<std::uint32_t>(key)} << 32) | position;
}
float key_of(std::uint64_t entry) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(entry >> 32));
}
std::uint32_t position_of(std::uint64_t entry) { return static_cast<std::uint32_t>(entry); }

/// The `rank`-th smallest of the groups' smallest keys, after joining them to kGroups: at least so
/// many keys are within it. Keys are not negative, so their bits order like integers.
template <Index kGroups>
TAMIS_INLINE float smallest_of_groups(const float* group_minima, std::int32_t rank) {
  constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
  std::int32_t bits[kColumnGroups];
  std::memcpy(bits, group_minima, sizeof bits);
  for (Index from = kGroups; from < kColumnGroups; from += kGroups)
    for (Index g = 0; g < kGroups; ++g) bits[g] = std::min(bits[g], bits[from + g]);
  std::int32_t not_larger[kGroups] = {};
  for (Index h = 0; h < kGroups; ++h) {
    const std::int32_t other = bits[h];
    for (Index g = 0; g < kGroups; ++g) not_larger[g] += other <= bits[g] ? 1 : 0;
  }
  std::int32_t bound = kLargest;
  for (Index g = 0; g < kGroups; ++g)
    bound = std::min(bound, not_larger[g] >= rank ? bits[g] : kLargest);
  return std::bit_cast<float>(bound);
}

/// A number that at least `rank` keys are within and, as a rule, not many more. Few groups are
/// compared quickly, but must be well more than the rank.
float key_bound(const float* group_minima, std::int32_t rank) {
  return for_this_cpu([=](auto) TAMIS_KERNEL {
    if (rank <= 12) return smallest_of_groups<16>(group_minima, rank);
    return smallest_of_groups<32>(group_minima, rank);
  });
}

/// Packs the keys within the bound, by ascending position; `marks` has room for those of all.
Index collect(const float* keys, Index n, float bound, std::uint64_t* marks,
              std::uint64_t* packed) {
  mark_at_most(keys, n, bound, marks);
  Index count = 0;
  for_each_mark(marks, n,
                [&](Index j) { packed[count++] = pack(keys[j], static_cast<std::uint32_t>(j)); });
  return count;
}

/// The k smallest keys, ties to the lower position, if keys are exact: of those at the bound, which
/// may be very many, only the first are looked at.
Index collect_exact(const float* keys, Index n, float bound, Index k, std::uint64_t* marks,
                    std::uint64_t* packed) {
  Index count = bound > 0.0F ? collect(keys, n, std::nextafter(bound, 0.0F), marks, packed) : 0;
  Index equal = 0;
  for (Index j = 0; j < n && equal < k; ++j)
    if (keys[j] == bound) {
      packed[count++] = pack(bound, static_cast<std::uint32_t>(j));
      ++equal;
    }
  return count;
}

/// Entries that are compared at once; arrays of them have room for so many more.
constexpr Index kEntriesAtOnce = 8;
/// Comes after all entries.
constexpr std::uint64_t kNoEntry = 0x7f800000ffffffff;

/// Writes the `wanted` smallest of the (different) entries in their order, then maybe others, and
/// kNoEntry after the last of all. To count the smaller ones needs no branches, and puts a few in
/// their places fastest.
void sort_smallest(std::uint64_t* packed, Index count, Index wanted, std::uint64_t* sorted) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    constexpr Index kFew = 64;
    if (count > kFew) {
      std::copy_n(packed, count, sorted);
      std::partial_sort(sorted, sorted + std::min(wanted, count), sorted + count);
    } else {
      // The first bit is never set, and most CPUs compare numbers with a sign only.
      using Entries = Lanes<std::int64_t, kEntriesAtOnce, decltype(cpu)>;
      const auto* const entries = reinterpret_cast<const std::int64_t*>(packed);
      std::fill_n(packed + count, kEntriesAtOnce, kNoEntry);
      for (Index from = 0; from < count; from += kEntriesAtOnce) {
        const auto own = Entries::load(entries + from);
        Entries smaller{};
        for (Index s = 0; s < count; ++s) smaller += ones_where_less(entries[s] - own, Entries{});
        std::int64_t places[kEntriesAtOnce];
        smaller.store(places);
        for (Index b = 0; b < kEntriesAtOnce; ++b) sorted[places[b]] = packed[from + b];
      }
    }
    sorted[count] = kNoEntry;
  });
}

/// Writes the positions of the entries up to `last`, in their order, and maybe one more after them.
void list_up_to(std::uint64_t last, const std::uint64_t* packed, Index count,
                std::uint32_t* positions) {
  for (Index s = 0; s < count; ++s) {  // without branches: which one belongs is anyone's guess
    *positions = position_of(packed[s]);
    positions += static_cast<Index>(packed[s] <= last);
  }
}

/// Columns whose differences are taken at once; rows are filled up with zeros, which change no sum.
constexpr Index kColumnsAtOnce = 8;

/// out[s] = the squared distance of a row and a partner, added up as squared_distance() does it:
/// column r to lane r mod kSumLanes, and the lanes joined by halves. Rows of `cols` columns, a
/// multiple of kColumnsAtOnce, lie one after the other.
template <class T>
void measure_partners(const T* rows, Index cols, Index own, std::span<const std::uint32_t> partners,
                      double* out) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Quarter = Lanes<double, kColumnsAtOnce, decltype(cpu)>;
    static_assert(4 * kColumnsAtOnce == kSumLanes);
    const T* const row = rows + own * cols;
    for (std::size_t s = 0; s < partners.size(); ++s) {
      const T* const other = rows + static_cast<Index>(partners[s]) * cols;
      Quarter sums[4] = {};
      for (Index r = 0; r < cols; r += kSumLanes)
#pragma GCC unroll 4
        for (Index q = 0; q < 4; ++q) {
          const Index from = r + q * kColumnsAtOnce;
          if (from >= cols) break;
          const Quarter difference = Quarter::load(row + from) - Quarter::load(other + from);
          sums[q] += difference * difference;
        }
      double lanes[kColumnsAtOnce];
      ((sums[0] + sums[2]) + (sums[1] + sums[3])).store(lanes);
      out[s] = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
               ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
    }
  });
}

/// Joins two ascending lists to one of what is in either, or in both; returns its length. Without
/// branches, as which list has the next one is anyone's guess.
Index merge(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Symmetry symmetry,
            std::uint32_t* out) {
  const bool wants_either = symmetry == Symmetry::either;
  std::size_t i = 0;
  std::size_t j = 0;
  Index count = 0;
  while (i < a.size() && j < b.size()) {
    const std::uint32_t left = a[i];
    const std::uint32_t right = b[j];
    out[count] = std::min(left, right);
    count += static_cast<Index>(wants_either | (left == right));
    i += static_cast<std::size_t>(left <= right);
    j += static_cast<std::size_t>(right <= left);
  }
  if (!wants_either) return count;
  std::uint32_t* const rest = std::copy(a.begin() + i, a.end(), out + count);
  return std::copy(b.begin() + j, b.end(), rest) - out;
}

template <class T>
class NarrowSearch {
 public:
  NarrowSearch(const DenseView<T>& x, std::span<const Index> among, Index k);

  std::vector<RowPair> edges(std::span<const Index> among, Symmetry symmetry);

 private:
  /// Buffers of one thread.
  struct Scratch {
    Buffer<float> keys;
    Buffer<float> group_minima;
    Buffer<std::uint64_t> marks;
    Buffer<std::uint64_t> packed;
    Buffer<std::uint64_t> sorted;
    std::vector<std::uint32_t> chosen;
    std::vector<std::uint32_t> partners;
    std::vector<double> distances;
    std::vector<std::pair<double, std::uint32_t>> measured;
  };
  Scratch make_scratch() const;
  bool leaves_much_open() const;
  void find_neighbors();
  void find_at_once();
  struct Choice;
  double largest_key_of_nearest(Index position, const std::uint32_t* chosen, float largest) const;
  double largest_key_of(Index position, double largest_norm, float largest) const;
  Choice choose_by_keys(Scratch& scratch, Index position, const float* keys,
                        const float* group_minima) const;
  void choose(Scratch& scratch, Index position, const float* keys, const float* group_minima);
  void measure(Scratch& scratch, Index position, const float* keys, double largest_key);

  Index n_;
  Index k_;
  Index padded_cols_;  // a multiple of kColumnsAtOnce
  Buffer<T> rows_;     // n x padded_cols
  std::unique_ptr<NarrowKeys> keys_ = nullptr;
  std::vector<std::uint32_t> neighbors_;  // of each position k positions, ascending
};

template <class T>
NarrowSearch<T>::NarrowSearch(const DenseView<T>& x, std::span<const Index> among, Index k)
    : n_(std::ssize(among)),
      k_(k),
      padded_cols_((x.cols() + kColumnsAtOnce - 1) / kColumnsAtOnce * kColumnsAtOnce),
      rows_(n_ * padded_cols_),
      neighbors_(n_ * k) {
  for (Index s = 0; s < n_; ++s) {
    T* const out = rows_.data() + s * padded_cols_;
    std::copy_n(x.row(among[s]), x.cols(), out);
    std::fill(out + x.cols(), out + padded_cols_, T{0});
  }
  const DenseView<T> rows(rows_.data(), n_, x.cols(), padded_cols_);
  const std::vector<Index> all = all_indices(n_);
  keys_ = integer_narrow_keys(rows, std::span<const Index>(all));
  if (!keys_ || leaves_much_open()) keys_ = float_narrow_keys(rows, std::span<const Index>(all));
}

template <class T>
typename NarrowSearch<T>::Scratch NarrowSearch<T>::make_scratch() const {
  return {.keys = Buffer<float>(keys_->panel_rows * keys_->padded_rows),
          .group_minima = Buffer<float>(keys_->panel_rows * kColumnGroups),
          .marks = Buffer<std::uint64_t>(words_of_marks(n_)),
          .packed = Buffer<std::uint64_t>(n_ + kEntriesAtOnce),
          .sorted = Buffer<std::uint64_t>(n_ + kEntriesAtOnce),
          .chosen = std::vector<std::uint32_t>(k_ + 1),
          .partners = {},
          .distances = {},
          .measured = {}};
}

/// What keys say of the neighbours of a row.
template <class T>
struct NarrowSearch<T>::Choice {
  float next;          ///< the smallest key of those that were not chosen
  double largest_key;  ///< that one of the k nearest can have

  bool is_open() const { return largest_key >= static_cast<double>(next); }
};

/// Whether, as some rows show, the bounds of keys are so wide that measuring takes longer than
/// better keys.
template <class T>
bool NarrowSearch<T>::leaves_much_open() const {
  if (keys_->error_free) return false;
  constexpr Index kSample = 16;
  Scratch scratch = make_scratch();
  const Index first = n_ / 2 / keys_->panel_rows * keys_->panel_rows;
  const Index height = std::min(kSample, n_ - first);
  keys_->fill(first, height, scratch.keys.data(), scratch.group_minima.data());
  Index measured = 0;
  for (Index s = 0; s < height; ++s) {
    const float* const keys = scratch.keys.data() + s * keys_->padded_rows;
    const Choice choice =
        choose_by_keys(scratch, first + s, keys, scratch.group_minima.data() + s * kColumnGroups);
    if (choice.is_open())
      measured += std::count_if(keys, keys + n_, [&](float key) {
        return static_cast<double>(key) <= choice.largest_key;
      });
  }
  return measured > height * (k_ + 8);
}

template <class T>
void NarrowSearch<T>::find_neighbors() {
  if (keys_->are_all_at_once() && !keys_->error_free) return find_at_once();
  parallel_for_with(
      n_, keys_->panel_rows, [&] { return make_scratch(); },
      [&](Scratch& scratch, Index begin, Index end) {
        keys_->fill(begin, end - begin, scratch.keys.data(), scratch.group_minima.data());
        for (Index s = begin; s < end; ++s)
          choose(scratch, s, scratch.keys.data() + (s - begin) * keys_->padded_rows,
                 scratch.group_minima.data() + (s - begin) * kColumnGroups);
      });
}

/// Of so few rows that all keys are there at once.
template <class T>
void NarrowSearch<T>::find_at_once() {
  Scratch scratch = make_scratch();
  const float* const keys = scratch.keys.data();
  keys_->fill(0, n_, scratch.keys.data(), scratch.group_minima.data());
  const SmallestKeys smallest(keys, n_, keys_->padded_rows, k_);
  const double largest_norm = std::ranges::max(keys_->squared_norms);
  for (Index position = 0; position < n_; ++position) {
    std::uint32_t* const chosen = neighbors_.data() + position * k_;
    for (Index s = 0; s < k_; ++s) chosen[s] = smallest.position(position, s);
    Choice choice{smallest.least_of_rest(position),
                  largest_key_of(position, largest_norm, smallest.most_of_chosen(position))};
    if (!choice.is_open()) continue;
    choice.largest_key =
        largest_key_of_nearest(position, chosen, smallest.most_of_chosen(position));
    if (choice.is_open())
      measure(scratch, position, keys + position * keys_->padded_rows, choice.largest_key);
  }
}

/// The largest key that one of the k nearest can have, if k rows have keys up to the given one.
template <class T>
double NarrowSearch<T>::largest_key_of_nearest(Index position, const std::uint32_t* chosen,
                                               float largest) const {
  double norm = 0.0;
  for (Index s = 0; s < k_; ++s) norm = std::max(norm, keys_->squared_norms[chosen[s]]);
  return largest_key_of(position, norm, largest);
}

/// The same if no norm of the k rows is known but one that none exceeds: a larger bound, which is
/// mostly enough.
template <class T>
double NarrowSearch<T>::largest_key_of(Index position, double largest_norm, float largest) const {
  return keys_->largest_key(position, keys_->largest_squared_distance(
                                          keys_->squared_norms[position], largest_norm, largest));
}

/// Leaves the positions of the k smallest keys in the scratch.
template <class T>
typename NarrowSearch<T>::Choice NarrowSearch<T>::choose_by_keys(Scratch& scratch, Index position,
                                                                 const float* keys,
                                                                 const float* group_minima) const {
  const float bound = key_bound(group_minima, static_cast<std::int32_t>(k_ + 1));
  std::uint64_t* const packed = scratch.packed.data();
  const Index count = keys_->error_free
                          ? collect_exact(keys, n_, bound, k_, scratch.marks.data(), packed)
                          : collect(keys, n_, bound, scratch.marks.data(), packed);
  sort_smallest(packed, count, k_ + 1, scratch.sorted.data());
  const std::uint64_t last = scratch.sorted[k_ - 1];
  list_up_to(last, packed, count, scratch.chosen.data());
  return {key_of(scratch.sorted[k_]),
          largest_key_of_nearest(position, scratch.chosen.data(), key_of(last))};
}

/// The k smallest keys, if no rounding can have hidden a nearer row; else what distances say.
template <class T>
void NarrowSearch<T>::choose(Scratch& scratch, Index position, const float* keys,
                             const float* group_minima) {
  const Choice choice = choose_by_keys(scratch, position, keys, group_minima);
  if (!keys_->error_free && choice.is_open())
    return measure(scratch, position, keys, choice.largest_key);
  const auto out = neighbors_.begin() + position * k_;
  std::copy_n(scratch.chosen.begin(), k_, out);
  if (keys_->error_free) std::sort(out, out + k_);  // those at the bound came last
}

/// The k nearest by (distance, row) of all rows whose key is within what one of them can have.
template <class T>
void NarrowSearch<T>::measure(Scratch& scratch, Index position, const float* keys,
                              double largest_key) {
  const float bound = std::nextafter(static_cast<float>(largest_key), kInfinity);
  const Index count = collect(keys, n_, bound, scratch.marks.data(), scratch.packed.data());
  scratch.partners.resize(count);
  std::transform(scratch.packed.begin(), scratch.packed.begin() + count, scratch.partners.begin(),
                 position_of);
  scratch.distances.resize(count);
  measure_partners(rows_.data(), padded_cols_, position, scratch.partners,
                   scratch.distances.data());
  scratch.measured.clear();
  for (Index s = 0; s < count; ++s)
    scratch.measured.emplace_back(scratch.distances[s], scratch.partners[s]);
  std::ranges::nth_element(scratch.measured, scratch.measured.begin() + k_ - 1);
  const auto out = neighbors_.begin() + position * k_;
  std::transform(scratch.measured.begin(), scratch.measured.begin() + k_, out,
                 [](const auto& measured) { return measured.second; });
  std::sort(out, out + k_);
}

template <class T>
std::vector<RowPair> NarrowSearch<T>::edges(std::span<const Index> among, Symmetry symmetry) {
  find_neighbors();
  // Later rows of which a row is a neighbour, ascending: a counting sort by the neighbour.
  std::vector<std::uint32_t> ends(n_ + 1, 0);
  const auto for_each_earlier = [&](const auto& visit) {
    for (Index s = 0; s < n_; ++s)
      for (Index e = s * k_; e < (s + 1) * k_ && neighbors_[e] < s; ++e)
        visit(neighbors_[e], static_cast<std::uint32_t>(s));
  };
  for_each_earlier([&](std::uint32_t earlier, std::uint32_t) { ++ends[earlier + 1]; });
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::uint32_t> later(ends.back());
  std::vector<std::uint32_t> filled(ends.begin(), ends.end() - 1);
  for_each_earlier([&](std::uint32_t earlier, std::uint32_t s) { later[filled[earlier]++] = s; });

  std::vector<RowPair> result;
  result.reserve(n_ * k_);
  std::vector<std::uint32_t> partners(n_ + 1);
  std::vector<double> distances(n_);
  for (Index s = 0; s < n_; ++s) {
    const auto row = std::span<const std::uint32_t>(neighbors_).subspan(s * k_, k_);
    const auto earlier = std::ranges::upper_bound(row, static_cast<std::uint32_t>(s)) - row.begin();
    const auto listing =
        std::span<const std::uint32_t>(later).subspan(ends[s], ends[s + 1] - ends[s]);
    const Index count = merge(row.subspan(earlier), listing, symmetry, partners.data());
    measure_partners(rows_.data(), padded_cols_, s, std::span(partners).first(count),
                     distances.data());
    for (Index e = 0; e < count; ++e)
      result.push_back({among[s], among[partners[e]], distances[e]});
  }
  return result;
}

template <class T>
std::vector<RowPair> edges_of(const DenseView<T>& x, std::span<const Index> among, Index k,
                              Symmetry symmetry) {
  return NarrowSearch<T>(x, among, k).edges(among, symmetry);
}
template <class T>
std::vector<RowPair> edges_of(const CsrView<T>&, std::span<const Index>, Index, Symmetry) {
  throw InvalidArgument(
      "narrow_neighbor_edges: the table is sparse, and only dense ones are narrow");
}

}  // namespace

bool is_narrow(const MatrixView& x, Index n_rows, Index k) {
  return !x.is_sparse() && x.cols() <= kMostColumns && k <= kMostNeighbors && n_rows <= kMostRows &&
         n_rows * x.cols() <= kMostValues;
}

std::vector<RowPair> narrow_neighbor_edges(const MatrixView& x, std::span<const Index> among,
                                           Index k, Symmetry symmetry) {
  return x.visit([&](const auto& view) { return edges_of(view, among, k, symmetry); });
}

}  // namespace tamis
