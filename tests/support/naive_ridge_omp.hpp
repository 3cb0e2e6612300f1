#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/naive.hpp"
#include "support/naive_algebra.hpp"
#include "support/sample.hpp"

/// The documentation of ridge_omp word for word: dense matrices, textbook algebra, plain loops, and
/// no code of the library.
namespace tamis::test {

/// Average ranks with mean 0 and variance 1; 0 for constants.
inline std::vector<double> naive_ranks(const std::vector<double>& x) {
  std::vector<double> ranks;
  for (const double value : x) {
    double rank = 0.5;
    for (const double other : x) rank += other < value ? 1.0 : other == value ? 0.5 : 0.0;
    ranks.push_back(rank);
  }
  ranks = naive_centered(ranks);
  const double variance = naive_dot(ranks, ranks) / static_cast<double>(x.size());
  for (double& rank : ranks) rank = variance > 0.0 ? rank / std::sqrt(variance) : 0.0;
  return ranks;
}

/// Average ranks rounded to whole numbers of -2047 .. 2047, with mean 0 and variance 1.
inline std::vector<double> naive_levels(const std::vector<double>& x) {
  const auto n = static_cast<double>(x.size());
  std::vector<double> levels;
  for (const double value : x) {
    double twice = -n;  // twice the average rank, from 0, less that of all
    for (const double other : x) twice += other < value ? 2.0 : other == value ? 1.0 : 0.0;
    levels.push_back(std::round(4095.0 * twice / (2.0 * n)));
  }
  levels = naive_centered(levels);
  const double variance = naive_dot(levels, levels) / n;
  for (double& level : levels) level = variance > 0.0 ? level / std::sqrt(variance) : 0.0;
  return levels;
}

/// (mean |z - median|)^2.
inline double naive_spread(const std::vector<double>& z) {
  std::vector<double> sorted = z;
  std::ranges::sort(sorted);
  const double median = 0.5 * (sorted[(z.size() - 1) / 2] + sorted[z.size() / 2]);
  double sum = 0.0;
  for (const double value : z) sum += std::abs(value - median);
  return std::pow(sum / static_cast<double>(z.size()), 2);
}

/// Scaled to mean squared row length 1.
inline void naive_normalize(Columns& target) {
  double squares = 0.0;
  for (const auto& column : target) squares += naive_dot(column, column);
  if (squares == 0.0) return;
  const double factor = std::sqrt(static_cast<double>(target[0].size()) / squares);
  for (auto& column : target)
    for (double& value : column) value *= factor;
}

struct NaiveRidgeOptions {
  Index n_greedy = 50;
  double nugget = 1.0;  ///< 0 without supervision, whatever this is
  double ridge = 0.3;
  double temperature = 4.0;
  bool has_levels = false;  ///< ranks = levels; shares of classes are multiples of 2^-20 then
};

struct NaiveRidgeOmp {
  std::vector<Index> order = {};
  std::vector<double> gains = {};        ///< of the chosen, when they were chosen
  std::vector<double> first_gains = {};  ///< of all columns, before any choice
  double reliability = 0.0;
};

class NaiveRidge {
 public:
  NaiveRidge(const Sample& sample, const NaiveRidgeOptions& options)
      : sample_(sample), options_(options), n_(sample.x.rows) {
    for (Index r = 0; r < sample.x.cols; ++r) {
      std::vector<double> column;
      for (Index i = 0; i < n_; ++i) column.push_back(sample.x(i, r));
      z_.push_back(options.has_levels ? naive_levels(column) : naive_ranks(column));
      g_.push_back(naive_spread(z_.back()));
    }
  }

  NaiveRidgeOmp run() {
    Columns target = components();
    std::vector<double> weights = g_;
    Columns supervised;
    std::vector<double> b;
    if (n_classes() >= 2) {
      supervised = from_labels(b);
    } else if (!sample_.values.empty()) {
      supervised = from_values(b);
    } else if (!paired_rows().empty()) {
      supervised = from_pairs(b);
    }
    if (supervised.empty()) options_.nugget = 0.0;
    if (!supervised.empty()) {
      const double r = 0.5 * (1.0 + rho_);
      for (auto& column : target)
        for (double& value : column) value *= std::sqrt(1.0 - r);
      for (auto& column : supervised) {
        for (double& value : column) value *= std::sqrt(r);
        target.push_back(column);
      }
      const double mean_b = naive_dot(g_, b) / naive_dot(g_, std::vector<double>(g_.size(), 1.0));
      for (std::size_t j = 0; j < g_.size(); ++j)
        weights[j] *= std::sqrt(rho_ * b[j] + (1.0 - rho_) * mean_b);
    }
    return choose(target, weights);
  }

 private:
  Index n_classes() const {
    std::vector<Index> labels = sample_.labels;
    std::ranges::sort(labels);
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    std::erase(labels, kUnlabeled);
    return std::ssize(labels);
  }

  Columns components() const {
    Columns gram(n_, std::vector<double>(n_, 0.0));
    for (Index i = 0; i < n_; ++i)
      for (Index k = 0; k < n_; ++k)
        for (std::size_t j = 0; j < z_.size(); ++j) gram[i][k] += g_[j] * z_[j][i] * z_[j][k];
    Columns scores = naive_root(gram);
    if (scores.size() > 10) scores.resize(10);
    naive_normalize(scores);
    return scores;
  }

  Columns ridge(const std::vector<Index>& rows, const Columns& y) const {
    const std::size_t l = rows.size();
    std::vector<double> mu;
    for (const auto& z : z_) {
      mu.push_back(0.0);
      for (const Index i : rows) mu.back() += z[i] / static_cast<double>(l);
    }
    const auto kernel = [&](Index a, Index b) {
      double sum = 0.0;
      for (std::size_t j = 0; j < z_.size(); ++j)
        sum += g_[j] * (z_[j][a] - mu[j]) * (z_[j][b] - mu[j]);
      return sum;
    };
    Columns k(l, std::vector<double>(l));
    double trace = 0.0;
    for (std::size_t a = 0; a < l; ++a)
      for (std::size_t b = 0; b < l; ++b) k[a][b] = kernel(rows[a], rows[b]);
    for (std::size_t a = 0; a < l; ++a) trace += k[a][a];
    for (std::size_t a = 0; a < l; ++a) k[a][a] += options_.ridge * trace / static_cast<double>(l);
    Columns s;
    for (const auto& column : y) {
      const std::vector<double> coefficients = naive_solve(k, column);
      std::vector<double> values(n_, 0.0);
      for (Index i = 0; i < n_; ++i)
        for (std::size_t a = 0; a < l; ++a) values[i] += kernel(i, rows[a]) * coefficients[a];
      s.push_back(naive_centered(values));
    }
    return s;
  }

  Columns from_labels(std::vector<double>& b) {
    std::vector<Index> rows;
    for (Index i = 0; i < n_; ++i)
      if (sample_.labels[i] != kUnlabeled) rows.push_back(i);
    std::vector<Index> classes;
    for (const Index i : rows) classes.push_back(sample_.labels[i]);
    std::ranges::sort(classes);
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    const double l = static_cast<double>(rows.size());
    const double n_classes = static_cast<double>(classes.size());
    Columns y;
    for (const Index c : classes) {
      const double members = static_cast<double>(std::ranges::count(sample_.labels, c));
      y.emplace_back();
      for (const Index i : rows)
        y.back().push_back(sample_.labels[i] == c ? l / n_classes / members : 0.0);
      y.back() = naive_centered(y.back());
    }
    Columns s = ridge(rows, y);
    for (auto& column : s) {
      const double deviation = std::sqrt(naive_dot(column, column) / static_cast<double>(n_));
      for (double& value : column) value /= deviation;
    }
    Columns p = s;
    for (Index i = 0; i < n_; ++i) {
      double total = 0.0;
      for (const auto& column : s) total += std::exp(options_.temperature * column[i]);
      for (auto& column : p) column[i] = std::exp(options_.temperature * column[i]) / total;
      if (options_.has_levels)
        for (auto& column : p) column[i] = std::ldexp(std::round(std::ldexp(column[i], 20)), -20);
    }
    for (auto& column : p) {
      const double pi = naive_mean(column);
      for (double& value : column) value = (value - pi) / std::sqrt(pi);
    }
    naive_normalize(p);
    double between = 0.0, within = 0.0;
    for (std::size_t j = 0; j < z_.size(); ++j) {
      double mean = 0.0, b_j = 0.0, w_j = 0.0;
      for (const Index i : rows) mean += z_[j][i] / l;
      for (const Index c : classes) {
        double members = 0.0, sum = 0.0;
        for (const Index i : rows)
          if (sample_.labels[i] == c) members += 1.0, sum += z_[j][i];
        b_j += members * std::pow(sum / members - mean, 2);
        for (const Index i : rows)
          if (sample_.labels[i] == c) w_j += std::pow(z_[j][i] - sum / members, 2);
      }
      between += g_[j] * b_j / (n_classes - 1.0);
      within += l > n_classes ? g_[j] * w_j / (l - n_classes) : g_[j];
      b.push_back(b_j / l);
    }
    rho_ = std::clamp(1.0 - within / between, 0.0, 1.0);
    return p;
  }

  /// The kernel of the known rows alone, with the ridge on its diagonal if `has_ridge`.
  Columns known_kernel(const std::vector<Index>& rows, bool has_ridge) const {
    Columns k(rows.size(), std::vector<double>(rows.size(), 0.0));
    for (const auto& z : z_) {
      const double g = g_[static_cast<std::size_t>(&z - z_.data())];
      double mu = 0.0;
      for (const Index i : rows) mu += z[i] / static_cast<double>(rows.size());
      for (std::size_t a = 0; a < rows.size(); ++a)
        for (std::size_t c = 0; c < rows.size(); ++c)
          k[a][c] += g * (z[rows[a]] - mu) * (z[rows[c]] - mu);
    }
    double trace = 0.0;
    for (std::size_t a = 0; a < rows.size(); ++a) trace += k[a][a];
    if (has_ridge)
      for (std::size_t a = 0; a < rows.size(); ++a)
        k[a][a] += options_.ridge * trace / static_cast<double>(rows.size());
    return k;
  }

  Columns from_values(std::vector<double>& b) {
    std::vector<Index> rows;
    std::vector<double> y;
    for (Index i = 0; i < n_; ++i)
      if (!std::isnan(sample_.values[i])) rows.push_back(i), y.push_back(sample_.values[i]);
    const double l = static_cast<double>(rows.size());
    y = naive_centered(y);
    Columns s = ridge(rows, {y});
    naive_normalize(s);
    const Columns plain = known_kernel(rows, false);
    const Columns ridged = known_kernel(rows, true);
    const std::vector<double> coefficients = naive_solve(ridged, y);
    double errors = 0.0;
    for (std::size_t a = 0; a < rows.size(); ++a) {
      // h = K (K + c I)^-1: both are symmetric and commute.
      const double h = naive_solve(ridged, plain[a])[a];
      const double predicted = naive_dot(plain[a], coefficients);
      errors += std::pow((y[a] - predicted) / (1.0 - h - 1.0 / l), 2);
    }
    rho_ = std::clamp(1.0 - errors / naive_dot(y, y), 0.0, 1.0);
    for (const auto& z : z_) {
      std::vector<double> known;
      for (const Index i : rows) known.push_back(z[i]);
      known = naive_centered(known);
      const double squares = naive_dot(known, known);
      b.push_back(squares > 1e-12 ? std::pow(naive_dot(known, y), 2) / squares / naive_dot(y, y)
                                  : 0.0);
    }
    return s;
  }

  std::vector<Index> paired_rows() const {
    const RowMatrix must = naive_must_links(sample_), cannot = naive_cannot_links(sample_);
    std::vector<Index> rows;
    for (Index i = 0; i < n_; ++i) {
      bool is_paired = false;
      for (Index j = 0; j < n_; ++j) is_paired |= j != i && (must(i, j) + cannot(i, j) > 0.0);
      if (is_paired) rows.push_back(i);
    }
    return rows;
  }

  Columns from_pairs(std::vector<double>& b) {
    const RowMatrix must = naive_must_links(sample_), cannot = naive_cannot_links(sample_);
    const std::vector<Index> rows = paired_rows();
    const std::size_t l = rows.size();
    Columns h(l, std::vector<double>(l));
    for (std::size_t a = 0; a < l; ++a)
      for (std::size_t c = 0; c < l; ++c)
        h[a][c] = a == c ? 1.0 : must(rows[a], rows[c]) - cannot(rows[a], rows[c]);
    for (auto& row : h) row = naive_centered(row);
    for (std::size_t c = 0; c < l; ++c) {
      double mean = 0.0;
      for (std::size_t a = 0; a < l; ++a) mean += h[a][c] / static_cast<double>(l);
      for (std::size_t a = 0; a < l; ++a) h[a][c] -= mean;
    }
    Columns s = ridge(rows, naive_root(h));
    naive_normalize(s);
    const auto half_mean = [&](const RowMatrix& pairs, const std::vector<double>& z) {
      double sum = 0.0, count = 0.0;
      for (Index i = 0; i < n_; ++i)
        for (Index j = i + 1; j < n_; ++j)
          sum += pairs(i, j) * std::pow(z[i] - z[j], 2), count += pairs(i, j);
      return count == 0.0 ? 1.0 : 0.5 * sum / count;
    };
    double apart = 0.0, together = 0.0;
    for (std::size_t j = 0; j < z_.size(); ++j) {
      const double b_j = half_mean(cannot, z_[j]), w_j = half_mean(must, z_[j]);
      apart += g_[j] * b_j;
      together += g_[j] * w_j;
      b.push_back(b_j / (1.0 + w_j));
    }
    rho_ = std::clamp(1.0 - together / apart, 0.0, 1.0);
    return s;
  }

  /// Products of a column with the target, and its own length, given noisy readings of the chosen
  /// ones: a - k'(K + nugget I)^-1 A and 1 - k'(K + nugget I)^-1 k.
  struct Left {
    std::vector<double> products = {};
    double length = 1.0;
  };

  Left left_of(std::size_t j, const Columns& products, const std::vector<Index>& chosen) const {
    const auto n = static_cast<double>(n_);
    Left left{products[j]};
    if (chosen.empty()) return left;
    Columns k;
    std::vector<double> with_j;
    for (const Index s : chosen) {
      k.emplace_back();
      for (const Index t : chosen)
        k.back().push_back(naive_dot(z_[s], z_[t]) / n + (s == t ? options_.nugget : 0.0));
      with_j.push_back(naive_dot(z_[s], z_[j]) / n);
    }
    const std::vector<double> shares = naive_solve(k, with_j);
    left.length -= naive_dot(shares, with_j);
    for (std::size_t t = 0; t < chosen.size(); ++t)
      for (std::size_t c = 0; c < left.products.size(); ++c)
        left.products[c] -= shares[t] * products[chosen[t]][c];
    return left;
  }

  /// Step 8 by its definition, each gain anew.
  NaiveRidgeOmp choose(const Columns& target, const std::vector<double>& weights) const {
    Columns products;
    for (const auto& z : z_) {
      products.emplace_back();
      for (const auto& column : target)
        products.back().push_back(naive_dot(z, column) / std::sqrt(static_cast<double>(n_)));
    }
    NaiveRidgeOmp result{.reliability = rho_};
    const auto gain = [&](std::size_t j) {
      if (g_[j] == 0.0 || std::ranges::count(result.order, static_cast<Index>(j)) > 0) return 0.0;
      const Left left = left_of(j, products, result.order);
      if (left.length <= 1e-6) return 0.0;
      return weights[j] * naive_dot(left.products, left.products) / (left.length + options_.nugget);
    };
    for (std::size_t j = 0; j < z_.size(); ++j) result.first_gains.push_back(gain(j));
    const double largest = *std::ranges::max_element(result.first_gains);
    while (std::ssize(result.order) < options_.n_greedy) {
      std::vector<double> gains;
      for (std::size_t j = 0; j < z_.size(); ++j) gains.push_back(gain(j));
      std::size_t best = 0;
      for (std::size_t j = 1; j < z_.size(); ++j)
        if (gains[j] > gains[best] * (1.0 + 1e-9)) best = j;
      if (gains[best] <= 1e-12 * largest) break;
      result.order.push_back(static_cast<Index>(best));
      result.gains.push_back(gains[best]);
    }
    std::vector<Index> rest;
    for (Index j = 0; j < std::ssize(z_); ++j)
      if (std::ranges::count(result.order, j) == 0) rest.push_back(j);
    std::ranges::stable_sort(rest, [&](Index a, Index b) {
      return result.first_gains[a] > result.first_gains[b] * (1.0 + 1e-9);
    });
    result.order.insert(result.order.end(), rest.begin(), rest.end());
    return result;
  }

  Sample sample_;
  NaiveRidgeOptions options_;
  Index n_;
  Columns z_;
  std::vector<double> g_;
  double rho_ = 0.0;
};

inline NaiveRidgeOmp naive_ridge_omp(const Sample& sample, const NaiveRidgeOptions& options) {
  return NaiveRidge(sample, options).run();
}

}  // namespace tamis::test
