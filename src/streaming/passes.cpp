#include <fmt/format.h>

#include <array>

#include "streaming/center_sums.hpp"
#include "streaming/chosen_rows.hpp"
#include "streaming/column_products.hpp"
#include "streaming/column_ranges.hpp"
#include "streaming/fixed_point_sums.hpp"
#include "streaming/joint_pass.hpp"
#include "streaming/level_states.hpp"
#include "streaming/member_sums.hpp"
#include "streaming/membership_sums.hpp"
#include "streaming/pass.hpp"

namespace tamis {
namespace {

/// How the states of one kind of pass are made.
struct PassKind {
  std::string_view name;
  std::unique_ptr<PassState> (*of_no_rows)(const Pass&);
  std::unique_ptr<PassState> (*of_bytes)(const Pass&, std::span<const std::byte>);
};

template <class State>
constexpr PassKind kind() {
  return {
      State::kKind,
      [](const Pass& pass) -> std::unique_ptr<PassState> { return std::make_unique<State>(pass); },
      [](const Pass& pass, std::span<const std::byte> bytes) -> std::unique_ptr<PassState> {
        return std::make_unique<State>(pass, bytes);
      }};
}

/// The only list of passes.
constexpr std::array kKinds{kind<ChosenRowsState>(),
                            kind<FixedPointState>(),
                            kind<LevelState<ScanQuestion>>(),
                            kind<LevelState<LevelsQuestion>>(),
                            kind<LevelState<CodesQuestion>>(),
                            kind<LevelState<SharesQuestion>>(),
                            kind<LevelState<JudgingQuestion>>(),
                            kind<RangeState>(),
                            kind<CenterSumsState>(),
                            kind<MemberSumsState>(),
                            kind<MembershipSumsState>(),
                            kind<ColumnProductsState>()};

const PassKind& find_kind(const Pass& pass) {
  for (const PassKind& kind : kKinds)
    if (kind.name == pass.kind) return kind;
  throw InvalidArgument(fmt::format("there is no pass '{}'", pass.kind));
}

}  // namespace

std::unique_ptr<PassState> state_of(const Pass& pass) {
  if (is_joint(pass)) return std::make_unique<JointState>(pass);
  return find_kind(pass).of_no_rows(pass);
}

std::unique_ptr<PassState> state_of(const Pass& pass, std::span<const std::byte> bytes) {
  if (is_joint(pass)) return std::make_unique<JointState>(pass, bytes);
  return find_kind(pass).of_bytes(pass, bytes);
}

}  // namespace tamis
