#include "io/memory_rows.hpp"

namespace tamis {
namespace {

class MemoryRows : public RowSource {
 public:
  MemoryRows(OwnedTable table, std::string fingerprint)
      : table_(std::move(table)), fingerprint_(std::move(fingerprint)) {}

  Index rows() const override { return view_of(table_).rows(); }
  Index cols() const override { return view_of(table_).cols(); }
  bool is_single() const override { return view_of(table_).is_single(); }
  bool is_sparse() const override { return view_of(table_).is_sparse(); }
  std::string fingerprint() const override { return fingerprint_; }

  void read(Index first, Index count, OwnedTable& block) override {
    std::vector<Index> rows(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i) rows[i] = first + i;
    block = empty_like(view_of(table_));
    append_rows(block, view_of(table_), rows);
  }

 private:
  OwnedTable table_;
  std::string fingerprint_;
};

}  // namespace

TableStream stream_of(Table table, std::string fingerprint) {
  return {.rows = std::make_unique<MemoryRows>(std::move(table.data), std::move(fingerprint)),
          .feature_names = std::move(table.feature_names),
          .sample_ids = std::move(table.sample_ids),
          .label_texts = std::move(table.label_texts),
          .label_name = std::move(table.label_name),
          .format = table.format,
          .notes = std::move(table.notes)};
}

}  // namespace tamis
