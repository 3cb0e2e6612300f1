#pragma once

#include <string>
#include <vector>

#include "plan/ranking_plan.hpp"
#include "tamis/projections/projection.hpp"

namespace tamis {

/// Reads "name" or "name:option=value,option=value", as people write a method within an option.
/// Besides the options of the method there are bagging=MEMBERS and diversify=CANDIDATES.
/// @throws InvalidArgument for a malformed text, an unknown method or option, or a forbidden value
RankingPlan parse_method_call(const std::string& text);

/// The method of such a text, ready to rank.
/// @throws as above
Ranker ranker_of(const std::string& call);

/// The projection of such a text; empty if it names none. As many directions as are asked for,
/// unless its option n_components says how many.
/// @throws InvalidArgument for a malformed text, an unknown option or a forbidden value
Projector projector_of(const std::string& call);

/// Puts texts together again that were cut at every comma: a piece is a method of its own unless it
/// is option=value, which belongs to the method before it. So
/// cls:n_neighbors=5,form=ensemble,lsdf:gamma=10 are two methods.
std::vector<std::string> method_calls(const std::vector<std::string>& pieces);

}  // namespace tamis
