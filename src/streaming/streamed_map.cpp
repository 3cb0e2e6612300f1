#include "streaming/streamed_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "clustering/links.hpp"
#include "clustering/som/unit_moves.hpp"
#include "linalg/principal_axes.hpp"
#include "prepare/condense.hpp"
#include "prepare/row_sample.hpp"
#include "streaming/center_sums.hpp"
#include "streaming/chosen_rows.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Rows whose axes a map begins along.
constexpr Index kSampleRows = 2000;

/// The places in a list (ascending) of those of its rows that are in another, or of all others.
std::vector<Index> places(const std::vector<Index>& list, const std::vector<Index>& rows,
                          bool are_in) {
  std::vector<Index> found;
  for (Index s = 0; s < std::ssize(list); ++s)
    if (std::ranges::binary_search(rows, list[s]) == are_in) found.push_back(s);
  return found;
}

UnitSums sums_of(const CenterSumsState& answer, Index units, Index cols) {
  UnitSums all(units, cols);
  for (Index u = 0; u < units; ++u) {
    all.count(u) = static_cast<double>(answer.count(0, u));
    for (Index r = 0; r < cols; ++r) all.at(u)[r] = answer.sum(0, u, r);
  }
  return all;
}

}  // namespace

StreamedMap::StreamedMap(StreamedProblem problem, const SomOptions& options, Keep keep,
                         std::uint64_t seed)
    : problem_(std::move(problem)),
      options_(options),
      keep_(keep),
      known_(known_rows(problem_.known)),
      sample_(sample_rows(problem_.known, problem_.rows, kSampleRows, seed)) {
  if (n_replaced() < kFewestRowsOfAMap)
    throw DataError(
        fmt::format("{} of {} rows have neither label nor pair, and a map in their place needs {}",
                    n_replaced(), problem_.rows, kFewestRowsOfAMap));
}

std::vector<PassPlan> StreamedMap::passes() const {
  const Index units = most_units(n_replaced(), options_);
  std::vector<PassPlan> all{
      {std::string(ChosenRowsState::kKind), 3 * problem_.bytes_of(std::ssize(sample_))}};
  const std::size_t epochs = som_epochs(units, n_replaced()) + 1;
  const Index kept =
      keep_ == Keep::nothing ? 0 : problem_.rows * RowPlaces::bytes_per_row(units, 1);
  const Index held = problem_.bytes_of(std::ssize(known_)) +
                     CenterSumsState::bytes(1, units, problem_.cols) + kept;
  all.insert(all.end(), epochs, {std::string(CenterSumsState::kKind), held});
  return all;
}

Index StreamedMap::result_bytes() const {
  constexpr Index kCopies = 2;
  const Index units_of_rows = keep_ == Keep::nothing ? 0 : problem_.rows * 2 * Index{sizeof(Index)};
  return kCopies * problem_.bytes_of(most_rows()) + units_of_rows;
}

std::optional<Pass> StreamedMap::next_pass() {
  if (!ranges_) return ChosenRowsState::pass(sample_, problem_.cols);
  if (epoch_ > radii_.size()) return std::nullopt;
  CenterSumsState::Question question{
      .sets = {som_.codebook},
      .ranges = *ranges_,
      .keeps_places = keep_ == Keep::units_of_rows && epoch_ == radii_.size()};
  for (const Index row : known_) question.bound.push_back({row, kNoCluster});
  return CenterSumsState::pass(question);
}

void StreamedMap::accept(std::unique_ptr<PassState> state) {
  if (!ranges_) return begin(*state);
  auto& answer = static_cast<CenterSumsState&>(*state);
  if (epoch_++ < radii_.size()) {
    som_.error_by_epoch.push_back(answer.mean_distance(0));
    move_units(sums_of(answer, som_.n_units(), problem_.cols), radii_[epoch_ - 1], som_);
    return;
  }
  som_.quantization_error = answer.mean_distance(0);
  for (Index u = 0; u < som_.n_units(); ++u) hits_.push_back(answer.count(0, u));
  if (keep_ == Keep::nothing) return;
  som_.best_units = answer.take_places().of_set(0);
  std::erase(som_.best_units, kNoCluster);
}

void StreamedMap::begin(PassState& state) {
  auto& answer = static_cast<ChosenRowsState&>(state);
  ranges_ = answer.ranges();
  refuse_bad_values(ranges_->bad_values(), problem_);
  const OwnedTable sample = answer.take_table().value();
  const MatrixView view = view_of(sample);
  kept_ = empty_like(view);
  append_rows(*kept_, view, places(sample_, known_, true));
  const PrincipalAxes axes = principal_axes(view, places(sample_, known_, false), 2);
  som_ = begin_som(axes, n_replaced(), options_);
  radii_ = som_radii(som_, n_replaced());
}

OwnedProblem StreamedMap::result(const Run& /*run*/) const {
  std::vector<double> constants = ranges_->least();
  for (Index r = 0; r < problem_.cols; ++r)
    if (ranges_->varies(r)) constants[r] = kUndefined;
  const Problem kept{.matrix = view_of(*kept_),
                     .feature_names = problem_.feature_names,
                     .known = known_about(problem_.known, known_)};
  return with_map(kept, all_indices(kept.rows()), som_, constants);
}

}  // namespace tamis
