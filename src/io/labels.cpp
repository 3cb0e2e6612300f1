#include "tamis/io/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "io/delimited.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// The number that a label is, if it is one.
std::optional<double> number_of(const std::string& text) {
  double value = 0.0;
  if (means_missing(text) || !parse_number(text, value) || std::isnan(value)) return std::nullopt;
  return value;
}

/// Which texts mean "not known". By default -1 does, if all labels are numbers and at least two
/// classes are left without it: -1 and 1 alone are two classes.
class UnlabeledTexts {
 public:
  UnlabeledTexts(const std::vector<std::string>& texts,
                 const std::optional<std::vector<std::string>>& listed)
      : listed_(listed) {
    if (listed_) return;
    if (!std::ranges::all_of(texts, [](const std::string& text) {
          return means_unlabeled(text) || number_of(text).has_value();
        }))
      return;
    std::set<double> others;
    for (const std::string& text : texts) {
      const std::optional<double> number = number_of(text);
      minus_ones_ += number == -1.0 ? 1 : 0;
      if (number && number != -1.0) others.insert(*number);
    }
    minus_one_counts_ = others.size() != 1;
  }

  bool contains(const std::string& text) const {
    if (listed_) return std::ranges::find(*listed_, text) != listed_->end();
    return means_unlabeled(text) || (minus_one_counts_ && number_of(text) == -1.0);
  }
  /// What was decided about -1, if it occurs.
  void add_note(std::vector<Note>& notes) const {
    if (minus_ones_ == 0) return;
    const std::string rows = fmt::format("{} row{}", minus_ones_, minus_ones_ == 1 ? "" : "s");
    if (minus_one_counts_)
      notes.push_back({fmt::format("label -1 is taken as unlabeled ({})", rows)});
    else
      notes.push_back(
          {fmt::format("label -1 is taken as a class ({}), for there is only one other", rows),
           {Remedy::Action::name_unlabeled, "-1"}});
  }

 private:
  const std::optional<std::vector<std::string>>& listed_;
  bool minus_one_counts_ = false;
  Index minus_ones_ = 0;
};

/// Whether a number to predict is "not known".
bool is_unknown(const std::string& text, const std::optional<std::vector<std::string>>& listed) {
  return listed ? std::ranges::find(*listed, text) != listed->end() : means_unlabeled(text);
}

/// So many different numbers are measurements rather than classes.
constexpr std::size_t kMostClasses = 20;

void add_doubtful_classes(const std::vector<std::string>& names, std::vector<Note>& notes) {
  for (const std::string& name : names)
    if (reads_like_unknown(name))
      notes.push_back({fmt::format("label {} is taken as a class", shown(name)),
                       {Remedy::Action::name_unlabeled, name},
                       /*is_warning=*/true});
}

/// @throws DataError if the labels are numbers that hardly ever come twice: measurements, not
/// classes
void refuse_measurements(const std::vector<const std::string*>& known) {
  std::map<double, Index> counts;
  for (const std::string* const text : known) {
    const std::optional<double> number = number_of(*text);
    if (!number) return;
    ++counts[*number];
  }
  const auto once =
      std::ranges::count_if(counts, [](const auto& entry) { return entry.second == 1; });
  if (counts.size() <= kMostClasses || 2 * once <= std::ssize(known)) return;
  throw DataError(
      fmt::format("the labels are {} different numbers in {} rows: measurements, not classes",
                  counts.size(), known.size()),
      {Remedy::Action::make_classes});
}

/// What a class is called: a number in its shortest form (1.0 is 1, as formats that hold numbers
/// have it), unless it is written as digits alone: 01 is a code.
std::string class_name(const std::string& text, bool is_number) {
  if (!is_number || text.find_first_of(".eE") == std::string::npos) return text;
  return fmt::format("{}", *number_of(text));
}

/// Numbers the classes: by value if all of them are numbers (1 and 1.0 are one class), else by
/// text.
class ClassNumbers {
 public:
  explicit ClassNumbers(const std::vector<const std::string*>& known)
      : by_value_(std::ranges::all_of(
            known, [](const std::string* text) { return number_of(*text).has_value(); })) {
    for (const std::string* text : known)
      classes_.try_emplace(key(*text), 0, class_name(*text, by_value_));
    Index next = 0;
    for (auto& [key, number_and_name] : classes_) number_and_name.first = next++;
  }

  Index number(const std::string& text) const { return classes_.at(key(text)).first; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [key, number_and_name] : classes_) names.push_back(number_and_name.second);
    return names;
  }

 private:
  using Key = std::pair<double, std::string>;
  Key key(const std::string& text) const {
    return by_value_ ? Key{*number_of(text), ""} : Key{0.0, text};
  }

  bool by_value_;
  std::map<Key, std::pair<Index, std::string>> classes_;
};

}  // namespace

bool is_continuous(const std::vector<std::string>& texts,
                   const std::optional<std::vector<std::string>>& unlabeled) {
  std::set<double> values;
  bool has_fraction = false;
  for (const std::string& text : texts) {
    if (is_unknown(text, unlabeled)) continue;
    const std::optional<double> number = number_of(text);
    if (!number) return false;
    has_fraction |= *number != std::floor(*number);
    values.insert(*number);
  }
  return has_fraction || values.size() > kMostClasses;
}

std::vector<double> encode_values(const std::vector<std::string>& texts,
                                  const std::optional<std::vector<std::string>>& unlabeled) {
  std::vector<double> values;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool unknown = is_unknown(texts[i], unlabeled);
    const std::optional<double> number = number_of(texts[i]);
    if (!unknown && !number)
      throw DataError(
          fmt::format("the target of row {} is {}, not a number to predict", i, shown(texts[i])),
          {Remedy::Action::name_unlabeled, texts[i]});
    values.push_back(unknown ? kUnknownValue : *number);
  }
  return values;
}

EncodedLabels encode_labels(const std::vector<std::string>& texts,
                            const std::optional<std::vector<std::string>>& unlabeled) {
  const UnlabeledTexts unlabeled_texts(texts, unlabeled);
  std::vector<const std::string*> known;
  for (const std::string& text : texts)
    if (!unlabeled_texts.contains(text)) known.push_back(&text);
  refuse_measurements(known);
  const ClassNumbers classes(known);
  EncodedLabels encoded{.labels = {}, .class_names = classes.names(), .notes = {}};
  for (const std::string& text : texts)
    encoded.labels.push_back(unlabeled_texts.contains(text) ? kUnlabeled : classes.number(text));
  unlabeled_texts.add_note(encoded.notes);
  add_doubtful_classes(encoded.class_names, encoded.notes);
  return encoded;
}

}  // namespace tamis
