#pragma once

#include <functional>

#include "support/sample.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis::test {

using Rank = std::function<Ranking(const Problem&)>;

/// The reference and the method must agree on the sample in all four storages.
void expect_matches(const Rank& rank, const Sample& sample, const std::vector<double>& expected,
                    double precision = 0.0);

/// What must hold for every method on every sample:
/// - scores do not change with the order of the rows, and move with the columns;
/// - 1 and 3 threads give the same bits, in each storage;
/// - so do the kernels for older CPUs;
/// - dense and sparse storage agree, and float is near double;
/// - multiplying the whole table by 4 multiplies scores by 4^scale_power;
/// - a constant column is undefined and comes last.
/// Up to a precision, relative to the largest score, that depends on when iterations end.
void expect_method_properties(const Rank& rank, const Sample& sample, int scale_power = 0,
                              double precision = 1e-10);

/// expect_method_properties without the last: for methods to which a constant is a value.
void expect_invariances(const Rank& rank, const Sample& sample, int scale_power = 0,
                        double precision = 1e-10);

}  // namespace tamis::test
