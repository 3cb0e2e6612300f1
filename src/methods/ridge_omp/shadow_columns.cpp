#include "methods/ridge_omp/shadow_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/random.hpp"

namespace tamis {

WeightedColumns ShadowColumns::weighted(std::vector<double> weights) const {
  if (!table) return {};
  return {&*table, all_indices(table->cols()), std::move(weights)};
}

ShadowColumns draw_shadows(const Run& run, const RankedTable& z, std::span<const Index> candidates,
                           Index count) {
  constexpr std::uint64_t kDraw = 1;
  constexpr std::uint64_t kPermute = 2;
  count = std::min(count, std::ssize(candidates));
  if (count == 0) return {};
  ShadowColumns shadows{.originals =
                            RandomStream(run.seed, kDraw).sample(std::ssize(candidates), count)};
  std::vector<Index> columns;
  for (const Index position : shadows.originals) columns.push_back(candidates[position]);
  shadows.table = z.permuted(columns, run.seed, kPermute);
  if (run.trace.is_wanted()) run.trace.record({"shadows", {{"features", columns}}});
  return shadows;
}

void record_choices(const Trace& trace, const Matching& matching) {
  if (!trace.is_wanted()) return;
  for (std::size_t t = 0; t < matching.chosen.size(); ++t) {
    TraceEvent event{"choice",
                     {{"index", static_cast<Index>(t)},
                      {"feature", matching.chosen[t]},
                      {"gain", matching.gains[t]}}};
    if (matching.curve && t < matching.curve->shadow_gains.size())
      event.fields.emplace_back("shadow_gain", matching.curve->shadow_gains[t]);
    trace.record(event);
  }
}

void warn_if_none_is_worth_it(std::string_view who, const Matching& matching,
                              Diagnostics& diagnostics) {
  if (!matching.curve || matching.curve->n_features > 0) return;
  diagnostics.warnings.push_back(fmt::format(
      "{}: no feature gains more than the best shadow column: chance may do as well", who));
}

}  // namespace tamis
