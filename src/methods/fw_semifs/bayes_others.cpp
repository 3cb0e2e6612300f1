#include "methods/fw_semifs/bayes_others.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/listed_columns.hpp"
#include "core/ties.hpp"
#include "learners/naive_bayes.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

struct Law {
  double mean = 0.0;
  double variance = 0.0;
};

/// Sums over values, from which the law of all of them and of all but one follow.
class Sums {
 public:
  void add(double value) {
    least_ = count_ > 0.0 ? std::min(least_, value) : value;
    greatest_ = count_ > 0.0 ? std::max(greatest_, value) : value;
    count_ += 1.0;
    sum_ += value;
  }
  /// After all values were added: the second pass.
  void add_square(double value) { squares_ += (value - mean()) * (value - mean()); }

  double count() const { return count_; }
  Law law() const {
    if (least_ == greatest_) return {least_, 0.0};  // exactly: a mean of 0.1s is not 0.1
    return {mean(), squares_ / count_};
  }
  /// Of all but one value; unset where too few digits are left of the sums.
  std::optional<Law> law_without(double value) const {
    if (least_ == greatest_) return law();
    const double deviation = value - mean();
    const double left = squares_ - deviation * deviation * count_ / (count_ - 1.0);
    if (!(left > 1e-6 * squares_)) return std::nullopt;
    return Law{mean() - deviation / (count_ - 1.0), left / (count_ - 1.0)};
  }

 private:
  double mean() const { return sum_ / count_; }

  double count_ = 0.0;
  double sum_ = 0.0;
  double squares_ = 0.0;
  double least_ = 0.0;
  double greatest_ = 0.0;
};

template <class Belongs>
Sums sums_over(std::span<const double> values, const Belongs& belongs) {
  Sums sums;
  for (std::size_t s = 0; s < values.size(); ++s)
    if (belongs(s)) sums.add(values[s]);
  for (std::size_t s = 0; s < values.size(); ++s)
    if (belongs(s)) sums.add_square(values[s]);
  return sums;
}

}  // namespace

/// What a column is like in each class and in all rows, with and without each of them.
class BayesOthers::Laws {
 public:
  Laws(std::vector<double> values, const TaughtRows& taught)
      : values_(std::move(values)), numbers_(taught.numbers) {
    const auto everywhere = [](std::size_t) { return true; };
    const Sums all = sums_over(values_, everywhere);
    std::vector<Sums> classes;
    for (Index c = 0; c < taught.n_classes; ++c) {
      classes.push_back(sums_over(values_, [&](std::size_t s) { return numbers_[s] == c; }));
      classes_.push_back(classes.back().law());
    }
    for (std::size_t s = 0; s < values_.size(); ++s) {
      variances_.push_back(law_without(s, all, everywhere).variance);
      own_.push_back(law_without(s, classes[numbers_[s]], [&](std::size_t other) {
        return numbers_[other] == numbers_[s];
      }));
    }
  }

  /// Over all rows but one.
  double variance_without(Index s) const { return variances_[s]; }
  /// ln of the density of the row under the law that the other rows of a class give.
  double log_density(Index s, Index number, double least_variance) const {
    const Law& law = number == numbers_[s] ? own_[s] : classes_[number];
    return tamis::log_density(values_[s], law.mean, law.variance + least_variance);
  }

 private:
  template <class Belongs>
  Law law_without(std::size_t s, const Sums& sums, const Belongs& belongs) const {
    if (sums.count() < 2.0) return {};  // nobody else is there to be asked
    if (const auto law = sums.law_without(values_[s])) return *law;
    return sums_over(values_, [&](std::size_t other) { return other != s && belongs(other); })
        .law();
  }

  std::vector<double> values_;
  std::span<const Index> numbers_;  // of the classes of the rows
  std::vector<Law> classes_;
  std::vector<Law> own_;           // of the row's class without it
  std::vector<double> variances_;  // of all rows without it
};

BayesOthers::BayesOthers(const MatrixView& x, const TaughtRows& taught)
    : x_(x), taught_(taught), counts_(taught.n_classes, 0.0) {
  for (const Index number : taught.numbers) counts_[number] += 1.0;
}

BayesOthers::Laws BayesOthers::laws_of(Index column) const {
  std::vector<double> values(taught_.rows.size());
  copy_listed_columns(x_, taught_.rows, std::span(&column, 1), values.data());
  return {std::move(values), taught_};
}

bool BayesOthers::is_right(std::span<const Laws* const> laws, Index s,
                           std::span<double> logarithms) const {
  double largest = 0.0;
  for (const Laws* const law : laws) largest = std::max(largest, law->variance_without(s));
  const double least_variance = kVarianceShare * largest;
  for (Index c = 0; c < taught_.n_classes; ++c) {
    const double others = counts_[c] - (c == taught_.numbers[s] ? 1.0 : 0.0);
    logarithms[c] = others > 0.0 ? std::log(others) : kUndefined;
    if (others > 0.0 && least_variance > 0.0)
      for (const Laws* const law : laws) logarithms[c] += law->log_density(s, c, least_variance);
  }
  return first_of_best(logarithms, Better::higher) == taught_.numbers[s];
}

Index BayesOthers::count_right(std::span<const Laws* const> laws) const {
  std::vector<double> logarithms(taught_.n_classes);
  Index right = 0;
  for (Index s = 0; s < std::ssize(taught_.rows); ++s)
    right += is_right(laws, s, logarithms) ? 1 : 0;
  return right;
}

Index BayesOthers::n_right(std::span<const Index> columns) const {
  return best_addition(columns.first(columns.size() - 1), columns.last(1)).right;
}

LeaveOneOut::Best BayesOthers::best_addition(std::span<const Index> chosen,
                                             std::span<const Index> candidates) const {
  std::vector<Laws> fixed;
  for (const Index column : chosen) fixed.push_back(laws_of(column));
  std::vector<Index> right(candidates.size());
  parallel_for(std::ssize(candidates), 1, [&](Index c, Index) {
    const Laws own = laws_of(candidates[c]);
    std::vector<const Laws*> laws;
    for (const Laws& law : fixed) laws.push_back(&law);
    laws.push_back(&own);
    right[c] = count_right(laws);
  });
  const Index best = std::ranges::max_element(right) - right.begin();
  return {candidates[best], right[best]};
}

}  // namespace tamis
