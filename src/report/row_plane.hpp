#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tamis/core/fields.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// Rows along the two best features of a ranking, by class, and pairs of them.
struct RowPlane {
  struct Row {
    std::string name;
    double x = 0.0;
    double y = 0.0;

    static constexpr auto fields() {
      return field_list(named("name", &Row::name), named("x", &Row::x), named("y", &Row::y));
    }
  };
  struct Group {
    std::string name;
    std::vector<Row> rows = {};

    static constexpr auto fields() {
      return field_list(named("name", &Group::name), named("rows", &Group::rows));
    }
  };
  struct Link {
    Row from;
    Row to;

    static constexpr auto fields() {
      return field_list(named("from", &Link::from), named("to", &Link::to));
    }
  };
  Index x_column = 0;
  Index y_column = 0;
  std::vector<Group> groups = {};
  std::vector<Link> must_link = {};
  std::vector<Link> cannot_link = {};
  std::string caption = {};

  static constexpr auto fields() {
    using Self = RowPlane;
    return field_list(named("x_column", &Self::x_column), named("y_column", &Self::y_column),
                      named("groups", &Self::groups), named("must_link", &Self::must_link),
                      named("cannot_link", &Self::cannot_link), named("caption", &Self::caption));
  }
};

/// The plane of a ranking of the problem, maybe of some of its rows: those in pairs and with labels
/// come first. Nothing if there are not two features with a score, or nothing is known of any row.
std::optional<RowPlane> row_plane(const Problem& problem, const Ranking& ranking);

}  // namespace tamis
