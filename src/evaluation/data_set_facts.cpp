#include "evaluation/data_set_facts.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace tamis {
namespace {

/// Of the non-zeros with their places, of the classes by name and of known values: equal for dense
/// and sparse tables.
class TableHash {
 public:
  explicit TableHash(const Problem& problem) {
    add(problem.rows());
    add(problem.cols());
    problem.matrix.visit([&](const auto& x) {
      for (Index i = 0; i < x.rows(); ++i) {
        add_row(x, i);
        add(problem.known.label(i));
        if (!problem.known.values.empty() && !std::isnan(problem.known.values[i]))
          add(std::bit_cast<Index>(problem.known.values[i]));
      }
    });
    for (const std::string& name : problem.known.class_names)
      for (const char c : name + '\n') add(c);
  }

  std::string digits() const { return fmt::format("{:016x}", state_); }

 private:
  template <class T>
  void add_row(const DenseView<T>& x, Index i) {
    for (Index r = 0; r < x.cols(); ++r) add_value(r, x(i, r));
  }
  template <class T>
  void add_row(const CsrView<T>& x, Index i) {
    for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e)
      add_value(x.row_columns(i)[e], x.row_values(i)[e]);
  }
  template <class T>
  void add_value(Index column, T value) {
    if (value == 0) return;
    add(column);
    add(std::bit_cast<Index>(static_cast<double>(value)));
  }
  void add(Index word) {
    state_ = (std::rotl(state_, 5) ^ static_cast<std::uint64_t>(word)) * 0x9e3779b97f4a7c15ULL;
    state_ ^= state_ >> 32;
  }

  std::uint64_t state_ = 0;
};

}  // namespace

DataSetFacts data_set_facts(std::string name, std::string file, const Knowledge& known) {
  DataSetFacts facts{.name = std::move(name), .file = std::move(file), .hash = {}};
  for (const std::vector<Index>& rows : rows_by_class(known)) {
    const Index label = known.labels[rows.front()];
    facts.classes.emplace_back(
        known.class_names.empty() ? std::to_string(label) : known.class_names[label],
        std::ssize(rows));
  }
  return facts;
}

DataSetFacts data_set_facts(std::string name, std::string file, const Problem& problem) {
  DataSetFacts facts = data_set_facts(std::move(name), std::move(file), problem.known);
  facts.hash = TableHash(problem).digits();
  facts.rows = problem.rows();
  facts.features = problem.cols();
  return facts;
}

}  // namespace tamis
