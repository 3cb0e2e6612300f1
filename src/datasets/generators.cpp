#include "datasets/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kWavePoints = 21;
constexpr Index kWaveFeatures = 40;
constexpr double kCentreDistance = 2.0;
constexpr double kHalfSide = 2.0;
constexpr double kRedundantNoise = 0.1;
constexpr Index kGrain = 64;

/// Draws what all rows share; rows themselves use the streams 0, 1, ...
RandomStream shared_stream(std::uint64_t seed) {
  return RandomStream(seed, std::numeric_limits<std::uint64_t>::max());
}

/// Calls fill(row number, stream of the row, values) for each row; it returns the class from 0.
template <class Fill>
Table filled_table(Index rows, Index cols, std::uint64_t seed, Fill fill) {
  DenseTable<double> data{rows, cols, Buffer<double>(static_cast<std::size_t>(rows * cols), 0.0)};
  Table table;
  table.label_name = "class";
  table.label_texts.resize(static_cast<std::size_t>(rows));
  parallel_for(rows, kGrain, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      RandomStream random(seed, static_cast<std::uint64_t>(i));
      double* const row = data.values.data() + i * cols;
      table.label_texts[i] = std::to_string(fill(i, random, row) + 1);
    }
  });
  table.data = std::move(data);
  return table;
}

void add_names(GeneratedTable& generated) {
  std::array<Index, 3> seen{};
  for (const Role role : generated.roles) {
    static constexpr std::array<std::string_view, 3> kWords{"relevant", "redundant", "noise"};
    const auto kind = static_cast<std::size_t>(role);
    generated.table.feature_names.push_back(fmt::format("{}_{}", kWords[kind], ++seen[kind]));
  }
}

std::vector<Role> roles(Index relevant, Index redundant, Index noise) {
  std::vector<Role> all(static_cast<std::size_t>(relevant), Role::relevant);
  all.insert(all.end(), static_cast<std::size_t>(redundant), Role::redundant);
  all.insert(all.end(), static_cast<std::size_t>(noise), Role::noise);
  return all;
}

double triangle(double t) { return std::max(6.0 - std::abs(t - 11.0), 0.0); }

double wave_value(Index label, double u, double t) {
  const double h1 = triangle(t);
  const double h2 = triangle(t - 4.0);
  const double h3 = triangle(t + 4.0);
  return u * (label == 2 ? h2 : h1) + (1.0 - u) * (label == 0 ? h2 : h3);
}

void check_vertices(const MadelonOptions& options) {
  if (options.relevant > kMostMadelonRelevant)
    throw InvalidArgument(fmt::format("madelon: relevant = {} is more than the {} that it allows",
                                      options.relevant, kMostMadelonRelevant));
}

}  // namespace

GeneratedTable make_wave(Index rows, std::uint64_t seed) {
  GeneratedTable generated;
  generated.table =
      filled_table(rows, kWaveFeatures, seed, [](Index, RandomStream& random, double* row) {
        const Index label = random.below(3);
        const double u = random.uniform();
        for (Index r = 0; r < kWaveFeatures; ++r)
          row[r] = random.normal() +
                   (r < kWavePoints ? wave_value(label, u, static_cast<double>(r + 1)) : 0.0);
        return label;
      });
  for (Index t = 1; t <= kWaveFeatures; ++t) {
    generated.table.feature_names.push_back(fmt::format("F{}", t));
    generated.roles.push_back(t >= 2 && t <= 20 ? Role::relevant : Role::noise);
  }
  return generated;
}

GeneratedTable make_blobs(Index rows, std::uint64_t seed, const BlobsOptions& options) {
  RandomStream shared = shared_stream(seed);
  std::vector<std::vector<double>> centres;  // of each relevant feature, one per class
  for (Index r = 0; r < options.relevant; ++r) {
    centres.emplace_back();
    for (const Index place : shared.sample(options.classes, options.classes))
      centres.back().push_back(kCentreDistance * (static_cast<double>(place) -
                                                  static_cast<double>(options.classes - 1) / 2.0));
  }
  std::vector<double> factors;
  for (Index s = 0; s < options.redundant; ++s)
    factors.push_back((shared.below(2) == 0 ? -1.0 : 1.0) * (0.5 + 1.5 * shared.uniform()));

  GeneratedTable generated;
  generated.roles = roles(options.relevant, options.redundant, options.noise);
  generated.table = filled_table(
      rows, std::ssize(generated.roles), seed, [&](Index i, RandomStream& random, double* row) {
        const Index label = i % options.classes;
        double* value = row;
        for (Index r = 0; r < options.relevant; ++r)
          *value++ = centres[r][label] + options.spread * random.normal();
        for (Index s = 0; s < options.redundant; ++s)
          *value++ = factors[s] * row[s % options.relevant] +
                     kRedundantNoise * options.spread * random.normal();
        for (Index s = 0; s < options.noise; ++s) *value++ = options.spread * random.normal();
        return label;
      });
  add_names(generated);
  return generated;
}

GeneratedTable make_madelon(Index rows, std::uint64_t seed, const MadelonOptions& options) {
  check_vertices(options);
  const std::vector<Role> unshuffled = roles(options.relevant, options.redundant, options.noise);
  RandomStream shared = shared_stream(seed);
  const Index vertices = Index{1} << options.relevant;
  std::vector<Index> label_of(static_cast<std::size_t>(vertices), 0);
  for (const Index vertex : shared.sample(vertices, vertices / 2)) label_of[vertex] = 1;
  std::vector<double> weights(static_cast<std::size_t>(options.redundant * options.relevant));
  for (double& weight : weights)
    weight = shared.normal() / std::sqrt(static_cast<double>(options.relevant));
  // place[s]: the column where feature s ends up.
  const std::vector<Index> place = shared.sample(std::ssize(unshuffled), std::ssize(unshuffled));

  GeneratedTable generated;
  generated.roles.resize(unshuffled.size());
  for (std::size_t s = 0; s < place.size(); ++s) generated.roles[place[s]] = unshuffled[s];
  generated.table =
      filled_table(rows, std::ssize(place), seed, [&](Index, RandomStream& random, double* row) {
        const Index vertex = random.below(vertices);
        for (Index s = 0; s < std::ssize(place); ++s) {
          double value = 0.0;
          if (unshuffled[s] == Role::relevant)
            value = (((vertex >> s) & 1) != 0 ? kHalfSide : -kHalfSide) +
                    options.spread * random.normal();
          else if (unshuffled[s] == Role::redundant)
            for (Index r = 0; r < options.relevant; ++r)
              value += weights[(s - options.relevant) * options.relevant + r] * row[place[r]];
          else
            value = random.normal();
          row[place[s]] = value;
        }
        return label_of[vertex];
      });
  add_names(generated);
  return generated;
}

}  // namespace tamis
