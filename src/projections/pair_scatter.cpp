#include "projections/pair_scatter.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "constraints/disjoint_sets.hpp"
#include "linalg/gemm.hpp"

namespace tamis {
namespace {

std::vector<Index> rows_of(std::span<const std::vector<Index>> groups) {
  std::vector<Index> rows;
  for (const auto& members : groups) rows.insert(rows.end(), members.begin(), members.end());
  return rows;
}

/// The means of groups that follow each other.
RowVectors group_means(const RowVectors& vectors, std::span<const std::vector<Index>> groups) {
  RowVectors means{vectors.width, Buffer<double>(std::ssize(groups) * vectors.width, 0.0)};
  Index place = 0;
  for (Index g = 0; g < std::ssize(groups); ++g) {
    for (std::size_t s = 0; s < groups[g].size(); ++s, ++place)
      for (Index a = 0; a < vectors.width; ++a) means.row(g)[a] += vectors.row(place)[a];
    for (Index a = 0; a < vectors.width; ++a)
      means.row(g)[a] /= static_cast<double>(groups[g].size());
  }
  return means;
}

void move_groups(RowVectors& vectors, std::span<const std::vector<Index>> groups,
                 const RowVectors& means) {
  Index place = 0;
  for (Index g = 0; g < std::ssize(groups); ++g)
    for (std::size_t s = 0; s < groups[g].size(); ++s, ++place)
      for (Index a = 0; a < vectors.width; ++a) vectors.row(place)[a] -= means.row(g)[a];
}

/// Multiplies the rows of each group with a factor.
template <class Factor>
void scale_groups(RowVectors& vectors, std::span<const std::vector<Index>> groups,
                  const Factor& factor) {
  Index place = 0;
  for (const auto& members : groups)
    for (std::size_t s = 0; s < members.size(); ++s, ++place)
      for (Index a = 0; a < vectors.width; ++a)
        vectors.row(place)[a] *= factor(static_cast<double>(members.size()));
}

void add_scatter(const RowVectors& vectors, Buffer<double>& out) {
  if (vectors.rows() > 0)
    add_cross_products(vectors.values.data(), vectors.rows(), vectors.width, out.data());
}

/// sqrt(n n_c) (m_c - m) for each class.
void spread_means(RowVectors& means, std::span<const std::vector<Index>> classes, double n) {
  std::vector<double> overall(means.width, 0.0);
  for (Index c = 0; c < means.rows(); ++c)
    for (Index a = 0; a < means.width; ++a)
      overall[a] += static_cast<double>(classes[c].size()) / n * means.row(c)[a];
  for (Index c = 0; c < means.rows(); ++c)
    for (Index a = 0; a < means.width; ++a)
      means.row(c)[a] =
          std::sqrt(n * static_cast<double>(classes[c].size())) * (means.row(c)[a] - overall[a]);
}

void add_implied(const RowSpace& space, std::span<const std::vector<Index>> classes, LinkKind kind,
                 Buffer<double>& out) {
  const std::vector<Index> rows = rows_of(classes);
  if (rows.empty()) return;
  const auto n = static_cast<double>(rows.size());
  RowVectors vectors = space.coordinates(rows);
  RowVectors means = group_means(vectors, classes);
  move_groups(vectors, classes, means);
  scale_groups(vectors, classes, [&](double members) {
    return std::sqrt(kind == LinkKind::must_link ? members : n - members);
  });
  add_scatter(vectors, out);
  if (kind == LinkKind::must_link) return;
  spread_means(means, classes, n);
  add_scatter(means, out);
}

/// Rows that pairs join, directly or over others.
std::vector<std::vector<Index>> joined_rows(std::span<const RowPair> pairs, Index n_rows) {
  DisjointSets sets(n_rows);
  for (const RowPair& pair : pairs) sets.join(pair.first, pair.second);
  std::map<Index, std::vector<Index>> groups;
  for (const RowPair& pair : pairs)
    for (const Index row : {pair.first, pair.second}) groups[sets.root(row)].push_back(row);
  std::vector<std::vector<Index>> result;
  for (auto& [root, rows] : groups) {
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    result.push_back(std::move(rows));
  }
  return result;
}

/// Z'LZ, L being the Laplacian of the pairs; rows that pairs join are moved to mean 0 before, which
/// changes no difference, so that no digit is lost to what they have in common.
void add_given(const RowSpace& space, std::span<const RowPair> pairs, Index n_rows,
               Buffer<double>& out) {
  if (pairs.empty()) return;
  const auto groups = joined_rows(pairs, n_rows);
  const RowVectors vectors = within_groups(space, groups);
  std::vector<Index> place(n_rows);
  const std::vector<Index> rows = rows_of(groups);
  for (Index s = 0; s < std::ssize(rows); ++s) place[rows[s]] = s;
  RowVectors pulls{vectors.width, Buffer<double>(vectors.values.size(), 0.0)};
  for (const RowPair& pair : pairs) {
    const Index i = place[pair.first];
    const Index j = place[pair.second];
    for (Index a = 0; a < vectors.width; ++a) {
      const double pull = pair.weight * (vectors.row(i)[a] - vectors.row(j)[a]);
      pulls.row(i)[a] += pull;
      pulls.row(j)[a] -= pull;
    }
  }
  add_transposed_product(vectors.values.data(), vectors.width, pulls.values.data(), vectors.width,
                         vectors.rows(), vectors.width, out.data());
}

}  // namespace

RowVectors within_groups(const RowSpace& space, std::span<const std::vector<Index>> groups) {
  RowVectors vectors = space.coordinates(rows_of(groups));
  move_groups(vectors, groups, group_means(vectors, groups));
  return vectors;
}

Buffer<double> pair_scatter(const RowSpace& space, const ConstraintSet& constraints,
                            LinkKind kind) {
  Buffer<double> out(space.rank() * space.rank(), 0.0);
  add_implied(space, constraints.classes(), kind, out);
  add_given(space, constraints.extra(kind), constraints.rows(), out);
  return out;
}

}  // namespace tamis
