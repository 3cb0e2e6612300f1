#pragma once

#include <limits>

#include "core/random.hpp"
#include "datasets/generators.hpp"
#include "tamis/core/parallel.hpp"

/// What the generators have in common: how rows are drawn, and how they are labeled.
namespace tamis {

/// Draws what all rows share; rows themselves use the streams 0, 1, ...
inline RandomStream shared_stream(std::uint64_t seed) {
  return RandomStream(seed, std::numeric_limits<std::uint64_t>::max());
}

/// Calls fill(row number, stream of the row, values) for each row of a table with a column for each
/// role; it returns the class from 0.
template <class Fill>
void fill_rows(GeneratedTable& generated, Index rows, std::uint64_t seed, Fill fill) {
  constexpr Index kGrain = 64;
  const Index cols = std::ssize(generated.roles);
  DenseTable<double> data{rows, cols, Buffer<double>(static_cast<std::size_t>(rows * cols), 0.0)};
  generated.classes.resize(static_cast<std::size_t>(rows));
  parallel_for(rows, kGrain, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      RandomStream random(seed, static_cast<std::uint64_t>(i));
      generated.classes[i] = fill(i, random, data.values.data() + i * cols);
    }
  });
  generated.table.data = std::move(data);
}

/// Adds a column 'class' in which the first `per_class` rows of each class have its name.
void label_rows(GeneratedTable& generated, std::vector<std::string> class_names, Index per_class);

}  // namespace tamis
