#pragma once

#include <vector>

#include "streaming/pass.hpp"

namespace tamis {

/// Several questions that all rows are asked in one reading. @param passes at least one
Pass joint_pass(std::vector<Pass> passes);
/// What people call it.
std::string joint_kind(const std::vector<std::string>& kinds);
bool is_joint(const Pass& pass);

/// The answers to them.
class JointState : public PassState {
 public:
  explicit JointState(const Pass& pass);
  JointState(const Pass& pass, std::span<const std::byte> bytes);

  void update(const MatrixView& block, Index first_row) override;
  void merge(PassState& other) override;
  Bytes bytes() const override;

  /// In the order of the questions.
  std::vector<std::unique_ptr<PassState>> take_parts() { return std::move(parts_); }

 private:
  std::vector<std::unique_ptr<PassState>> parts_;
};

}  // namespace tamis
