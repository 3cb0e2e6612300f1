#include "streaming/condensed_ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/option_texts.hpp"
#include "linalg/principal_axes.hpp"
#include "prepare/condense.hpp"
#include "prepare/row_sample.hpp"
#include "streaming/chosen_rows.hpp"
#include "streaming/unit_sums.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Rows whose axes a map begins along.
constexpr Index kSampleRows = 2000;

/// Takes the options of condensing out of those of a method.
CondenseOptions taken_from(RankingPlan& plan) {
  OptionTexts texts;
  for (const OptionInfo& option : describe_options<CondenseOptions>())
    if (auto node = plan.options.extract(option.name)) texts.insert(std::move(node));
  return parse_options<CondenseOptions>(plan.name(), texts);
}

/// The places in a list (ascending) of those of its rows that are in another, or of all others.
std::vector<Index> places(const std::vector<Index>& list, const std::vector<Index>& rows,
                          bool are_in) {
  std::vector<Index> found;
  for (Index s = 0; s < std::ssize(list); ++s)
    if (std::ranges::binary_search(rows, list[s]) == are_in) found.push_back(s);
  return found;
}

}  // namespace

CondensedRanking::CondensedRanking(RankingPlan plan, StreamedProblem problem, std::uint64_t seed)
    : plan_(std::move(plan)),
      problem_(std::move(problem)),
      options_(taken_from(plan_)),
      known_(known_rows(problem_.known)),
      sample_(sample_rows(problem_.known, problem_.rows, kSampleRows, seed)) {
  if (n_replaced() < kFewestRowsOfAMap)
    throw DataError(
        fmt::format("{} of {} rows have neither label nor pair, and a map in their place needs {}",
                    n_replaced(), problem_.rows, kFewestRowsOfAMap));
}

std::vector<PassPlan> CondensedRanking::passes() const {
  const Index units = most_units(n_replaced(), options_.som);
  std::vector<PassPlan> all{
      {std::string(ChosenRowsState::kKind), 3 * problem_.bytes_of(std::ssize(sample_))}};
  const std::size_t epochs = som_epochs(units, n_replaced()) + 1;
  const Index held =
      problem_.bytes_of(std::ssize(known_)) + UnitSumsState::bytes(units, problem_.cols);
  all.insert(all.end(), epochs, {std::string(UnitSumsState::kKind), held});
  return all;
}

Index CondensedRanking::result_bytes() const {
  constexpr Index kCopies = 4;  // the table, and what methods make of it
  const Index units = most_units(n_replaced(), options_.som);
  return kCopies * problem_.bytes_of(std::ssize(known_) + units);
}

std::optional<Pass> CondensedRanking::next_pass() {
  if (!ranges_) return ChosenRowsState::pass(sample_, problem_.cols);
  if (epoch_ > radii_.size()) return std::nullopt;
  return UnitSumsState::pass(som_, *ranges_, known_);
}

void CondensedRanking::accept(std::unique_ptr<PassState> state) {
  if (!ranges_) return begin_map(*state);
  const auto& answer = static_cast<const UnitSumsState&>(*state);
  if (epoch_ < radii_.size()) {
    som_.error_by_epoch.push_back(answer.mean_distance());
    move_units(answer.sums(), radii_[epoch_], problem_.cols, som_);
  } else {
    som_.quantization_error = answer.mean_distance();
  }
  ++epoch_;
}

void CondensedRanking::begin_map(PassState& state) {
  auto& answer = static_cast<ChosenRowsState&>(state);
  ranges_ = answer.ranges();
  refuse_bad_values(ranges_->bad_values(), problem_.known, problem_.feature_names);
  const OwnedTable sample = answer.take_table().value();
  const MatrixView view = view_of(sample);
  kept_ = empty_like(view);
  append_rows(*kept_, view, places(sample_, known_, true));
  const PrincipalAxes axes = principal_axes(view, places(sample_, known_, false), 2);
  som_ = begin_som(axes, n_replaced(), options_.som);
  radii_ = som_radii(som_, n_replaced());
}

Ranking CondensedRanking::result(const Run& run) {
  Diagnostics about_map;
  note_map(som_, about_map);
  std::vector<double> constants = ranges_->least();
  for (Index r = 0; r < problem_.cols; ++r)
    if (ranges_->varies(r)) constants[r] = kUndefined;
  const Problem kept{.matrix = view_of(*kept_),
                     .feature_names = problem_.feature_names,
                     .known = known_about(problem_.known, known_)};
  const OwnedProblem part = with_map(kept, all_indices(kept.rows()), som_, constants);
  Ranking ranking = plan_.rank(part.problem(), run);
  Diagnostics& notes = ranking.diagnostics;
  notes.figures.insert(notes.figures.begin(), about_map.figures.begin(), about_map.figures.end());
  notes.warnings.insert(notes.warnings.begin(), about_map.warnings.begin(),
                        about_map.warnings.end());
  return ranking;
}

}  // namespace tamis
