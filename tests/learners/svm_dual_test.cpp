#include "learners/svm_dual.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

struct Machine {
  test::Dense x;
  std::vector<double> signs;

  std::vector<double> kernel() const {
    std::vector<double> products;
    for (Index i = 0; i < x.rows; ++i)
      for (Index j = 0; j < x.rows; ++j) {
        double sum = 0.0;
        for (Index r = 0; r < x.cols; ++r) sum += x(i, r) * x(j, r);
        products.push_back(sum);
      }
    return products;
  }

  std::vector<double> direction(const std::vector<double>& alpha) const {
    std::vector<double> w(x.cols, 0.0);
    for (Index i = 0; i < x.rows; ++i)
      for (Index r = 0; r < x.cols; ++r) w[r] += alpha[i] * signs[i] * x(i, r);
    return w;
  }

  /// 1/2 |w|^2 + C sum of the hinge losses, with the bias that makes it smallest.
  double primal(const std::vector<double>& w, double cost) const {
    double squares = 0.0;
    for (const double value : w) squares += value * value;
    std::vector<double> values;
    for (Index i = 0; i < x.rows; ++i) {
      double value = 0.0;
      for (Index r = 0; r < x.cols; ++r) value += w[r] * x(i, r);
      values.push_back(value);
    }
    double least = HUGE_VAL;
    for (Index k = 0; k < x.rows; ++k) {  // it breaks where a row is at its margin
      double loss = 0.0;
      const double bias = signs[k] - values[k];
      for (Index i = 0; i < x.rows; ++i) loss += std::max(0.0, 1.0 - signs[i] * (values[i] + bias));
      least = std::min(least, loss);
    }
    return 0.5 * squares + cost * least;
  }
};

Machine random_machine(Index rows, Index cols, double shift, std::uint64_t seed) {
  Machine machine{test::random_table(rows, cols, seed), {}};
  for (Index i = 0; i < rows; ++i) {
    machine.signs.push_back(i % 3 == 0 ? 1.0 : -1.0);
    machine.x(i, 0) += shift * machine.signs[i];
  }
  return machine;
}

/// No primal value is below a dual one: where both agree, both are the optimum.
TEST(SvmDual, HasTheValueOfThePrimal) {
  for (const double cost : {0.01, 1.0, 1000.0})
    for (const double shift : {0.0, 0.7, 5.0})
      for (const auto& [rows, cols] : {std::pair{40, 3}, std::pair{25, 60}}) {
        SCOPED_TRACE(testing::Message() << rows << " rows, C = " << cost << ", shift " << shift);
        const Machine machine = random_machine(rows, cols, shift, /*seed=*/1);
        const SvmDual dual = solve_svm_dual(machine.kernel(), machine.signs, cost, 1e-6);
        EXPECT_TRUE(dual.converged);
        double balance = 0.0;
        for (Index i = 0; i < rows; ++i) {
          EXPECT_GE(dual.alpha[i], 0.0);
          EXPECT_LE(dual.alpha[i], cost);
          balance += dual.alpha[i] * machine.signs[i];
        }
        EXPECT_NEAR(balance, 0.0, 1e-9 * cost);
        const double primal = machine.primal(machine.direction(dual.alpha), cost);
        EXPECT_NEAR(dual.objective, primal, 1e-8 * primal);
      }
}

TEST(SvmDual, FindsTheSameDirectionInAnyOrderOfTheRows) {
  for (const double shift : {0.5, 3.0}) {
    const Machine machine = random_machine(60, 8, shift, /*seed=*/2);
    const std::vector<Index> order = RandomStream(3).sample(60, 60);
    Machine moved = machine;
    for (Index i = 0; i < 60; ++i) {
      moved.signs[i] = machine.signs[order[i]];
      for (Index r = 0; r < 8; ++r) moved.x(i, r) = machine.x(order[i], r);
    }
    const auto direction = [](const Machine& some) {
      return some.direction(solve_svm_dual(some.kernel(), some.signs, 10.0, 1e-6).alpha);
    };
    test::expect_scores_near(direction(moved), direction(machine), 1e-11);
  }
}

TEST(SvmDual, GoesOnFromAStart) {
  const Machine machine = random_machine(40, 4, 0.5, /*seed=*/4);
  const SvmDual found = solve_svm_dual(machine.kernel(), machine.signs, 1.0, 1e-6);
  const SvmDual again = solve_svm_dual(machine.kernel(), machine.signs, 1.0, 1e-6, found.alpha);
  test::expect_scores_near(machine.direction(again.alpha), machine.direction(found.alpha), 1e-12);
  EXPECT_NEAR(again.objective, found.objective, 1e-12 * found.objective);
}

TEST(SvmDual, TakesRowsThatCoincideAndAKernelOfZeros) {
  Machine machine{test::Dense(4, 1), {1.0, 1.0, -1.0, -1.0}};
  machine.x.values = {1.0, 1.0, -1.0, -1.0};
  const SvmDual dual = solve_svm_dual(machine.kernel(), machine.signs, 10.0, 1e-6);
  EXPECT_NEAR(machine.direction(dual.alpha)[0], 1.0, 1e-12);
  EXPECT_NEAR(dual.objective, 0.5, 1e-12);
  machine.x.values.assign(4, 0.0);  // all alphas at C
  EXPECT_NEAR(solve_svm_dual(machine.kernel(), machine.signs, 10.0, 1e-6).objective, 40.0, 1e-12);
}

TEST(SvmDual, RefusesKernelsThatAreTooLarge) {
  check_kernel_rows("some_method", "rows", kMaxKernelRows);
  EXPECT_EQ(
      message_of<DataError>([] { check_kernel_rows("some_method", "rows", 20'001); }),
      "some_method forms a matrix of every two rows, and 20001 are more than the 20000 that it "
      "takes; take fewer rows");
}

}  // namespace
}  // namespace tamis
