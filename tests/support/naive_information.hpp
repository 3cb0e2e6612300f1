#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "support/sample.hpp"

/// Entropies word for word, from shares; without any code of the library.
namespace tamis::test {

template <class Part>
double naive_entropy(const std::vector<Part>& parts) {
  std::map<Part, double> shares;
  for (const Part& part : parts) shares[part] += 1.0 / static_cast<double>(parts.size());
  double entropy = 0.0;
  for (const auto& [part, share] : shares) entropy -= share * std::log(share);
  return entropy;
}

/// H(a) + H(b) - H(a, b)
inline double naive_information(const std::vector<Index>& a, const std::vector<Index>& b) {
  std::vector<std::pair<Index, Index>> both;
  for (std::size_t s = 0; s < a.size(); ++s) both.emplace_back(a[s], b[s]);
  return naive_entropy(a) + naive_entropy(b) - naive_entropy(both);
}

inline std::vector<Index> naive_labels(const Sample& sample) {
  std::vector<Index> labels;
  for (const Index label : sample.labels)
    if (label != kUnlabeled) labels.push_back(label);
  return labels;
}

/// Column r on the labeled rows.
inline std::vector<double> naive_labeled_values(const Sample& sample, Index r) {
  std::vector<double> values;
  for (Index i = 0; i < sample.x.rows; ++i)
    if (sample.labels[i] != kUnlabeled) values.push_back(sample.x(i, r));
  return values;
}

/// 1 above mean + width sd of the values, -1 below mean - width sd, else 0.
inline std::vector<Index> naive_states(const std::vector<double>& values, double width) {
  double mean = 0.0;
  double variance = 0.0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values)
    variance += (value - mean) * (value - mean) / static_cast<double>(values.size());
  const double border = width * std::sqrt(variance) * (1.0 + 1e-9);
  std::vector<Index> states;
  for (const double value : values)
    states.push_back(value - mean > border ? 1 : (mean - value > border ? -1 : 0));
  return states;
}

/// States of every column on the labeled rows.
inline std::vector<std::vector<Index>> naive_states(const Sample& sample, double width) {
  std::vector<std::vector<Index>> states;
  for (Index r = 0; r < sample.x.cols; ++r)
    states.push_back(naive_states(naive_labeled_values(sample, r), width));
  return states;
}

}  // namespace tamis::test
