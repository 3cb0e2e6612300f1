#include "streaming/together.hpp"

#include <algorithm>

#include "streaming/joint_pass.hpp"

namespace tamis {
namespace {

Index most_bytes(const Conversation& part) {
  Index most = part.result_bytes();
  for (const PassPlan& pass : part.passes()) most = std::max(most, pass.bytes);
  return most;
}

/// What a part takes if it is to do with so much.
Index fitted_bytes(Conversation& part, AnswerSpace space, Index bytes) {
  space.bytes = bytes;
  part.fit(space);
  return most_bytes(part);
}

}  // namespace

void Together::fit(const AnswerSpace& space) {
  struct Need {
    Conversation* part;
    Index least;
    Index more;  // that it could use
  };
  std::vector<Need> needs;
  for (Conversation* const part : parts_)
    needs.push_back({part, 0, fitted_bytes(*part, space, space.bytes)});
  if (most_bytes(*this) <= space.bytes) return;
  Index left = space.bytes;
  for (auto& [part, least, more] : needs) {
    least = fitted_bytes(*part, space, 1);
    more -= least;
    left = std::max<Index>(left - least, 0);
  }
  std::ranges::stable_sort(needs, {}, &Need::more);
  Index waiting = std::ssize(needs);
  for (const auto& [part, least, more] : needs) {
    const Index share = std::min(more, left / waiting--);
    fitted_bytes(*part, space, least + share);
    left -= share;
  }
}

std::vector<PassPlan> Together::passes() const {
  std::vector<std::vector<PassPlan>> plans;
  std::size_t count = 0;
  for (const Conversation* const part : parts_)
    count = std::max(count, plans.emplace_back(part->passes()).size());
  std::vector<PassPlan> all(count);
  for (std::size_t p = 0; p < count; ++p) {
    std::vector<std::string> kinds;
    for (std::size_t c = 0; c < parts_.size(); ++c) {
      const bool asks = p < plans[c].size();
      all[p].bytes += asks ? plans[c][p].bytes : parts_[c]->result_bytes();
      if (asks && std::ranges::find(kinds, plans[c][p].kind) == kinds.end())
        kinds.push_back(plans[c][p].kind);
    }
    all[p].kind = p < asked_kinds_.size() ? asked_kinds_[p] : joint_kind(kinds);
  }
  return all;
}

bool Together::is_open_ended() const {
  return std::ranges::any_of(parts_, [](const auto* part) { return part->is_open_ended(); });
}

Index Together::result_bytes() const {
  Index bytes = 0;
  for (const Conversation* const part : parts_) bytes += part->result_bytes();
  return bytes;
}

bool Together::wants_folder() const {
  return std::ranges::any_of(parts_, [](const auto* part) { return part->wants_folder(); });
}

Index Together::rows_liked() const {
  Index rows = 0;
  for (const Conversation* const part : parts_) rows = std::max(rows, part->rows_liked());
  return rows;
}

std::optional<Pass> Together::next_pass() {
  asked_.clear();
  for (Conversation* const part : parts_) {
    auto pass = part->next_pass();
    if (!pass) continue;
    const auto same = std::ranges::find_if(asked_, [&](const Asked& other) {
      return other.pass.kind == pass->kind && other.pass.broadcast == pass->broadcast;
    });
    if (same == asked_.end())
      asked_.push_back({.pass = std::move(*pass), .askers = {part}});
    else
      same->askers.push_back(part);
  }
  if (asked_.empty()) return std::nullopt;
  std::vector<Pass> passes;
  for (auto& [pass, askers] : asked_)
    passes.push_back(askers.size() > 1 ? pass : Pass{pass.kind, std::move(pass.broadcast)});
  Pass joint = joint_pass(std::move(passes));
  asked_kinds_.push_back(joint.kind);
  return joint;
}

void Together::accept(std::unique_ptr<PassState> state) {
  std::vector<std::unique_ptr<PassState>> answers;
  if (asked_.size() == 1)
    answers.push_back(std::move(state));
  else
    answers = static_cast<JointState&>(*state).take_parts();
  for (std::size_t q = 0; q < asked_.size(); ++q) {
    const auto& [pass, askers] = asked_[q];
    // Whoever accepts an answer may take it apart, so all but the last have copies.
    for (std::size_t a = 0; a + 1 < askers.size(); ++a)
      askers[a]->accept(state_of(pass, answers[q]->bytes()));
    askers.back()->accept(std::move(answers[q]));
  }
}

}  // namespace tamis
