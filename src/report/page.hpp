#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/data_table.hpp"
#include "report/html.hpp"
#include "tamis/core/options.hpp"

/// What all reports share.
namespace tamis {

/// A page that needs nothing but itself: no network, no time, no chance.
class Page {
 public:
  Page(std::string title, Html lead) : title_(std::move(title)), lead_(std::move(lead)) {}

  void add_section(const std::string& heading, const Html& content);
  /// The whole document.
  std::string finished(const std::string& version) const;

 private:
  std::string title_;
  Html lead_;
  std::vector<std::string> headings_ = {};
  Html sections_ = {};
};

/// A chart with what belongs to it.
struct Picture {
  std::string title;
  Html chart = {};
  Html legend = {};
  Html caption = {};
  DataTable data = {};  ///< mark i of the chart shows row i
};
Html picture_html(const Picture& picture);

/// Pictures beside each other where there is room.
Html pictures_html(const std::vector<Picture>& pictures);

/// Names and what they stand for.
using Entries = std::vector<std::pair<std::string, Html>>;
Html entries_html(const Entries& entries);

/// "n_neighbors = 5, kernel = heat"
std::string listed(const NamedValues& values);
/// "a (3), b (4)"
std::string listed(const std::vector<std::pair<std::string, Index>>& counts);

/// Warnings and the like; nothing if there are none.
Html notes_html(const std::vector<std::string>& notes);

/// A name that is safe as part of a file name.
std::string file_name_part(const std::string& name);

std::string megabytes(std::int64_t bytes);

}  // namespace tamis
