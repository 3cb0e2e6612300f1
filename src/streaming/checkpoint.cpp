#include "streaming/checkpoint.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/atomic_file.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/printable.hpp"

namespace tamis {
namespace {

constexpr std::string_view kFacts = "facts.txt";

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && !file.eof()) throw IoError(fmt::format("{}: cannot be read", path));
  return content;
}

/// One fact to a line.
std::string text_of(const Checkpoint::Facts& facts) {
  std::string text;
  for (const auto& [name, value] : facts) text += fmt::format("{}: {}\n", name, value);
  return text;
}

Checkpoint::Facts facts_of(const std::string& text) {
  Checkpoint::Facts facts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::size_t colon = std::min(line.find(": "), line.size());
    facts.emplace_back(line.substr(0, colon), line.substr(std::min(colon + 2, line.size())));
    begin = end + 1;
  }
  return facts;
}

void write_whole(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace

Checkpoint::Checkpoint(std::string folder, Facts facts, Clock::duration interval)
    : folder_(std::move(folder)),
      facts_(std::move(facts)),
      interval_(interval),
      kept_at_(Clock::now()) {
  for (auto& [name, value] : facts_) value = printable(value);
  std::error_code problem;
  std::filesystem::create_directories(folder_, problem);
  if (problem) throw IoError(fmt::format("{}: {}", folder_, problem.message()));
  const std::string path = fmt::format("{}/{}", folder_, kFacts);
  if (std::filesystem::exists(path, problem)) {
    check_facts(facts_of(content_of(path)));
    find();
  } else {
    write_whole(path, text_of(facts_));
  }
}

void Checkpoint::check_facts(const Facts& found) const {
  const auto refuse = [&](const std::string& name, const std::string& was, const std::string& is) {
    throw DataError(
        fmt::format("{}: the checkpoint is of another {}: '{}', not '{}'; give another folder, or "
                    "remove this one",
                    folder_, name, was, is));
  };
  for (std::size_t f = 0; f < facts_.size(); ++f) {
    const auto& [name, value] = facts_[f];
    if (f >= found.size() || found[f].first != name) refuse("kind", "", name);
    if (found[f].second != value) refuse(name, found[f].second, value);
  }
  if (found.size() > facts_.size()) refuse("kind", found[facts_.size()].first, "");
}

/// Counts what is there.
void Checkpoint::find() {
  for (std::size_t number = 1; std::filesystem::exists(path_of(number)); ++number) {
    std::ifstream file(path_of(number), std::ios::binary);
    Index rows = 0;
    file.read(reinterpret_cast<char*>(&rows), sizeof rows);
    rows_found_ += file.good() ? rows : 0;
  }
}

std::string Checkpoint::path_of(std::size_t number) const {
  return fmt::format("{}/pass-{}", folder_, number);
}

Checkpoint::Answer Checkpoint::answer(std::size_t number, const Pass& pass) const {
  const std::string path = path_of(number);
  if (!std::filesystem::exists(path)) return {.state = state_of(pass)};
  const std::string content = content_of(path);
  try {
    const auto* const begin = reinterpret_cast<const std::byte*>(content.data());
    const std::span<const std::byte> bytes(begin, content.size());
    const auto rows = ByteReader(bytes).get<Index>();
    return {.state = state_of(pass, bytes.subspan(sizeof rows)), .rows = rows};
  } catch (const DataError&) {
    throw DataError(fmt::format("{}: is cut off or damaged; remove it", path));
  }
}

void Checkpoint::keep(std::size_t number, Index rows, const PassState& state) {
  ByteWriter writer;
  writer.put(rows);
  const Bytes head = writer.take();
  const Bytes body = state.bytes();
  AtomicFile file(path_of(number));
  for (const Bytes* const part : {&head, &body})
    file.write({reinterpret_cast<const char*>(part->data()), part->size()});
  file.commit();
  kept_at_ = Clock::now();
}

void Checkpoint::keep_if_due(std::size_t number, Index rows, const PassState& state) {
  if (Clock::now() - kept_at_ >= interval_) keep(number, rows, state);
}

void Checkpoint::remove() const {
  std::error_code none;
  for (std::size_t number = 1; std::filesystem::remove(path_of(number), none); ++number) continue;
  std::filesystem::remove(fmt::format("{}/{}", folder_, kFacts), none);
  std::filesystem::remove(folder_, none);  // only if nothing else is in it
}

}  // namespace tamis
