#include "methods/states/state_information.hpp"

#include <bit>
#include <cmath>

#include "core/simd.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {
namespace {

using Word = ColumnStates::Word;
constexpr Index kColumnsAtOnce = 128;

TAMIS_INLINE Index count_shared(const Word* a, const Word* b, Index words) {
  Index count = 0;
  for (Index w = 0; w < words; ++w) count += std::popcount(a[w] & b[w]);
  return count;
}

/// The states of a column and how many rows have them.
struct Column {
  const Word* sets;
  const Index* sizes;
};

/// The sum of c ln c over the nine cells of two columns. Four are counted; the others, at a middle
/// state, are what these leave of the rows of a state.
TAMIS_INLINE std::int64_t joint_logs(const Column& f, const Column& g, Index words, Index rows,
                                     const std::int64_t* log_of) {
  const Index aa = count_shared(f.sets, g.sets, words);
  const Index ab = count_shared(f.sets, g.sets + words, words);
  const Index ba = count_shared(f.sets + words, g.sets, words);
  const Index bb = count_shared(f.sets + words, g.sets + words, words);
  const Index am = f.sizes[0] - aa - ab;
  const Index bm = f.sizes[1] - ba - bb;
  const Index ma = g.sizes[0] - aa - ba;
  const Index mb = g.sizes[1] - ab - bb;
  const Index mm = rows - f.sizes[0] - f.sizes[1] - ma - mb;
  return log_of[aa] + log_of[ab] + log_of[ba] + log_of[bb] + log_of[am] + log_of[bm] + log_of[ma] +
         log_of[mb] + log_of[mm];
}

/// joint_logs of a column and each of the others.
void sum_joint_logs(const ColumnStates& states, const Index* sizes, Index column,
                    std::span<const Index> others, Index rows, const std::int64_t* log_of,
                    std::int64_t* out) {
  for_this_cpu([=, &states](auto) TAMIS_KERNEL {
    const Column f{states.sets(column), sizes + 2 * column};
    for (std::size_t s = 0; s < others.size(); ++s) {
      const Column g{states.sets(others[s]), sizes + 2 * others[s]};
      out[s] = joint_logs(f, g, states.words(), rows, log_of);
    }
  });
}

/// The rows of each class as sets, one after the other.
std::vector<Word> class_sets(const Knowledge& known, std::span<const Index> rows, Index words) {
  constexpr Index kWordBits = 64;
  std::vector<Index> position(known.labels.size());
  for (Index s = 0; s < std::ssize(rows); ++s) position[rows[s]] = s;
  const auto classes = rows_by_class(known);
  std::vector<Word> sets(classes.size() * words, 0);
  for (Index c = 0; c < std::ssize(classes); ++c)
    for (const Index row : classes[c])
      sets[c * words + position[row] / kWordBits] |= Word{1} << (position[row] % kWordBits);
  return sets;
}

/// How many rows of each class (columns) have each state (rows: above, below, between).
std::vector<Index> class_table(const Word* sets, std::span<const Word> classes, Index words) {
  const Index n_classes = std::ssize(classes) / words;
  std::vector<Index> table(3 * n_classes);
  for (Index c = 0; c < n_classes; ++c) {
    const Word* const members = classes.data() + c * words;
    table[c] = count_shared(sets, members, words);
    table[n_classes + c] = count_shared(sets + words, members, words);
    table[2 * n_classes + c] =
        count_shared(members, members, words) - table[c] - table[n_classes + c];
  }
  return table;
}

}  // namespace

StateInformation::StateInformation(const Problem& problem, const StateOptions& options)
    : rows_(labeled_rows(problem.known)),
      states_(problem.matrix, rows_, options.state_width),
      logs_(std::ssize(rows_)),
      all_(logs_.of(std::ssize(rows_))),
      sizes_(2 * states_.cols()),
      in_sets_(states_.cols()),
      with_classes_(states_.cols(), kUndefined) {
  for (Index count = 0; count <= std::ssize(rows_); ++count) log_of_.push_back(logs_.of(count));
  tell_of_classes(problem.known);
}

void StateInformation::tell_of_classes(const Knowledge& known) {
  const Index words = states_.words();
  const std::vector<Word> classes = class_sets(known, rows_, words);
  const Index n_classes = std::ssize(classes) / words;
  std::int64_t in_classes = 0;
  for (const auto& members : rows_by_class(known)) in_classes += log_of_[members.size()];
  class_entropy_ = logs_.nats(all_ - in_classes);
  parallel_for(states_.cols(), kColumnsAtOnce, [&](Index begin, Index end) {
    for (Index f = begin; f < end; ++f) {
      const std::vector<Index> table = class_table(states_.sets(f), classes, words);
      Index sizes[3] = {};
      std::int64_t in_cells = 0;
      for (Index cell = 0; cell < std::ssize(table); ++cell) {
        sizes[cell / n_classes] += table[cell];
        in_cells += log_of_[table[cell]];
      }
      std::copy_n(sizes, 2, sizes_.begin() + 2 * f);
      in_sets_[f] = log_of_[sizes[0]] + log_of_[sizes[1]] + log_of_[sizes[2]];
      if (states_.varies(f))
        with_classes_[f] = mutual_information(logs_, all_, in_sets_[f], in_classes, in_cells);
    }
  });
}

std::vector<double> StateInformation::between(Index column, std::span<const Index> others) const {
  std::vector<double> information(others.size());
  parallel_for(std::ssize(others), kColumnsAtOnce, [&](Index begin, Index end) {
    std::int64_t in_cells[kColumnsAtOnce];
    sum_joint_logs(states_, sizes_.data(), column, others.subspan(begin, end - begin),
                   std::ssize(rows_), log_of_.data(), in_cells);
    for (Index s = begin; s < end; ++s)
      information[s] = mutual_information(logs_, all_, in_sets_[column], in_sets_[others[s]],
                                          in_cells[s - begin]);
  });
  return information;
}

double symmetric_uncertainty(double mutual, double entropy, double other_entropy) {
  constexpr double kDecimals = 1e10;
  const double total = entropy + other_entropy;
  return total > 0.0 ? std::round(2.0 * mutual / total * kDecimals) / kDecimals : 0.0;
}

}  // namespace tamis
