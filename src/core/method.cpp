#include "tamis/core/method.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string_view needs_of(const MethodInfo& method) {
  switch (method.needs) {
    case Needs::nothing:
      return "nothing but the table";
    case Needs::classes:
      return method.takes_values ? "labels of at least two classes, or a numeric target"
                                 : "labels of at least two classes";
    case Needs::constraints:
      return "labels or must-link / cannot-link pairs";
  }
  return "";
}

namespace {

/// Numbers to predict: some methods know what to do with them, and those that look at nothing but
/// the table do not mind.
void check_values(const MethodInfo& method, const Knowledge& known) {
  constexpr Index kFewest = 3;
  if (!method.takes_values) {
    if (method.supervision == Supervision::unsupervised && method.needs == Needs::nothing) return;
    throw DataError(fmt::format("{} takes classes, not a numeric target", method.name),
                    {Remedy::Action::take_method_for_values});
  }
  const std::vector<Index> rows = valued_rows(known);
  if (std::ssize(rows) < kFewest)
    throw DataError(
        fmt::format("{} needs the numeric target of at least {} rows, and knows that "
                    "of {}",
                    method.name, kFewest, rows.size()));
  const double first = known.values[rows.front()];
  if (std::ranges::all_of(rows, [&](Index row) { return known.values[row] == first; }))
    throw DataError(fmt::format(
        "{}: the numeric target is {} in all {} rows whose value is known: nothing to predict",
        method.name, first, rows.size()));
}

}  // namespace

void check_needs(const MethodInfo& method, const Problem& problem) {
  if (values_decide(problem.known)) return check_values(method, problem.known);
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
