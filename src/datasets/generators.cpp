#include "datasets/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "datasets/generated_rows.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr Index kWavePoints = 21;
constexpr Index kWaveFeatures = 40;
constexpr Index kWaveClasses = 3;
constexpr double kCentreDistance = 2.0;
constexpr double kHalfSide = 2.0;
constexpr double kRedundantNoise = 0.1;

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

void label_all(GeneratedTable& generated, Index classes) {
  std::vector<std::string> names;
  for (Index c = 1; c <= classes; ++c) names.push_back(std::to_string(c));
  label_rows(generated, std::move(names), std::ssize(generated.classes));
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

void label_rows(GeneratedTable& generated, std::vector<std::string> class_names, Index per_class) {
  generated.class_names = std::move(class_names);
  generated.table.label_name = "class";
  std::map<Index, Index> labeled;
  for (const Index label : generated.classes)
    generated.table.label_texts.push_back(
        labeled[label]++ < per_class ? generated.class_names[label] : "");
}

GeneratedTable make_wave(Index rows, std::uint64_t seed) {
  GeneratedTable generated;
  for (Index t = 1; t <= kWaveFeatures; ++t) {
    generated.table.feature_names.push_back(fmt::format("F{}", t));
    generated.roles.push_back(t >= 2 && t <= 20 ? Role::relevant : Role::noise);
  }
  fill_rows(generated, rows, seed, [](Index, RandomStream& random, double* row) {
    const Index label = random.below(kWaveClasses);
    const double u = random.uniform();
    for (Index r = 0; r < kWaveFeatures; ++r)
      row[r] = random.normal() +
               (r < kWavePoints ? wave_value(label, u, static_cast<double>(r + 1)) : 0.0);
    return label;
  });
  label_all(generated, kWaveClasses);
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
  fill_rows(generated, rows, seed, [&](Index i, RandomStream& random, double* row) {
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
  label_all(generated, options.classes);
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
  fill_rows(generated, rows, seed, [&](Index, RandomStream& random, double* row) {
    const Index vertex = random.below(vertices);
    for (Index s = 0; s < std::ssize(place); ++s) {
      double value = 0.0;
      if (unshuffled[s] == Role::relevant)
        value =
            (((vertex >> s) & 1) != 0 ? kHalfSide : -kHalfSide) + options.spread * random.normal();
      else if (unshuffled[s] == Role::redundant)
        for (Index r = 0; r < options.relevant; ++r)
          value += weights[(s - options.relevant) * options.relevant + r] * row[place[r]];
      else
        value = random.normal();
      row[place[s]] = value;
    }
    return label_of[vertex];
  });
  label_all(generated, 2);
  add_names(generated);
  return generated;
}

}  // namespace tamis
