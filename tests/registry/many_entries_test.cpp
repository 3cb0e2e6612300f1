// More entries than 32 bits can count: a sparse table whose rows are the same few over and over, a
// piece of memory that is mapped many times.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <system_error>

#include "tamis/registry/methods.hpp"

namespace tamis {
namespace {

/// `count` copies of the same items behind each other, in the memory of one.
template <class T>
class RepeatedItems {
 public:
  RepeatedItems(const std::vector<T>& items, Index count)
      : bytes_(items.size() * sizeof(T)), count_(static_cast<std::size_t>(count)) {
    const int memory = memfd_create("tamis", 0);
    const auto size = static_cast<ssize_t>(bytes_);
    if (memory < 0 || write(memory, items.data(), bytes_) != size) fail();
    start_ = mmap(nullptr, bytes_ * count_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                  -1, 0);
    if (start_ == MAP_FAILED) fail();
    for (std::size_t copy = 0; copy < count_; ++copy)
      if (mmap(static_cast<char*>(start_) + copy * bytes_, bytes_, PROT_READ,
               MAP_SHARED | MAP_FIXED, memory, 0) == MAP_FAILED)
        fail();
    close(memory);
  }
  ~RepeatedItems() { munmap(start_, bytes_ * count_); }
  RepeatedItems(const RepeatedItems&) = delete;
  RepeatedItems& operator=(const RepeatedItems&) = delete;

  std::span<const T> all() const {
    return {static_cast<const T*>(start_), bytes_ * count_ / sizeof(T)};
  }

 private:
  [[noreturn]] static void fail() { throw std::system_error(errno, std::generic_category()); }

  std::size_t bytes_;
  std::size_t count_;
  void* start_ = nullptr;
};

constexpr Index kCols = 4096;
constexpr Index kRowsPerCopy = 64;
constexpr Index kEntriesPerCopy = kCols * kRowsPerCopy;
constexpr Index kCopies = 8200;
constexpr Index kEntries = kCopies * kEntriesPerCopy;  // 2.15e9
constexpr Index kRows = kCopies * kRowsPerCopy;
static_assert(kEntries > std::numeric_limits<std::int32_t>::max());

/// Full rows, of which every other one is r / 1024 in column r, and the others less than nothing.
struct ManyEntries {
  ManyEntries()
      : columns(repeated<ColumnIndex>(
            [](Index entry) { return static_cast<ColumnIndex>(entry % kCols); })),
        values(repeated<float>([](Index entry) {
          const float size = static_cast<float>(entry % kCols) / 1024.0F;
          return entry / kCols % 2 == 0 ? size : -size;
        })) {
    for (Index i = 0; i <= kRows; ++i) offsets.push_back(i * kCols);
  }
  template <class T, class Item>
  static std::vector<T> one_copy(Item&& item) {
    std::vector<T> items;
    for (Index entry = 0; entry < kEntriesPerCopy; ++entry) items.push_back(item(entry));
    return items;
  }
  template <class T, class Item>
  static RepeatedItems<T> repeated(Item&& item) {
    return RepeatedItems<T>(one_copy<T>(item), kCopies);
  }
  MatrixView view() const { return CsrView<float>(offsets, columns.all(), values.all(), kCols); }

  std::vector<Index> offsets;
  RepeatedItems<ColumnIndex> columns;
  RepeatedItems<float> values;
};

bool is_wanted() {
#ifdef TAMIS_SANITIZED
  return false;
#else
  return std::getenv("TAMIS_MANY_ENTRIES") != nullptr;
#endif
}

TEST(ManyEntries, AreCountedWithMoreThan32Bits) {
  if (!is_wanted()) GTEST_SKIP() << "takes 12 s and 25 GB of addresses: set TAMIS_MANY_ENTRIES";
  const ManyEntries many;
  Problem problem{.matrix = many.view()};
  const Ranking ranking = find_method("variance").rank(problem, {}, {});
  for (const Index r : {Index{0}, Index{1}, kCols / 2, kCols - 1}) {
    const double size = static_cast<double>(r) / 1024.0;
    EXPECT_NEAR(ranking.scores[r], size * size, 1e-9 * size * size) << r;
    EXPECT_EQ(ranking.order[kCols - 1 - r], r);
  }
  // The last rows, which lie beyond what 32 bits count.
  problem.known.labels.assign(static_cast<std::size_t>(kRows), kUnlabeled);
  for (Index i = kRows - 8; i < kRows; ++i) problem.known.labels[i] = i % 2;
  const Ranking by_class = find_method("fisher_score").rank(problem, {}, {});
  EXPECT_EQ(std::ranges::count_if(by_class.scores, [](double score) { return score > 1e6; }),
            kCols - 1)
      << "every column but the first, which is zero, tells the two kinds of rows apart";
}

}  // namespace
}  // namespace tamis
