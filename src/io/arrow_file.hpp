#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "io/arrow_abi.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// What libtamis_arrow.so does, or nullptr if there is none. It stays loaded.
const TamisArrowLibrary* arrow_library();

/// A Parquet or Arrow IPC file, by libtamis_arrow.so, which is loaded when the first one is opened:
/// where Arrow is installed it is built beside the program.
class ArrowFile {
 public:
  /// @param most_bytes that may be held while it is read
  /// @throws DataError if it is damaged, or if there is no such library
  ArrowFile(const std::string& path, std::size_t most_bytes);

  const std::string& path() const { return path_; }
  Index rows() const { return rows_; }
  Index columns() const { return schema_.n_children; }
  const ArrowSchema& column(Index number) const { return *schema_.children[number]; }
  /// Of the whole file, as Arrow encodes it; nullptr: none.
  const char* metadata() const { return schema_.metadata; }

  /// Takes the piece of the wanted column `place` that begins at a row.
  using Take = std::function<void(Index place, Index row, const ArrowSchema& field,
                                  const ArrowArray& array)>;
  /// Reads columns a few at a time. @param wanted ascending
  /// @throws DataError if it is damaged
  void read(std::span<const Index> wanted, const Take& take) const;

 private:
  struct Close {
    void operator()(TamisArrowFile* file) const;
  };
  /// Arrow's structs know how they are freed.
  template <class Struct>
  struct Released : Struct {
    Released() : Struct{} {}
    ~Released() {
      if (this->release != nullptr) this->release(this);
    }
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
  };

  void read_group(std::span<const Index> wanted, Index first_place, const Take& take) const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  std::unique_ptr<TamisArrowFile, Close> file_ = nullptr;
  Released<ArrowSchema> schema_ = {};
  Index rows_ = 0;
};

}  // namespace tamis
