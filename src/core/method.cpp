#include "tamis/core/method.hpp"

#include <fmt/format.h>

#include "tamis/core/error.hpp"

namespace tamis {

std::string_view name_of(Supervision supervision) {
  switch (supervision) {
    case Supervision::unsupervised:
      return "unsupervised";
    case Supervision::supervised:
      return "supervised";
    case Supervision::semi_supervised:
      return "semi-supervised";
  }
  return "";
}

std::string_view describe(Needs needs) {
  switch (needs) {
    case Needs::nothing:
      return "nothing but the table";
    case Needs::classes:
      return "labels of at least two classes";
    case Needs::constraints:
      return "labels or must-link / cannot-link pairs";
  }
  return "";
}

void check_needs(const MethodInfo& method, const Problem& problem) {
  const auto classes = std::ssize(rows_by_class(problem.known));
  const auto labeled = std::ssize(labeled_rows(problem.known));
  if (method.needs == Needs::classes && classes < 2)
    throw DataError(
        classes == 0
            ? fmt::format("{} needs labels, and no row has one", method.name)
            : fmt::format("{} needs labels of at least two classes, and the {} labeled row{} all "
                          "{} to one",
                          method.name, labeled, labeled == 1 ? "" : "s",
                          labeled == 1 ? "belongs" : "belong"),
        {classes == 0 ? Remedy::Action::give_labels : Remedy::Action::none});
  if (method.needs == Needs::constraints && labeled < 2 && !problem.known.has_pairs())
    throw DataError(
        fmt::format("{} needs must-link or cannot-link pairs, and there are none", method.name),
        {Remedy::Action::give_labels_or_pairs});
}

NamedValues values_of(const Method& method, std::span<const OptionSetting> settings) {
  OptionTexts texts;
  for (const auto& [option, value] : settings) texts.emplace(option, value);
  NamedValues values = method.resolve(texts);
  std::erase_if(values, [&](const auto& value) { return !texts.contains(value.first); });
  return values;
}

}  // namespace tamis
