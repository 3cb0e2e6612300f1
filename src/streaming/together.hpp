#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "streaming/conversation.hpp"

namespace tamis {

/// Conversations that are led at once: each reading of the table answers the next question of all
/// that still have one, and what several ask alike is asked once.
class Together : public Conversation {
 public:
  /// @param parts must outlive it
  explicit Together(std::vector<Conversation*> parts) : parts_(std::move(parts)) {}

  /// Each has what it needs at least; what is left is shared equally by those that can use it.
  void fit(const AnswerSpace& space) override;
  std::vector<PassPlan> passes() const override;
  bool is_open_ended() const override;
  Index result_bytes() const override;
  bool wants_folder() const override;
  Index rows_liked() const override;
  std::optional<Pass> next_pass() override;
  void accept(std::unique_ptr<PassState> state) override;

 private:
  /// A question, and who asks it.
  struct Asked {
    Pass pass;  ///< its broadcast is kept only where several ask
    std::vector<Conversation*> askers = {};
  };

  std::vector<Conversation*> parts_;
  std::vector<Asked> asked_;              ///< now
  std::vector<std::string> asked_kinds_;  ///< of all passes so far
};

}  // namespace tamis
