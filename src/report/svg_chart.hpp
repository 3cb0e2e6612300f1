#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "report/axis.hpp"
#include "report/html.hpp"
#include "tamis/core/index.hpp"

/// Charts as SVG. A chart is plain data; draw() makes it a picture whose marks (class "mark") stand
/// in the order of the data, so that mark i belongs to row i of the chart's data table. Colours
/// come from the page's style by class: tone0, tone1, ...
namespace tamis {

inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
inline constexpr int kTones = 7;

/// Values over a common axis, joined in order, with a band around them.
struct LineChart {
  struct Mark {
    double x = 0.0;
    double y = 0.0;
    double deviation = 0.0;  ///< half of the band
  };
  struct Line {
    std::string name;
    std::vector<Mark> marks = {};
    std::optional<double> chosen = std::nullopt;  ///< x of the mark that gets a ring
    bool is_control = false;                      ///< dashed
    bool is_level = false;                        ///< one value that holds for all x: drawn across
  };
  std::string description;  ///< for people who cannot see it
  std::string x_title = {};
  std::string y_title = {};
  Spacing spacing = Spacing::linear;  ///< of y; what has no logarithm is put at the lower end
  bool counts = true;                 ///< x is a whole number
  std::vector<Line> lines = {};
};

/// One value per name, below each other.
struct RowChart {
  enum class Shape { bar, dot };
  struct Row {
    std::string label;
    double value = kNoValue;  ///< NaN: no mark, but its row stays
    double low = kNoValue;    ///< of a whisker
    double high = kNoValue;
    int tone = 0;
  };
  std::string description;
  std::string axis_title = {};
  Shape shape = Shape::bar;
  Spacing spacing = Spacing::linear;
  /// The values at the two ends, the first where bars begin; unset: from the data.
  std::optional<double> first = std::nullopt;
  std::optional<double> last = std::nullopt;
  std::vector<Row> rows = {};
};

/// Points in a plane in groups, and lines between some of them.
struct ScatterChart {
  struct Point {
    double x = 0.0;
    double y = 0.0;
  };
  struct Group {
    std::vector<Point> marks = {};
  };
  struct Links {
    bool is_dashed = false;
    std::vector<std::pair<Point, Point>> ends = {};
  };
  std::string description;
  std::string x_title = {};
  std::string y_title = {};
  std::vector<Group> groups = {};  ///< numbers 0, 1, ... of a legend
  std::vector<Links> links = {};   ///< numbers after those
};

/// Average ranks of methods, best first, and which of them are too close to tell apart.
struct RankDiagram {
  struct Method {
    std::string name;
    double average_rank = 0.0;
  };
  std::string description;
  std::vector<Method> methods = {};  ///< ascending ranks
  double critical_difference = 0.0;
};

/// The longest runs (first, last) of methods whose ranks differ by at most the critical difference;
/// runs of one are left out.
std::vector<std::pair<Index, Index>> groups_of_equals(const RankDiagram& diagram);

/// A forest in depth-first order.
struct TreeChart {
  struct Node {
    std::string label;
    std::string note = {};                       ///< behind the label
    std::optional<Index> parent = std::nullopt;  ///< an earlier node
    double strength = 0.0;                       ///< of the edge to it, 0 .. 1
    bool is_filled = true;
    bool has_strong_edge = false;
  };
  std::string description;
  std::vector<Node> nodes = {};
};

Html draw(const LineChart& chart);
Html draw(const RowChart& chart);
Html draw(const ScatterChart& chart);
Html draw(const RankDiagram& chart);
Html draw(const TreeChart& chart);

/// Line `place` in a legend: its colour, mark and name, which show and hide it.
Html legend_item(const LineChart::Line& line, Index place);
std::string tone_class(Index place);

}  // namespace tamis
