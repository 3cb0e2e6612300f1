#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "datasets/generated_rows.hpp"

namespace tamis {
namespace {

constexpr std::size_t kTypes = 4;
constexpr std::array<std::string_view, kTypes> kTypeNames{"B cell", "NK cell", "T cell",
                                                          "monocyte"};
constexpr std::array<double, kTypes> kShares{0.2, 0.15, 0.4, 0.25};

/// Genes that are expressed together.
struct Program {
  std::array<double, kTypes> activity;  ///< in the cells of each type
  std::array<std::string_view, 5> genes;
};

constexpr std::array kPrograms{
    Program{{0.0, 0.0, 1.0, 0.0}, {"CD3D", "CD3E", "CD3G", "CD2", "TRAC"}},
    Program{{1.0, 0.0, 0.0, 0.0}, {"CD79A", "CD79B", "MS4A1", "CD19", "PAX5"}},
    Program{{0.0, 1.0, 0.2, 0.0}, {"NKG7", "GNLY", "PRF1", "GZMB", "KLRD1"}},
    Program{{0.0, 0.0, 0.0, 1.0}, {"LYZ", "CD14", "S100A8", "S100A9", "FCN1"}},
    Program{{1.0, 0.0, 0.0, 0.7}, {"HLA-DRA", "HLA-DRB1", "HLA-DPA1", "CD74", "CIITA"}},
    Program{{0.5, 0.0, 1.0, 0.0}, {"IL7R", "LTB", "CCR7", "LEF1", "TCF7"}},
};
constexpr std::array<std::string_view, 5> kCycle{"MKI67", "TOP2A", "PCNA", "CDK1", "CCNB1"};
constexpr Index kCycleGroup = std::ssize(kPrograms);
constexpr double kDividing = 0.25;  // share of the cells

constexpr double kLift = 2.0;           // logarithm of how much an active program adds
constexpr double kProgramSpread = 0.5;  // of a program among the cells of a type
constexpr double kGeneSpread = 0.4;     // of a gene around its program
constexpr double kDepthSpread = 0.25;   // of how much of a cell was read
constexpr Index kPairsOfAKind = 10;

/// How a gene is expressed: exp(level + loading * activity of its group + spread * N(0, 1)).
struct Gene {
  std::string name;
  Role role;
  Index group;  ///< -1: none
  double level;
  double loading;
  double spread;
};

Gene grouped_gene(std::string_view name, Role role, Index group, RandomStream& random) {
  const double level = -0.2 + 0.8 * random.normal();
  // The first gene of a program follows it most closely: the others tell the same, less clearly.
  const double loading = role == Role::relevant ? 1.0 : 0.6 + 0.4 * random.uniform();
  return {std::string(name), role, group, level, loading, kGeneSpread};
}

std::vector<Gene> draw_genes(Index noise, RandomStream& random) {
  std::vector<Gene> genes;
  for (Index p = 0; p < std::ssize(kPrograms); ++p)
    for (const std::string_view name : kPrograms[p].genes)
      genes.push_back(grouped_gene(
          name, name == kPrograms[p].genes.front() ? Role::relevant : Role::redundant, p, random));
  for (const std::string_view name : kCycle)
    genes.push_back(grouped_gene(name, Role::noise, kCycleGroup, random));
  for (Index s = 1; s <= noise; ++s) {
    const double level = random.normal();
    genes.push_back(
        {fmt::format("ZNF{}", s), Role::noise, -1, level, 0.0, 0.3 + 0.4 * random.uniform()});
  }
  return genes;
}

Index draw_type(RandomStream& random) {
  double left = random.uniform();
  Index type = 0;
  while (type + 1 < std::ssize(kShares) && left >= kShares[type]) left -= kShares[type++];
  return type;
}

using Activities = std::array<double, kPrograms.size() + 1>;

Activities draw_activities(Index type, RandomStream& random) {
  Activities activities;
  for (std::size_t p = 0; p < kPrograms.size(); ++p)
    activities[p] = kLift * kPrograms[p].activity[type];
  activities[kCycleGroup] = random.uniform() < kDividing ? kLift : 0.0;
  for (double& activity : activities) activity += kProgramSpread * random.normal();
  return activities;
}

/// ln(1 + count / depth) of a whole count whose mean is depth * rate, to two decimals.
double read_expression(double rate, double depth, RandomStream& random) {
  const double count = std::floor(depth * rate + random.uniform());
  return std::round(100.0 * std::log1p(count / depth)) / 100.0;
}

/// Neighbours in a random order of the rows without a label: a row may be in two pairs, so that
/// others follow from them.
PairConstraints draw_pairs(const GeneratedTable& generated, std::uint64_t seed) {
  std::vector<Index> rows;
  for (Index i = 0; i < std::ssize(generated.classes); ++i)
    if (generated.table.label_texts[i].empty()) rows.push_back(i);
  // Not the stream of the genes: whoever asks for other genes keeps the pairs.
  RandomStream random(seed, std::numeric_limits<std::uint64_t>::max() - 1);
  random.shuffle(rows);
  PairConstraints pairs;
  for (std::size_t s = 0; s + 1 < rows.size(); ++s) {
    const auto [first, second] = std::minmax(rows[s], rows[s + 1]);
    auto& kind =
        generated.classes[first] == generated.classes[second] ? pairs.must_link : pairs.cannot_link;
    if (std::ssize(kind) < kPairsOfAKind) kind.push_back({first, second});
  }
  return pairs;
}

}  // namespace

GeneratedTable make_cells(Index rows, std::uint64_t seed, const CellsOptions& options) {
  RandomStream shared = shared_stream(seed);
  const std::vector<Gene> genes = draw_genes(options.noise, shared);
  // column[s]: where gene s ends up.
  const std::vector<Index> column = shared.sample(std::ssize(genes), std::ssize(genes));

  GeneratedTable generated;
  generated.roles.resize(genes.size());
  generated.groups.resize(genes.size());
  generated.table.feature_names.resize(genes.size());
  for (std::size_t s = 0; s < genes.size(); ++s) {
    generated.roles[column[s]] = genes[s].role;
    generated.groups[column[s]] = genes[s].group;
    generated.table.feature_names[column[s]] = genes[s].name;
  }
  fill_rows(generated, rows, seed, [&](Index, RandomStream& random, double* row) {
    const Index type = draw_type(random);
    const double depth = std::exp(kDepthSpread * random.normal());
    const Activities activities = draw_activities(type, random);
    for (std::size_t s = 0; s < genes.size(); ++s) {
      const Gene& gene = genes[s];
      const double activity = gene.group < 0 ? 0.0 : activities[gene.group];
      const double level = gene.level + gene.loading * activity + gene.spread * random.normal();
      row[column[s]] = read_expression(std::exp(level), depth, random);
    }
    return type;
  });
  for (Index i = 1; i <= rows; ++i)
    generated.table.sample_ids.push_back(fmt::format("cell_{:03}", i));
  label_rows(generated, {kTypeNames.begin(), kTypeNames.end()}, options.labels);
  generated.pairs = draw_pairs(generated, seed);
  return generated;
}

}  // namespace tamis
