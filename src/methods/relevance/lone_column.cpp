#include "methods/relevance/lone_column.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/cpu.hpp"
#include "core/random.hpp"
#include "methods/relevance/crossed_targets.hpp"
#include "methods/relevance/label_permutations.hpp"
#include "methods/relevance/streams.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {
namespace {

constexpr double kLevel = 0.01;
/// So many permutations are tried before it is asked whether more could still tell something.
constexpr Index kAtOnce = 50;
/// Columns whose products stay in the nearest cache while rows go by.
constexpr Index kColumnsAtOnce = 64;
/// Shares that differ by no more than this part are equal but for rounding.
constexpr double kSame = 1e-10;

/// Some columns on the rows that are looked at, about their means there and with length 1, row by
/// row; 0 if they are constant there.
Buffer<double> unit_columns(const RankedTable& z, std::span<const Index> rows,
                            std::span<const Index> columns) {
  const Index count = std::ssize(rows);
  const Index width = std::ssize(columns);
  Buffer<double> units(count * width);
  std::vector<double> values(count);
  for (Index c = 0; c < width; ++c) {
    z.copy_rows(rows, columns[c], 1, values.data());
    const double length = centre(values);
    for (Index s = 0; s < count; ++s)
      units[s * width + c] = length > 0.0 ? values[s] / length : 0.0;
  }
  return units;
}

/// The share of a target that each of some columns explains, |u'T|^2, row s having row order[s] of
/// the target.
std::vector<double> shares(const Buffer<double>& units, Index width, const RowVectors& target,
                           std::span<const Index> order) {
  std::vector<double> products(width);
  std::vector<double> sums(width, 0.0);
  for (Index t = 0; t < target.width; ++t) {
    std::ranges::fill(products, 0.0);
    for_this_cpu([&, count = std::ssize(order), out = products.data()](auto) TAMIS_KERNEL {
      for (Index s = 0; s < count; ++s) {
        const double told = target.row(order[s])[t];
        const double* const row = &units[s * width];
        for (Index c = 0; c < width; ++c) out[c] += told * row[c];
      }
    });
    for (Index c = 0; c < width; ++c) sums[c] += products[c] * products[c];
  }
  return sums;
}

struct Best {
  double share = 0.0;
  Index column = 0;
};

/// For each order of the target, the column that explains most of it; of equals the first.
std::vector<Best> best_columns(const RankedTable& z, std::span<const Index> rows,
                               std::span<const Index> columns, const RowVectors& target,
                               const std::vector<std::vector<Index>>& orders) {
  const Index blocks = (std::ssize(columns) + kColumnsAtOnce - 1) / kColumnsAtOnce;
  std::vector<std::vector<Best>> of_block(blocks);
  parallel_for(blocks, 1, [&](Index b, Index) {
    const Index first = b * kColumnsAtOnce;
    const auto some = columns.subspan(first, std::min(kColumnsAtOnce, std::ssize(columns) - first));
    const Buffer<double> units = unit_columns(z, rows, some);
    for (const std::vector<Index>& order : orders) {
      const std::vector<double> told = shares(units, std::ssize(some), target, order);
      const auto most = std::ranges::max_element(told);
      of_block[b].push_back({*most, some[most - told.begin()]});
    }
  });
  std::vector<Best> best(orders.size());
  for (const std::vector<Best>& found : of_block)
    for (std::size_t k = 0; k < best.size(); ++k)
      if (found[k].share > best[k].share) best[k] = found[k];
  return best;
}

std::vector<std::vector<Index>> permutations(Index rows, Index first, Index count,
                                             std::uint64_t seed) {
  std::vector<std::vector<Index>> orders;
  for (Index k = first; k < first + count; ++k)
    RandomStream(seed, kLabelStream + k).shuffle(orders.emplace_back(all_indices(rows)));
  return orders;
}

}  // namespace

std::optional<LoneColumn> lone_column(const RankedTable& z, const Knowledge& known,
                                      std::span<const Index> columns, std::uint64_t seed) {
  const std::vector<Index> rows = label_p_rows(known, seed);
  const Knowledge about_rows = known_about(known, rows);
  if (!values_decide(known) && rows_by_class(about_rows).size() < 2) return std::nullopt;
  const RowVectors target = target_of_labels(about_rows, std::ssize(rows));
  const auto best_of = [&](const std::vector<std::vector<Index>>& orders) {
    return best_columns(z, rows, columns, target, orders);
  };
  const Best given = best_of({all_indices(std::ssize(rows))}).front();
  if (given.share == 0.0) return std::nullopt;
  Index as_large = 1;  // the given labels themselves
  for (Index first = 0; first < kLabelPermutations; first += kAtOnce) {
    const Index count = std::min(kAtOnce, kLabelPermutations - first);
    for (const Best& best : best_of(permutations(std::ssize(rows), first, count, seed)))
      as_large += best.share >= given.share * (1.0 - kSame) ? 1 : 0;
    if (static_cast<double>(as_large) > kLevel * (1 + kLabelPermutations)) return std::nullopt;
  }
  return LoneColumn{.column = given.column,
                    .p = static_cast<double>(as_large) / (1 + kLabelPermutations)};
}

void warn_of_lone_columns(std::string_view who, const Relevance& relevance, const RankedTable& z,
                          const Knowledge& known, const std::vector<std::string>& feature_names,
                          std::uint64_t seed, Diagnostics& diagnostics) {
  if (relevance.null != Null::table) return;
  std::vector<Index> others;
  for (Index r = 0; r < std::ssize(relevance.part); ++r)
    if (relevance.part[r] == Part::rest) others.push_back(r);
  const std::optional<LoneColumn> lone = lone_column(z, known, others, seed);
  if (!lone) return;
  diagnostics.warnings.push_back(fmt::format(
      "{}: on the known rows alone column {} has to do with the {} (p = {}), which no other column "
      "bears out: null = labels judges features so",
      who, column_name(feature_names, lone->column), values_decide(known) ? "target" : "labels",
      lone->p));
}

}  // namespace tamis
