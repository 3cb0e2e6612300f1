#include "streaming/level_bytes.hpp"

#include "streaming/packed_numbers.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

void write(const RowVectors& vectors, ByteWriter& writer) {
  writer.put(vectors.width);
  writer.put_all(vectors.values);
}

RowVectors read_row_vectors(ByteReader& reader) {
  const auto width = reader.get<Index>();
  return {width, reader.get_all<Buffer<double>>()};
}

/// A list that must be as long as the one that it replaces.
template <class List>
void replace(ByteReader& reader, List& list) {
  List other = reader.get_all<List>();
  if (other.size() != list.size())
    throw DataError("the answer of a run of rows does not fit its question");
  list = std::move(other);
}

/// The contents of the slots of a column. Keys mostly ascend from slot to slot, so they are told by
/// how far they are from those before, which takes a quarter of the bytes.
struct SlotSteps {
  explicit SlotSteps(std::size_t slots) : counts(slots), gaps(slots), spans(slots) {}

  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> gaps;   ///< from the last slot before that has values
  std::vector<std::uint64_t> spans;  ///< from the least key to the largest
};

void write(const std::vector<SlotCount>& slots, ByteWriter& writer) {
  SlotSteps steps(slots.size());
  std::uint64_t last = 0;
  for (std::size_t s = 0; s < slots.size(); ++s) {
    if (slots[s].count == 0) continue;
    steps.counts[s] = slots[s].count;
    steps.gaps[s] = slots[s].least - last;  // which may wrap around
    steps.spans[s] = slots[s].largest - slots[s].least;
    last = slots[s].largest;
  }
  put_packed(steps.counts, writer);
  put_packed(steps.gaps, writer);
  put_packed(steps.spans, writer);
}

void read(ByteReader& reader, std::vector<SlotCount>& slots) {
  SlotSteps steps(slots.size());
  get_packed(reader, steps.counts);
  get_packed(reader, steps.gaps);
  get_packed(reader, steps.spans);
  std::uint64_t last = 0;
  for (std::size_t s = 0; s < slots.size(); ++s) {
    if (steps.counts[s] == 0) continue;
    const std::uint64_t least = last + steps.gaps[s];
    last = least + steps.spans[s];
    slots[s] = {.count = steps.counts[s], .least = least, .largest = last};
  }
}

}  // namespace

void write(std::span<const LevelTree> levels, ByteWriter& writer) {
  writer.put(std::ssize(levels));
  for (const LevelTree& tree : levels) {
    writer.put_all(tree.cells());
    writer.put_all(tree.slots());
  }
}

std::vector<LevelTree> read_levels(ByteReader& reader) {
  std::vector<LevelTree> levels;
  const auto count = reader.get<Index>();
  for (Index r = 0; r < count; ++r) {
    auto cells = reader.get_all<std::vector<KeyCell>>();
    auto slots = reader.get_all<std::vector<std::int32_t>>();
    levels.emplace_back(std::move(cells), std::move(slots));
  }
  return levels;
}

void write(const CodeRows& rows, ByteWriter& writer) {
  writer.put_all(rows.kept);
  writer.put_all(rows.labeled.class_of);
  writer.put_all(rows.labeled.sizes);
}

CodeRows read_code_rows(ByteReader& reader) {
  auto kept = reader.get_all<std::vector<Index>>();
  auto class_of = reader.get_all<std::vector<std::int32_t>>();
  return {
      .kept = std::move(kept),
      .labeled = {.class_of = std::move(class_of), .sizes = reader.get_all<std::vector<Index>>()}};
}

void write(const RowTargets& targets, ByteWriter& writer) {
  write(targets.weights.weights, writer);
  writer.put_all(targets.weights.units);
  writer.put_all(targets.weights.offsets);
  writer.put_all(targets.targets);
  writer.put(targets.temperature);
}

RowTargets read_row_targets(ByteReader& reader) {
  RowTargets targets;
  targets.weights.weights = read_row_vectors(reader);
  targets.weights.units = reader.get_all<std::vector<double>>();
  targets.weights.offsets = reader.get_all<std::vector<double>>();
  targets.targets = reader.get_all<std::vector<RowTarget>>();
  targets.temperature = reader.get<double>();
  return targets;
}

void write(const CrossedQuestion& question, ByteWriter& writer) {
  write(question.targets, writer);
  writer.put_all(question.shares);
  writer.put(std::ssize(question.decoys));
  for (const DecoyGroup& group : question.decoys) {
    writer.put(group.permutations);
    writer.put(group.first_stream);
    writer.put(std::ssize(group.columns));
    for (const DecoyColumn& column : group.columns) {
      writer.put(column.column);
      writer.put(column.target);
      writer.put(column.multiplier);
      writer.put_all(column.codes);
      writer.put_all(column.ends);
    }
  }
  writer.put(question.rows);
  writer.put(question.seed);
}

CrossedQuestion read_crossed_question(ByteReader& reader) {
  CrossedQuestion question{.targets = read_row_targets(reader),
                           .shares = reader.get_all<std::vector<ShareMoments>>()};
  question.decoys.resize(reader.get<Index>());
  for (DecoyGroup& group : question.decoys) {
    group.permutations = reader.get<Index>();
    group.first_stream = reader.get<std::uint64_t>();
    group.columns.resize(reader.get<Index>());
    for (DecoyColumn& column : group.columns) {
      column.column = reader.get<Index>();
      column.target = reader.get<Index>();
      column.multiplier = reader.get<Index>();
      column.codes = reader.get_all<std::vector<std::int16_t>>();
      column.ends = reader.get_all<std::vector<Index>>();
    }
  }
  question.rows = reader.get<Index>();
  question.seed = reader.get<std::uint64_t>();
  return question;
}

void write(const ColumnScan& scan, ByteWriter& writer) {
  writer.put(scan.rows());
  for (Index r = 0; r < scan.cols(); ++r) {
    writer.put(scan.column(r).least);
    writer.put(scan.column(r).largest);
    const auto occupied = scan.column(r).histogram.occupied();
    writer.put(std::ssize(occupied));
    for (const auto& [bucket, count] : occupied) {
      writer.put(bucket);
      writer.put(count);
    }
  }
}

void read(ByteReader& reader, ColumnScan& scan) {
  scan.add_rows(reader.get<Index>());
  for (Index r = 0; r < scan.cols(); ++r) {
    ColumnScan::Column& column = scan.column(r);
    column.least = reader.get<std::uint64_t>();
    column.largest = reader.get<std::uint64_t>();
    const auto occupied = reader.get<Index>();
    for (Index b = 0; b < occupied; ++b) {
      const auto bucket = reader.get<std::size_t>() % kBuckets;
      column.histogram.add(bucket, reader.get<std::uint64_t>());
    }
  }
}

void write(const LevelCounts& counts, ByteWriter& writer) {
  for (Index r = 0; r < counts.cols(); ++r) write(counts.column(r), writer);
}

void read(ByteReader& reader, LevelCounts& counts) {
  for (Index r = 0; r < counts.cols(); ++r) read(reader, counts.column(r));
}

void write(const CodeSums& sums, ByteWriter& writer) {
  writer.put_all(sums.gram().values());
  writer.put_all(sums.codes());
  writer.put_all(sums.labeled().class_sums);
  writer.put_all(sums.labeled().gram.values());
  writer.put_all(sums.labeled().counts);
}

void read(ByteReader& reader, CodeSums& sums) {
  replace(reader, sums.gram().values());
  replace(reader, sums.codes());
  replace(reader, sums.labeled().class_sums);
  replace(reader, sums.labeled().gram.values());
  replace(reader, sums.labeled().counts);
}

void write(const ShareSums& sums, ByteWriter& writer) {
  writer.put_all(sums.sums);
  writer.put_all(sums.squares);
  writer.put_all(sums.products);
}

void read(ByteReader& reader, ShareSums& sums) {
  replace(reader, sums.sums);
  replace(reader, sums.squares);
  replace(reader, sums.products);
}

void write(const CrossedSums& sums, ByteWriter& writer) {
  for (const CrossedSums::Sums& target : sums.targets) {
    writer.put_all(target.values);
    writer.put_all(target.squares);
    writer.put_all(target.products);
  }
  for (const auto& of_group : sums.decoys.sums) writer.put_all(of_group);
}

void read(ByteReader& reader, CrossedSums& sums) {
  for (CrossedSums::Sums& target : sums.targets) {
    replace(reader, target.values);
    replace(reader, target.squares);
    replace(reader, target.products);
  }
  for (auto& of_group : sums.decoys.sums) replace(reader, of_group);
}

}  // namespace tamis
