#include "streaming/weighted_sets.hpp"

#include <algorithm>
#include <cmath>

#include "streaming/fixed_point_sums.hpp"

namespace tamis {

ColumnUnits units_of(const ColumnRanges& ranges) {
  constexpr int kLargestExponent = 1000;  // of a power of two that can be held
  ColumnUnits units;
  for (Index r = 0; r < std::ssize(ranges.least()); ++r) {
    const double least = ranges.least()[r];
    const double middle = fixed_point(least, ranges.largest()[r]).middle;
    const double size = ranges.varies(r) ? middle - least : std::abs(middle);
    const int exponent = std::clamp(std::ilogb(size), -kLargestExponent, kLargestExponent);
    units.scale.push_back(std::ldexp(1.0, -exponent));
    const double shift = middle * units.scale.back();
    units.shift.push_back(std::isfinite(shift) ? shift : 0.0);
    units.varies.push_back(ranges.varies(r));
  }
  return units;
}

void write(const ColumnUnits& units, ByteWriter& writer) {
  writer.put_all(units.scale);
  writer.put_all(units.shift);
  for (const bool varies : units.varies) writer.put(varies);
}

ColumnUnits read_units(ByteReader& reader) {
  ColumnUnits units;
  units.scale = reader.get_all<std::vector<double>>();
  units.shift = reader.get_all<std::vector<double>>();
  for (Index r = 0; r < units.cols(); ++r) units.varies.push_back(reader.get<bool>());
  return units;
}

void write(const ClusterStart& start, ByteWriter& writer) {
  writer.put_all(start.centroids);
  writer.put_all(start.weights);
}

ScaledCenters<double> read_centers(const ColumnUnits& units, double beta, ByteReader& reader) {
  const auto centroids = reader.get_all<std::vector<double>>();
  const auto weights = reader.get_all<std::vector<double>>();
  return {units, centroids, weights, beta};
}

Index weighted_set_bytes(Index n_clusters, Index cols) {
  constexpr Index kNumbers = 14;  // as asked, twice, as measured, twice, as summed and as answered
  return kNumbers * (n_clusters + 1) * cols * Index{sizeof(double)};
}

}  // namespace tamis
