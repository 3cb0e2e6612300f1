#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "support/sample.hpp"

namespace tamis::test {

/// A decision tree by its definition: every threshold of every column is tried on all rows anew.
/// Shares no code with the library.
class NaiveTree {
 public:
  /// classes[s] is that of row rows[s].
  NaiveTree(const Dense& x, const std::vector<Index>& rows, const std::vector<Index>& classes,
            const std::vector<Index>& columns) {
    const double before = gini(classes);
    double largest = 0.0;
    std::vector<Candidate> candidates;
    for (const Index r : columns)
      for (const double threshold : thresholds(x, rows, r)) {
        candidates.push_back({r, threshold, before - after(x, rows, classes, r, threshold)});
        largest = std::max(largest, candidates.back().gain);
      }
    std::map<Index, Index> counts;
    for (const Index c : classes) ++counts[c];
    for (const auto& [c, count] : counts)
      if (counts.find(class_) == counts.end() || count > counts[class_]) class_ = c;
    if (!(largest > 1e-12)) return;
    const auto best = std::ranges::find_if(
        candidates, [&](const Candidate& candidate) { return candidate.gain >= largest - 1e-12; });
    column_ = best->column;
    threshold_ = best->threshold;
    std::vector<Index> part_rows[2];
    std::vector<Index> part_classes[2];
    for (std::size_t s = 0; s < rows.size(); ++s) {
      const int side = x(rows[s], column_) <= threshold_ ? 0 : 1;
      part_rows[side].push_back(rows[s]);
      part_classes[side].push_back(classes[s]);
    }
    for (const int side : {0, 1})
      children_[side] =
          std::make_unique<NaiveTree>(x, part_rows[side], part_classes[side], columns);
  }

  template <class Value>
  Index predict(const Value& value) const {
    if (column_ < 0) return class_;
    return children_[value(column_) <= threshold_ ? 0 : 1]->predict(value);
  }

 private:
  struct Candidate {
    Index column;
    double threshold;
    double gain;
  };

  static double gini(const std::vector<Index>& classes) {
    std::map<Index, double> shares;
    for (const Index c : classes) shares[c] += 1.0 / static_cast<double>(classes.size());
    double impurity = 1.0;
    for (const auto& [c, share] : shares) impurity -= share * share;
    return impurity;
  }

  static std::vector<double> thresholds(const Dense& x, const std::vector<Index>& rows, Index r) {
    std::vector<double> values;
    for (const Index i : rows) values.push_back(x(i, r));
    std::ranges::sort(values);
    std::vector<double> halves;
    for (std::size_t s = 1; s < values.size(); ++s) {
      if (values[s - 1] == values[s]) continue;
      const double half = (values[s - 1] + values[s]) / 2.0;
      halves.push_back(half < values[s] ? half : values[s - 1]);
    }
    return halves;
  }

  /// The mean impurity of the two parts.
  static double after(const Dense& x, const std::vector<Index>& rows,
                      const std::vector<Index>& classes, Index r, double threshold) {
    std::vector<Index> parts[2];
    for (std::size_t s = 0; s < rows.size(); ++s)
      parts[x(rows[s], r) <= threshold ? 0 : 1].push_back(classes[s]);
    double mean = 0.0;
    for (const std::vector<Index>& part : parts)
      mean += gini(part) * static_cast<double>(part.size()) / static_cast<double>(rows.size());
    return mean;
  }

  Index column_ = -1;
  double threshold_ = 0.0;
  Index class_ = -1;
  std::unique_ptr<NaiveTree> children_[2];
};

}  // namespace tamis::test
