#include "clustering/som/som.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "clustering/nearest_center.hpp"
#include "clustering/som/unit_moves.hpp"
#include "core/large_pages.hpp"
#include "linalg/principal_axes.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

const double kRowHeight = std::sqrt(0.75);

Index round_to_index(double value) { return static_cast<Index>(std::llround(value)); }

Index wanted_units(Index rows, const SomOptions& options, std::vector<std::string>& warnings) {
  if (!options.units) return round_to_index(std::ceil(5.0 * std::sqrt(static_cast<double>(rows))));
  if (*options.units <= rows) return *options.units;
  warnings.push_back(
      fmt::format("units = {} was cut to the number of rows, {}", *options.units, rows));
  return rows;
}

/// The sheet is as much longer than wide as the rows spread more along their first axis.
void choose_sheet(const PrincipalAxes& axes, Index units, Som& som) {
  double ratio = 1.0;
  if (axes.eigenvalues.size() >= 2 &&
      axes.eigenvalues[1] * static_cast<double>(units) >= axes.eigenvalues[0])
    ratio = std::sqrt(axes.eigenvalues[0] / axes.eigenvalues[1]);
  const double all = static_cast<double>(units);
  som.sheet_cols = std::clamp<Index>(round_to_index(std::sqrt(all / ratio * kRowHeight)), 1, units);
  som.sheet_rows = std::max<Index>(1, round_to_index(all / static_cast<double>(som.sheet_cols)));
}

/// -1 .. 1 along a side of `count` units.
double position_along(Index place, Index count) {
  const double half = (static_cast<double>(count) - 1.0) / 2.0;
  return (static_cast<double>(place) - half) / std::max(half, 1.0);
}

void start_along_axes(const PrincipalAxes& axes, Som& som) {
  const std::size_t cols = axes.mean.size();
  std::vector<double> spreads;
  for (const double eigenvalue : axes.eigenvalues) spreads.push_back(std::sqrt(eigenvalue));
  som.codebook.clear();
  for (Index r = 0; r < som.sheet_rows; ++r)
    for (Index c = 0; c < som.sheet_cols; ++c) {
      som.codebook.insert(som.codebook.end(), axes.mean.begin(), axes.mean.end());
      double* const vector = &som.codebook[som.codebook.size() - cols];
      const double along[] = {position_along(r, som.sheet_rows), position_along(c, som.sheet_cols)};
      for (std::size_t a = 0; a < axes.directions.size(); ++a) {
        const double step = along[a] * spreads[a];
        for (std::size_t f = 0; f < cols; ++f) vector[f] += step * axes.directions[a][f];
      }
    }
}

/// Epochs of a phase: so many for each unit per row.
Index epochs_of(double epochs_per_row, Index units, Index rows) {
  const double per_row = static_cast<double>(units) / static_cast<double>(rows);
  return std::max<Index>(1, round_to_index(std::ceil(epochs_per_row * per_row)));
}
constexpr double kRoughEpochs = 10.0;
constexpr double kFineEpochs = 40.0;

double mean_distance(const std::vector<double>& squared_distances) {
  double sum = 0.0;
  for (const double squared : squared_distances) sum += std::sqrt(squared);
  return sum / static_cast<double>(squared_distances.size());
}

/// Each phase of an epoch needs other arrays.
void end_phase(const MatrixView& x, std::span<const Index> rows) {
  give_back_freed(std::ssize(rows) * x.cols());
}

/// All epochs. Once the radius stays and no row goes to another unit than in the epoch before, no
/// unit moves until the radius changes: such epochs need no work. Returns the best units of the
/// trained map.
NearestCenters run_epochs(const MatrixView& x, std::span<const Index> rows,
                          const CenterSearch& search, Progress::Stage& stage, Som& som) {
  const std::vector<double> radii = som_radii(som, std::ssize(rows));
  NearestCenters best;
  bool is_settled = false;
  for (std::size_t e = 0; e < radii.size(); ++e, stage.advance()) {
    const bool stays = e > 0 && radii[e] == radii[e - 1];
    if (!is_settled || !stays) {
      NearestCenters found = search.nearest(som.codebook);
      is_settled = stays && found.centers == best.centers;
      best = std::move(found);
    }
    som.error_by_epoch.push_back(mean_distance(best.squared_distances));
    if (is_settled) continue;
    const RowsByUnit members(rows, best.centers, som.n_units());
    if (e + 1 == radii.size() || radii[e + 1] != radii[e]) best = {};  // compared with none
    end_phase(x, rows);
    move_units(sum_by_unit(x, members), radii[e], som);
    end_phase(x, rows);
  }
  return is_settled ? best : search.nearest(som.codebook);
}

/// All but the checks.
Som trained(const MatrixView& x, std::span<const Index> rows, const SomOptions& options,
            const Progress& progress) {
  const PrincipalAxes axes = principal_axes(x, rows, 2);
  Som som = begin_som(axes, std::ssize(rows), options);
  const CenterSearch search(x, rows, axes.mean);
  end_phase(x, rows);
  Progress::Stage stage(progress, "map",
                        static_cast<Index>(som_epochs(som.n_units(), std::ssize(rows))) + 1);
  NearestCenters best = run_epochs(x, rows, search, stage, som);
  som.quantization_error = mean_distance(best.squared_distances);
  som.best_units = std::move(best.centers);
  stage.advance();
  return som;
}

}  // namespace

Som begin_som(const PrincipalAxes& axes, Index rows, const SomOptions& options) {
  check_ranges("som", options);
  Som som;
  choose_sheet(axes, wanted_units(rows, options, som.warnings), som);
  start_along_axes(axes, som);
  return som;
}

std::vector<double> som_radii(const Som& som, Index rows) {
  const double widest =
      std::max(1.0, std::ceil(static_cast<double>(std::max(som.sheet_rows, som.sheet_cols)) / 4.0));
  const double middle = std::max(1.0, widest / 4.0);
  std::vector<double> schedule;
  const auto add_phase = [&](double epochs_per_row, double from, double to) {
    const Index epochs = epochs_of(epochs_per_row, som.n_units(), rows);
    for (Index e = 0; e < epochs; ++e)
      schedule.push_back(epochs == 1 ? from
                                     : from + (to - from) * static_cast<double>(e) /
                                                  static_cast<double>(epochs - 1));
  };
  add_phase(kRoughEpochs, widest, middle);
  add_phase(kFineEpochs, middle, 1.0);
  return schedule;
}

Index most_units(Index rows, const SomOptions& options) {
  std::vector<std::string> none;
  const Index wanted = wanted_units(rows, options, none);
  return wanted + wanted / 2;  // a sheet is rounded to whole rows
}

std::size_t som_epochs(Index units, Index rows) {
  return static_cast<std::size_t>(epochs_of(kRoughEpochs, units, rows) +
                                  epochs_of(kFineEpochs, units, rows));
}

SheetPoint sheet_point(const SomSheet& sheet, Index unit) {
  const Index r = unit / sheet.sheet_cols;
  const Index c = unit % sheet.sheet_cols;
  return {static_cast<double>(c) + (r % 2 == 1 ? 0.5 : 0.0), static_cast<double>(r) * kRowHeight};
}

Som train_som(const MatrixView& x, std::span<const Index> rows, const SomOptions& options,
              const Progress& progress) {
  check_ranges("som", options);
  if (std::ssize(rows) < kFewestRowsOfAMap)
    throw DataError(fmt::format("som: a map needs at least {} rows, and there are {}",
                                kFewestRowsOfAMap, rows.size()));
  Som som = trained(x, rows, options, progress);
  end_phase(x, rows);  // what comes next needs room, too
  return som;
}

std::vector<double> neighbor_distances(const SomSheet& sheet, std::span<const double> codebook,
                                       Index cols) {
  std::vector<double> means(sheet.n_units(), 0.0);
  for (Index z = 0; z < sheet.n_units(); ++z) {
    Index neighbors = 0;
    for (Index v = 0; v < sheet.n_units(); ++v) {
      const SheetPoint a = sheet_point(sheet, z);
      const SheetPoint b = sheet_point(sheet, v);
      if (v == z || std::hypot(a.across - b.across, a.down - b.down) > 1.01) continue;
      double squared = 0.0;
      for (Index f = 0; f < cols; ++f) {
        const double difference = codebook[z * cols + f] - codebook[v * cols + f];
        squared += difference * difference;
      }
      means[z] += std::sqrt(squared);
      ++neighbors;
    }
    if (neighbors > 0) means[z] /= static_cast<double>(neighbors);
  }
  return means;
}

}  // namespace tamis
