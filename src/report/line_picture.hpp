#pragma once

#include <string>
#include <utility>

#include "report/page.hpp"
#include "report/svg_chart.hpp"

namespace tamis {

/// A chart of lines that grows line by line, with its legend and numbers.
struct LinePicture {
  LineChart chart;
  DataTable data;
  Html legend = {};

  void add(LineChart::Line line) {
    legend += legend_item(line, std::ssize(chart.lines));
    chart.lines.push_back(std::move(line));
  }
  Picture finished(std::string title, const Html& caption) const {
    return {.title = std::move(title),
            .chart = draw(chart),
            .legend = legend,
            .caption = caption,
            .data = data};
  }
};

}  // namespace tamis
