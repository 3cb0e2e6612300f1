#include "cli/commands/table_facts.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tamis::cli {
namespace {

void see(TableFacts& facts, Index row, Index column, double value) {
  if (value != 0.0) ++facts.non_zeros;
  if (std::isfinite(value)) return;
  ++(std::isnan(value) ? facts.missing : facts.infinite);
  if (!facts.first_not_finite) facts.first_not_finite = Place{row, column};
}

template <class T>
void see_all(TableFacts& facts, const DenseView<T>& x) {
  for (Index i = 0; i < x.rows(); ++i)
    for (Index r = 0; r < x.cols(); ++r) see(facts, i, r, static_cast<double>(x(i, r)));
}

template <class T>
void see_all(TableFacts& facts, const CsrView<T>& x) {
  for (Index i = 0; i < x.rows(); ++i)
    for (std::size_t s = 0; s < x.row_values(i).size(); ++s)
      see(facts, i, x.row_columns(i)[s], static_cast<double>(x.row_values(i)[s]));
}

template <class T>
bool are_equal(const DenseView<T>& x, Index i, Index j) {
  return std::equal(x.row(i), x.row(i) + x.cols(), x.row(j));
}

template <class T>
bool are_equal(const CsrView<T>& x, Index i, Index j) {
  return std::ranges::equal(x.row_columns(i), x.row_columns(j)) &&
         std::ranges::equal(x.row_values(i), x.row_values(j));
}

/// Equal rows have equal keys, and few others do. All NaN keys look alike: such rows are compared.
template <class T>
std::size_t row_key(const DenseView<T>& x, Index i) {
  double key = 0.0;
  for (Index r = 0; r < x.cols(); ++r) key = key * 1.000003 + static_cast<double>(x(i, r));
  return std::hash<double>{}(key);
}

template <class T>
std::size_t row_key(const CsrView<T>& x, Index i) {
  double key = 0.0;
  for (std::size_t s = 0; s < x.row_values(i).size(); ++s)
    key = key * 1.000003 +
          static_cast<double>(x.row_values(i)[s]) * static_cast<double>(x.row_columns(i)[s] + 1);
  return std::hash<double>{}(key);
}

/// As of rows, of all columns at once.
template <class T>
std::vector<double> column_keys(const DenseView<T>& x) {
  std::vector<double> keys(x.cols(), 0.0);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index r = 0; r < x.cols(); ++r)
      keys[r] = keys[r] * 1.000003 + static_cast<double>(x(i, r));
  return keys;
}

template <class T>
std::vector<double> column_keys(const CsrView<T>& x) {
  std::vector<double> keys(x.cols(), 0.0);
  for (Index i = 0; i < x.rows(); ++i)
    for (std::size_t s = 0; s < x.row_values(i).size(); ++s) {
      double& key = keys[x.row_columns(i)[s]];
      key = key * 1.000003 + static_cast<double>(x.row_values(i)[s]) * static_cast<double>(i + 1);
    }
  return keys;
}

std::vector<double> column_of(const MatrixView& x, Index column) {
  std::vector<double> values(x.rows());
  copy_columns(x, all_indices(x.rows()), column, 1, values.data());
  return values;
}

/// Those of the given columns that equal an earlier one of them.
std::vector<Index> repeated_columns(const MatrixView& x, const std::vector<Index>& columns) {
  const std::vector<double> keys = x.visit([](const auto& view) { return column_keys(view); });
  std::unordered_map<double, std::vector<Index>> distinct;
  std::vector<Index> repeated;
  for (const Index r : columns) {
    std::vector<Index>& alike = distinct[keys[r]];
    if (std::ranges::any_of(alike,
                            [&](Index other) { return column_of(x, r) == column_of(x, other); }))
      repeated.push_back(r);
    else
      alike.push_back(r);
  }
  return repeated;
}

template <class View>
Index count_duplicates(const View& x) {
  std::unordered_map<std::size_t, std::vector<Index>> distinct;
  Index duplicates = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    std::vector<Index>& alike = distinct[row_key(x, i)];
    if (std::ranges::any_of(alike, [&](Index j) { return are_equal(x, i, j); }))
      ++duplicates;
    else
      alike.push_back(i);
  }
  return duplicates;
}

}  // namespace

TableFacts facts_of(const MatrixView& x) {
  TableFacts facts;
  x.visit([&](const auto& view) {
    see_all(facts, view);
    facts.duplicate_rows = count_duplicates(view);
  });
  const std::vector<bool> varies = varying_columns(x);
  std::vector<Index> others;
  for (Index r = 0; r < x.cols(); ++r) (varies[r] ? others : facts.constant_columns).push_back(r);
  facts.duplicate_columns = repeated_columns(x, others);
  return facts;
}

}  // namespace tamis::cli
