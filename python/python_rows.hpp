#pragma once

#include "python/bindings.hpp"
#include "tamis/core/row_source.hpp"

namespace tamis::python {

/// A table of which an object of Python reads runs of rows (RowSource of tamis/_sources.py). Its
/// shape is asked for once, its rows from any thread.
class PythonRows : public RowSource {
 public:
  explicit PythonRows(nb::object source);
  ~PythonRows() override;

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }
  bool is_single() const override { return is_single_; }
  bool is_sparse() const override { return is_sparse_; }
  void read(Index first, Index count, OwnedTable& block) override;
  Index bytes_per_row() const override { return bytes_per_row_; }
  Index rows_at_once() const override { return rows_at_once_; }
  /// What Python reads is copied: it may be part of something larger, or change.
  Index reading_bytes_per_row() const override { return bytes_per_row_ + reading_bytes_per_row_; }
  std::string fingerprint() const override;

 private:
  nb::object source_;
  Index rows_;
  Index cols_;
  bool is_single_;
  bool is_sparse_;
  Index bytes_per_row_;
  Index rows_at_once_;
  Index reading_bytes_per_row_;
};

}  // namespace tamis::python
