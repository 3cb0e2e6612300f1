#include "learners/naive_bayes.hpp"

#include "support/message_of.hpp"
#include "support/naive_bayes_reference.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

TEST(NaiveBayes, MatchesTheFormula) {
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const Sample& sample :
         {blobs(150, 6, 20, seed), Sample{sparse_table(150, 5, seed), blobs(150, 1, 9, 0).labels},
          Sample{integer_table(150, 4, seed), blobs(150, 1, 2, 0).labels}}) {
      std::vector<Index> train;
      std::vector<Index> classes;
      for (Index i = 0; i < sample.x.rows; ++i)
        if (sample.labels[i] != kUnlabeled && i != 3) {
          train.push_back(i);
          classes.push_back(sample.labels[i]);
        }
      std::vector<Index> expected;
      for (Index i = 0; i < sample.x.rows; ++i)
        expected.push_back(
            naive_bayes_class(sample.x, train, classes, all_indices(sample.x.cols), i));
      for (const Storage storage : kStorages)
        for (const int threads : {1, 3}) {
          const ThreadLimit limit(threads);
          const StoredSample stored(sample, storage);
          const MatrixView& x = stored.problem().matrix;
          EXPECT_EQ(train_naive_bayes(x, train, sample.labels).predict(x, all_indices(x.rows())),
                    expected)
              << name_of(storage);
        }
    }
}

TEST(NaiveBayes, TellsClassesApartByTheirSpread) {
  // Both classes have mean 0; values far from it are of the wide one. Class 8 is rare.
  Dense x(10, 1);
  x.values = {-1, 1, -1, 1, -9, 9, -9, 9, 0.5, 6};
  const StoredSample stored({x});
  const NaiveBayes bayes = train_naive_bayes(stored.problem().matrix, all_indices(8),
                                             std::vector<Index>{3, 3, 3, 3, 8, 8, 8, 8, -1, -1});
  EXPECT_EQ(bayes.predict(stored.problem().matrix, std::vector<Index>{8, 9}),
            (std::vector<Index>{3, 8}));
}

TEST(NaiveBayes, GoesByTheSharesWhereColumnsSayNothing) {
  const StoredSample stored(with_constant_column({Dense(5, 1)}, 0, 0.1));
  const MatrixView& x = stored.problem().matrix;
  EXPECT_EQ(train_naive_bayes(x, all_indices(5), std::vector<Index>{0, 2, 2, 0, 2})
                .predict(x, std::vector<Index>{0}),
            std::vector<Index>{2});
  EXPECT_EQ(train_naive_bayes(x, all_indices(4), std::vector<Index>{0, 2, 2, 0, 2})
                .predict(x, std::vector<Index>{0}),
            std::vector<Index>{0});
}

TEST(NaiveBayes, RefusesNoRowsAndRowsWithoutALabel) {
  const StoredSample stored({Dense(3, 1)});
  const MatrixView& x = stored.problem().matrix;
  const std::vector<Index> labels{1, 1, kUnlabeled};
  EXPECT_EQ(message_of<InvalidArgument>([&] { train_naive_bayes(x, {}, labels); }),
            "naive_bayes: there is no training row");
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              train_naive_bayes(x, std::vector<Index>{0, 2}, labels);
            }),
            "naive_bayes: training row 2 has no label: leave it out");
}

}  // namespace
}  // namespace tamis::test
