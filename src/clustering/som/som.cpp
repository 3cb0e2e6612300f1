#include "clustering/som/som.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "clustering/nearest_center.hpp"
#include "core/cpu.hpp"
#include "core/large_pages.hpp"
#include "linalg/gemm.hpp"
#include "linalg/principal_axes.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

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
  som.codebook.clear();
  for (Index r = 0; r < som.sheet_rows; ++r)
    for (Index c = 0; c < som.sheet_cols; ++c) {
      std::vector<double> vector = axes.mean;
      const double along[] = {position_along(r, som.sheet_rows), position_along(c, som.sheet_cols)};
      for (std::size_t a = 0; a < axes.directions.size(); ++a)
        for (std::size_t f = 0; f < vector.size(); ++f)
          vector[f] += along[a] * std::sqrt(axes.eigenvalues[a]) * axes.directions[a][f];
      som.codebook.insert(som.codebook.end(), vector.begin(), vector.end());
    }
}

/// Epochs of a phase: so many for each unit per row.
Index epochs_of(double epochs_per_row, Index units, Index rows) {
  const double per_row = static_cast<double>(units) / static_cast<double>(rows);
  return std::max<Index>(1, round_to_index(std::ceil(epochs_per_row * per_row)));
}
constexpr double kRoughEpochs = 10.0;
constexpr double kFineEpochs = 40.0;

/// exp(-delta^2 / (2 radius^2)) of two units. The distance delta depends only on how many rows and
/// half columns they are apart, so a small table has every value.
class Neighborhood {
 public:
  Neighborhood(const Som& som, double radius)
      : sheet_cols_(som.sheet_cols), half_columns_(2 * som.sheet_cols) {
    for (Index down = 0; down < som.sheet_rows; ++down)
      for (Index half = 0; half < half_columns_; ++half) {
        const double across = 0.5 * static_cast<double>(half);
        const double along = kRowHeight * static_cast<double>(down);
        values_.push_back(std::exp(-(across * across + along * along) / (2.0 * radius * radius)));
      }
  }
  /// Of one unit and every unit.
  void fill(Index unit, double* out) const {
    const Index row = unit / sheet_cols_;
    const Index place = half_place(row, unit % sheet_cols_);
    for (Index r = 0; r < std::ssize(values_) / half_columns_; ++r) {
      const double* const values = values_.data() + std::abs(r - row) * half_columns_;
      for (Index c = 0; c < sheet_cols_; ++c) *out++ = values[std::abs(half_place(r, c) - place)];
    }
  }

 private:
  static Index half_place(Index row, Index column) { return 2 * column + row % 2; }

  Index sheet_cols_;
  Index half_columns_;
  std::vector<double> values_;  // rows apart x half columns apart
};

/// The rows at each unit, one unit's after the other's.
class RowsByUnit {
 public:
  RowsByUnit(std::span<const Index> rows, const std::vector<Index>& best_units, Index units)
      : ends_(units, 0), rows_(rows.size()) {
    for (const Index unit : best_units) ++ends_[unit];
    std::exclusive_scan(ends_.begin(), ends_.end(), ends_.begin(), Index{0});
    for (std::size_t s = 0; s < rows.size(); ++s) rows_[ends_[best_units[s]]++] = rows[s];
  }
  std::span<const Index> at(Index unit) const {
    const Index begin = unit == 0 ? 0 : ends_[unit - 1];
    return std::span(rows_).subspan(begin, ends_[unit] - begin);
  }

 private:
  std::vector<Index> ends_;  // of each unit in rows_
  std::vector<Index> rows_;
};

UnitSums sum_by_unit(const MatrixView& x, const RowsByUnit& members, Index units) {
  UnitSums out{std::vector<double>(units * x.cols(), 0.0), std::vector<double>(units, 0.0)};
  parallel_for(units, 8, [&](Index begin, Index end) {
    for (Index v = begin; v < end; ++v) {
      out.counts[v] = static_cast<double>(members.at(v).size());
      const std::span<double> sums(out.sums.data() + v * x.cols(), x.cols());
      for (const Index i : members.at(v)) add_row(x, i, 1.0, sums);
    }
  });
  return out;
}

/// The sum of h * count over all units, for each row of h: one term after the other, but several
/// rows at once, which need not wait for each other.
std::vector<double> weights_of(const std::vector<double>& h, const std::vector<double>& counts) {
  constexpr Index kAtOnce = 8;
  const Index units = std::ssize(counts);
  const Index rows = std::ssize(h) / units;
  std::vector<double> weights(rows, 0.0);
  for (Index first = 0; first < rows; first += kAtOnce) {
    const Index last = std::min(rows, first + kAtOnce);
    for (Index v = 0; v < units; ++v)
      for (Index z = first; z < last; ++z) weights[z] += counts[v] * h[z * units + v];
  }
  return weights;
}

void divide(const double* values, double by, Index count, double* out) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index f = 0; f < count; ++f) out[f] = values[f] / by;
  });
}

double mean_distance(const std::vector<double>& squared_distances) {
  double sum = 0.0;
  for (const double squared : squared_distances) sum += std::sqrt(squared);
  return sum / static_cast<double>(squared_distances.size());
}

/// Each phase of an epoch needs other arrays.
void end_phase(const MatrixView& x, std::span<const Index> rows) {
  give_back_freed(std::ssize(rows) * x.cols());
}

RowsByUnit rows_by_unit(std::span<const Index> rows, const CenterSearch& search, Som& som) {
  const NearestCenters best = search.nearest(som.codebook);
  som.error_by_epoch.push_back(mean_distance(best.squared_distances));
  return {rows, best.centers, som.n_units()};
}

UnitSums sums_of_epoch(const MatrixView& x, std::span<const Index> rows, const CenterSearch& search,
                       Som& som) {
  const RowsByUnit members = rows_by_unit(rows, search, som);
  end_phase(x, rows);
  return sum_by_unit(x, members, som.n_units());
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

void move_units(const UnitSums& at, double radius, Index cols, Som& som) {
  constexpr Index kUnitsAtOnce = 64;
  const Index units = som.n_units();
  const Neighborhood neighborhood(som, radius);
  parallel_for(units, kUnitsAtOnce, [&](Index begin, Index end) {
    std::vector<double> h((end - begin) * units);
    for (Index z = begin; z < end; ++z) neighborhood.fill(z, h.data() + (z - begin) * units);
    std::vector<double> moved((end - begin) * cols);
    multiply(h.data(), at.sums.data(), end - begin, units, cols, moved.data());
    const std::vector<double> weights = weights_of(h, at.counts);
    for (Index z = begin; z < end; ++z) {
      const double weight = weights[z - begin];
      if (weight == 0.0) continue;  // no row near enough for its influence to be a number
      divide(moved.data() + (z - begin) * cols, weight, cols, som.codebook.data() + z * cols);
    }
  });
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
  const PrincipalAxes axes = principal_axes(x, rows, 2);
  Som som = begin_som(axes, std::ssize(rows), options);
  const CenterSearch search(x, rows, axes.mean);
  end_phase(x, rows);
  const std::vector<double> schedule = som_radii(som, std::ssize(rows));
  Progress::Stage stage(progress, "map", std::ssize(schedule) + 1);
  for (const double radius : schedule) {
    move_units(sums_of_epoch(x, rows, search, som), radius, x.cols(), som);
    end_phase(x, rows);
    stage.advance();
  }
  NearestCenters best = search.nearest(som.codebook);
  som.quantization_error = mean_distance(best.squared_distances);
  som.best_units = std::move(best.centers);
  stage.advance();
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
