#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tamis {

/// Compresses bytes as they come, and hands what comes out to a sink.
class Deflater {
 public:
  enum class Wrapper { gzip, zlib };
  using Sink = std::function<void(std::string_view)>;

  Deflater(Wrapper wrapper, Sink sink);
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void write(std::string_view bytes);
  void finish();

 private:
  struct Stream;

  void deflate_some(std::string_view bytes, bool is_last);

  Sink sink_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace tamis
