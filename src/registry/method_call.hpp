#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/ranking_plan.hpp"
#include "tamis/projections/projection.hpp"

namespace tamis {

/// Reads "name" or "name:option=value,option=value", as people write a method within an option.
/// Besides the options of the method there are bagging=MEMBERS, diversify=CANDIDATES, and
/// settings=paper for the values of its paper where the text gives none.
/// @throws InvalidArgument for a malformed text, an unknown method or option, or a forbidden value
/// @param lets_vote whether classes will be predicted, so that its members may vote
RankingPlan parse_method_call(const std::string& text, bool lets_vote = false);

/// What the plan's base_option says, if its method has one, and the method that this names.
/// @throws InvalidArgument as above, or if that method chooses a subset itself
std::optional<std::string> base_call(const RankingPlan& plan);
std::optional<RankingPlan> base_of(const RankingPlan& plan);
/// The same for a text. @param method whose base_option it is
RankingPlan parse_base(const MethodInfo& method, const std::string& text);

/// The method of such a text, ready to rank.
/// @throws as above
Ranker ranker_of(const std::string& call);

/// What it is made of, for projections too: every option of the method with its value.
/// @throws as above
NamedValues options_of(const std::string& call);

/// Whether the method of such a text cannot do with pairs alone.
/// @throws as above
bool needs_classes(const std::string& call);

/// The ranking that the method of such a text begins with, of its base_option or its own, in words
/// that are the same for all that begin alike; empty for projections.
/// @throws as above
std::string first_ranking_of(const std::string& call);

/// The same text with those of the options that its method has and that it does not give.
/// @throws as above
std::string with_options(const std::string& call, std::span<const OptionSetting> settings);

/// The same text with settings=paper, unless it says where options come from or the paper of its
/// method sets nothing.
/// @throws as above
std::string following_paper(const std::string& call);

/// The projection of such a text; empty if it names none. As many directions as are asked for,
/// unless its option n_components says how many.
/// @throws InvalidArgument for a malformed text, an unknown option or a forbidden value
Projector projector_of(const std::string& call);

/// Puts texts together again that were cut at every comma: a piece is a method of its own unless it
/// is option=value, which belongs to the method before it. So
/// cls:n_neighbors=5,form=ensemble,lsdf:gamma=10 are two methods.
std::vector<std::string> method_calls(const std::vector<std::string>& pieces);

}  // namespace tamis
