#include "streaming/joint_pass.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tamis {
namespace {

constexpr std::string_view kBetweenKinds = " + ";

std::vector<Pass> parts_of(const Pass& pass) {
  ByteReader reader(pass.broadcast);
  std::vector<Pass> parts(static_cast<std::size_t>(reader.get<Index>()));
  for (auto& [kind, broadcast] : parts) {
    kind = reader.get_all<std::string>();
    broadcast = reader.get_all<Bytes>();
  }
  return parts;
}

}  // namespace

std::string joint_kind(const std::vector<std::string>& kinds) {
  return fmt::format("{}", fmt::join(kinds, kBetweenKinds));
}

bool is_joint(const Pass& pass) { return pass.kind.find(kBetweenKinds) != std::string::npos; }

Pass joint_pass(std::vector<Pass> passes) {
  if (passes.size() == 1) return std::move(passes.front());
  std::vector<std::string> kinds;
  for (const Pass& pass : passes) kinds.push_back(pass.kind);
  return {joint_kind(kinds), ByteWriter::written([&](ByteWriter& writer) {
            writer.put(std::ssize(passes));
            for (const auto& [kind, broadcast] : passes) {
              writer.put_all(kind);
              writer.put_all(broadcast);
            }
          })};
}

JointState::JointState(const Pass& pass) {
  for (const Pass& part : parts_of(pass)) parts_.push_back(state_of(part));
}

JointState::JointState(const Pass& pass, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  for (const Pass& part : parts_of(pass)) parts_.push_back(state_of(part, reader.get_all<Bytes>()));
  reader.expect_end();
}

void JointState::update(const MatrixView& block, Index first_row) {
  for (const auto& part : parts_) part->update(block, first_row);
}

void JointState::merge(PassState& other) {
  auto& others = static_cast<JointState&>(other).parts_;
  for (std::size_t p = 0; p < parts_.size(); ++p) parts_[p]->merge(*others[p]);
}

Bytes JointState::bytes() const {
  std::vector<Bytes> answers;
  for (const auto& part : parts_) answers.push_back(part->bytes());
  return ByteWriter::written([&](ByteWriter& writer) {
    for (const Bytes& answer : answers) writer.put_all(answer);
  });
}

}  // namespace tamis
