#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "support/message_of.hpp"
#include "support/source_root.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/matrix.hpp"
#include "tamis/io/open.hpp"

namespace tamis::test {

/// A directory of its own for each test, gone with it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tamis-io-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string with(const std::string& name, const std::string& bytes) const {
    std::filesystem::remove(file(name));  // some file systems flush a file that is overwritten
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }
  bool is_empty() const { return std::filesystem::is_empty(path_); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      all.push_back(entry.path().filename().string());
    std::ranges::sort(all);
    return all;
  }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

using tamis::message_of;
using tamis::remedy_of;

inline testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << text << "' lacks '" << part << "'";
}

inline double value_at(const Table& table, Index i, Index r) {
  double value = 0.0;
  const Index row[] = {i};
  copy_columns(table.view(), row, r, 1, &value);
  return value;
}

/// Random values of all magnitudes, with some zeros.
template <class T>
DenseTable<T> random_dense(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed);
  DenseTable<T> table{.rows = rows, .cols = cols, .values = {}};
  for (Index k = 0; k < rows * cols; ++k) {
    const double scale = std::exp(20.0 * random.normal());
    table.values.push_back(random.below(4) == 0 ? T{0} : static_cast<T>(random.normal() * scale));
  }
  for (T& value : table.values)
    if (!std::isfinite(value)) value = T{1};
  return table;
}

inline std::string data_file(const std::string& name) {
  const char* const root = std::getenv("TAMIS_DATA");
  const std::filesystem::path folder = root != nullptr ? root : source_root() / "../shared/data";
  return (folder / name).string();
}

/// Feeds read_table with every prefix of a valid file and with random damage: it must throw one of
/// our errors or return, nothing else.
inline void survive_damage(const std::string& path, std::size_t first_damaged = 0) {
  const TemporaryDirectory directory;
  const std::string name = std::filesystem::path(path).filename().string();
  const std::string whole = bytes_of(path);
  const auto attempt = [&](const std::string& bytes) {
    try {
      read_table(directory.with(name, bytes));
    } catch (const Error&) {
    }
  };
  for (std::size_t size = 0; size < whole.size(); ++size) attempt(whole.substr(0, size));
  RandomStream random(17);
  const auto span = static_cast<Index>(whole.size() - first_damaged);
  for (int trial = 0; trial < 1000; ++trial) {
    std::string bytes = whole;
    for (Index flips = 1 + random.below(3); flips > 0; --flips)
      bytes[first_damaged + static_cast<std::size_t>(random.below(span))] =
          static_cast<char>(random.below(256));
    attempt(bytes);
  }
}

}  // namespace tamis::test
