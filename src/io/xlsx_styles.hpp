#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/xml.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// Which styles of a workbook show numbers as dates.
class XlsxStyles {
 public:
  /// Reads xl/styles.xml. The styles must outlive it.
  XmlHandler handler();
  bool is_date(Index style) const;

 private:
  std::map<Index, bool> own_formats_ = {};  // of the workbook: whether they are of dates
  std::vector<Index> formats_ = {};         // of each style
  bool is_within_styles_ = false;
};

/// A number of days as a date, or a date and time: 45413 is 2024-05-01. A fraction of a day alone
/// is a time. Numbers that are no dates stay as they are.
std::string date_text(const std::string& days, bool starts_1904);

}  // namespace tamis
