#include "tamis/core/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/column_sorter.hpp"
#include "tamis/core/error.hpp"

namespace tamis {

bool Committee::has_intervals() const {
  return std::ranges::any_of(place_low, [](double low) { return !std::isnan(low); });
}

std::vector<Index> best_first(std::span<const double> scores, Better better) {
  std::vector<Index> defined;
  std::vector<Index> undefined;
  std::vector<double> keys;
  defined.reserve(scores.size());
  keys.reserve(scores.size());
  for (Index s = 0; s < std::ssize(scores); ++s)
    if (std::isnan(scores[s])) {
      undefined.push_back(s);
    } else {
      defined.push_back(s);
      keys.push_back(better == Better::lower ? scores[s] : -scores[s]);
    }
  std::vector<Index> order;
  order.reserve(scores.size());
  using Sorter = ColumnSorter<double, std::uint64_t>;
  Sorter sorter;
  for (const auto& item : sorter.sort(keys, Sorter::Ties::by_place))
    order.push_back(defined[item.place]);
  order.insert(order.end(), undefined.begin(), undefined.end());
  return order;
}

Ranking rank_features(std::vector<double> scores, Better better, Diagnostics diagnostics,
                      std::string_view why_all_undefined) {
  std::vector<Index> order = best_first(scores, better);
  diagnostics.undefined.clear();
  for (Index r = 0; r < std::ssize(scores); ++r)
    if (std::isnan(scores[r])) diagnostics.undefined.push_back(r);
  if (diagnostics.undefined.size() == scores.size()) throw DataError(why_all_undefined);
  return {.scores = std::move(scores),
          .order = std::move(order),
          .better = better,
          .diagnostics = std::move(diagnostics)};
}

Ranking rank_path(SelectionPath path, std::span<const double> criteria, Better better,
                  Diagnostics diagnostics, std::string_view why_all_undefined) {
  std::vector<Index> order = best_first(criteria, better);
  move_to_front(path.features, order);
  std::vector<double> places(criteria.size(), kUndefined);
  for (Index place = 0; place < std::ssize(order); ++place)
    if (place < std::ssize(path.features) || !std::isnan(criteria[order[place]]))
      places[order[place]] = static_cast<double>(place + 1);
  Ranking ranking =
      rank_features(std::move(places), Better::lower, std::move(diagnostics), why_all_undefined);
  ranking.path = std::move(path);
  return ranking;
}

void move_to_front(std::span<const Index> columns, std::vector<Index>& order) {
  std::vector<bool> is_moved(order.size(), false);
  for (const Index column : columns) is_moved[column] = true;
  std::vector<Index> moved(columns.begin(), columns.end());
  for (const Index column : order)
    if (!is_moved[column]) moved.push_back(column);
  order = std::move(moved);
}

}  // namespace tamis
