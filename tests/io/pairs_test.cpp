#include "tamis/io/pairs.hpp"

#include "files.hpp"

namespace tamis {
namespace {

using test::has;
using test::message_of;
using Ids = std::vector<std::string>;

class ReadPairs : public testing::Test {
 protected:
  PairConstraints read(const std::string& text, const Ids& ids = {}) const {
    return read_pairs(directory_.with("p.csv", text), 4, ids);
  }
  std::string refusal(const std::string& text, const Ids& ids = {}) const {
    return message_of<DataError>([&] { read(text, ids); });
  }
  test::TemporaryDirectory directory_;
};

TEST_F(ReadPairs, ReadsRowsAndWeights) {
  const PairConstraints pairs = read("a,b,kind,weight\n0,1,must,2.5\n3,2,Cannot,\n0,1,must,2.5\n");
  EXPECT_EQ(pairs.must_link, (std::vector<RowPair>{{0, 1, 2.5}, {0, 1, 2.5}}));
  EXPECT_EQ(pairs.cannot_link, (std::vector<RowPair>{{3, 2, 1.0}}));
}

TEST_F(ReadPairs, ReadsIdsWithoutHeader) {
  const PairConstraints pairs = read("s1;s3;must\n\ns2;s4;cannot\n", {"s1", "s2", "s3", "s4"});
  EXPECT_EQ(pairs.must_link, (std::vector<RowPair>{{0, 2, 1.0}}));
  EXPECT_EQ(pairs.cannot_link, (std::vector<RowPair>{{1, 3, 1.0}}));
}

TEST_F(ReadPairs, NamesTheLineOfWhatIsWrong) {
  EXPECT_TRUE(has(refusal("0,1,must\n0,7,must\n"), "p.csv:2: '7' is no row"));
  EXPECT_TRUE(has(refusal("a,b,kind\n2,2,must\n"), "p.csv:2: pairs '2' with itself"));
  EXPECT_TRUE(has(refusal("0,1,maybe\n"), "p.csv:1: kind 'maybe' is neither must nor cannot"));
  EXPECT_TRUE(has(refusal("0,1,must,-3\n"), "p.csv:1: weight '-3'"));
  EXPECT_TRUE(has(refusal("0,1,must,NA\n"), "weight 'NA'"));
  EXPECT_TRUE(has(refusal("0,1\n"), "p.csv:1: 2 fields"));
  EXPECT_TRUE(has(refusal(""), "is empty"));
}

TEST_F(ReadPairs, SuggestsANearId) {
  EXPECT_TRUE(has(refusal("sample1,sampel2,must\n", {"sample1", "sample2", "x", "y"}),
                  "p.csv:1: no row of the table has the id 'sampel2'; did you mean 'sample2'"));
}

}  // namespace
}  // namespace tamis
