#pragma once

#include <span>
#include <vector>

#include "clustering/weighted/row_group.hpp"
#include "streaming/bytes.hpp"
#include "streaming/column_ranges.hpp"
#include "tamis/clustering/clustering.hpp"

namespace tamis {

/// Units in which the range of each column reaches from about -1 to 1.
ColumnUnits units_of(const ColumnRanges& ranges);

void write(const ColumnUnits& units, ByteWriter& writer);
ColumnUnits read_units(ByteReader& reader);

/// Centroids and weights as they are asked about, and as distances from them are measured.
void write(const ClusterStart& start, ByteWriter& writer);
ScaledCenters<double> read_centers(const ColumnUnits& units, double beta, ByteReader& reader);

/// Memory that a set of centroids and weights takes as it travels, is measured by and is answered.
Index weighted_set_bytes(Index n_clusters, Index cols);

}  // namespace tamis
