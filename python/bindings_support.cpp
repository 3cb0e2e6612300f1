#include <algorithm>
#include <chrono>
#include <thread>

#include "python/bindings.hpp"

namespace tamis::python {
Progress interruptible(nb::handle told) {
  using Clock = std::chrono::steady_clock;
  const auto caller = std::this_thread::get_id();
  return Progress([caller, told, last = Clock::now(), is_interrupted = false](
                      std::string_view stage, Index done, Index total) mutable {
    const bool is_time = Clock::now() - last >= std::chrono::milliseconds(50);
    if (std::this_thread::get_id() == caller && (is_time || (!told.is_none() && done == total))) {
      last = Clock::now();
      const nb::gil_scoped_acquire gil;
      is_interrupted = PyErr_CheckSignals() != 0;
      if (!is_interrupted && !told.is_none()) told(stage, done, total);
    }
    if (is_interrupted) throw Interrupted("interrupted");
  });
}

template <class Integer>
bool is_canonical(const Column<Index>& offset_array, const Column<Integer>& column_array,
                  Index values, Index cols) {
  const std::span<const Index> offsets = span_of(offset_array);
  const std::span<const Integer> columns = span_of(column_array);
  if (offsets.empty() || offsets.front() != 0 || !std::ranges::is_sorted(offsets) ||
      offsets.back() > std::ssize(columns) || offsets.back() > values)
    throw DataError(
        "the sparse table is malformed: indptr must ascend from 0 to the number of "
        "stored values");
  check_sparse_lines(std::ssize(offsets) - 1, cols);
  bool ascends = true;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    for (Index s = offsets[i]; s < offsets[i + 1]; ++s) {
      if (columns[s] < 0 || columns[s] >= cols)
        throw DataError("the sparse table is malformed: row " + std::to_string(i) +
                        " has a value in column " + std::to_string(columns[s]) + " of " +
                        std::to_string(cols));
      ascends = ascends && (s == offsets[i] || columns[s - 1] < columns[s]);
    }
  return ascends;
}
template bool is_canonical(const Column<Index>&, const Column<Index>&, Index, Index);
template bool is_canonical(const Column<Index>&, const Column<ColumnIndex>&, Index, Index);

std::vector<RowPair> pairs_of(const Pairs& pairs) {
  std::vector<RowPair> list;
  for (std::size_t s = 0; s < pairs.shape(0); ++s)
    list.push_back({pairs.data()[2 * s], pairs.data()[2 * s + 1]});
  return list;
}

std::vector<RowPair> pairs_of(const Pairs& pairs, const Column<double>& weights) {
  if (weights.size() != pairs.shape(0))
    throw InvalidArgument("there are " + std::to_string(weights.size()) + " weights for " +
                          std::to_string(pairs.shape(0)) + " pairs");
  std::vector<RowPair> list = pairs_of(pairs);
  for (std::size_t s = 0; s < list.size(); ++s) list[s].weight = weights.data()[s];
  return list;
}

Knowledge knowledge_of(const Given& given) {
  Knowledge known{.sample_ids = given.sample_ids};
  if (given.labels)
    known.labels.assign(given.labels->data(), given.labels->data() + given.labels->size());
  if (given.values)
    known.values.assign(given.values->data(), given.values->data() + given.values->size());
  if (given.must_link.shape(0) + given.cannot_link.shape(0) > 0)
    known.pairs = {.must_link = pairs_of(given.must_link, given.must_link_weights),
                   .cannot_link = pairs_of(given.cannot_link, given.cannot_link_weights)};
  return known;
}

Problem problem_of(const Table& table, const Given& given) {
  return {
      .matrix = table.view(), .feature_names = given.feature_names, .known = knowledge_of(given)};
}

Run interruptible_run(std::uint64_t seed, const nb::object& told) {
  return {.seed = seed, .progress = interruptible(told)};
}

nb::dict dict_of(const OptionInfo& option) {
  nb::dict dict;
  dict["name"] = option.name;
  dict["values"] = describe_values(option);
  dict["default"] = nb::cast(option.default_value);
  dict["words"] = nb::cast(option.words);
  dict["help"] = option.help;
  return dict;
}

}  // namespace tamis::python
