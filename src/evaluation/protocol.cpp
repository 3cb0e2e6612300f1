#include "evaluation/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "core/option_texts.hpp"
#include "plan/ranking_plan.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::string_view kOwner = "evaluate";
constexpr std::string_view kAll = "all";
constexpr std::string_view kNone = "none";

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t end = 0; end != std::string::npos; start = end + 1) {
    end = text.find(separator, start);
    parts.push_back(text.substr(start, end - start));
  }
  return parts;
}

/// A whole number from 1 on; 0 if the text is none.
Index count_of(const std::string& text) {
  Index value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::max<Index>(value, 0) : 0;
}

struct Steps {
  Index first;
  Index last;
  Index step;
};

/// A setting that lists numbers of something.
struct NumberList {
  std::string_view setting;
  std::string_view of;  ///< what is counted
  const std::string& text;
  bool takes_shares = false;
};

Steps steps_of(const std::string& part, const NumberList& list) {
  const std::vector<std::string> numbers = parts_of(part, ':');
  const Index first = count_of(numbers.front());
  const Index last = numbers.size() > 1 ? count_of(numbers[1]) : first;
  const Index step = numbers.size() > 2 ? count_of(numbers[2]) : 1;
  if (numbers.size() > 3 || first < 1 || step < 1 || last < first)
    throw InvalidArgument(
        fmt::format("{}: {} = '{}': '{}' is neither a number of {} nor a range FIRST:LAST or "
                    "FIRST:LAST:STEP",
                    kOwner, list.setting, list.text, part, list.of));
  return {first, last, step};
}

std::optional<double> share_in(const std::string& part, const NumberList& list) {
  return list.takes_shares ? parse_percent(kOwner, list.setting, part) : std::nullopt;
}

/// Those of the numbers that are at most `most`, ascending; just `most` if there are none.
std::vector<Index> numbers_up_to(Index most, const NumberList& list) {
  std::set<Index> numbers;
  for (const std::string& part : parts_of(list.text, ',')) {
    if (part == kAll) {
      numbers.insert(most);
    } else if (const auto percent = share_in(part, list)) {
      numbers.insert(share_of(*percent, most));
    } else {
      const auto [first, last, step] = steps_of(part, list);
      for (Index number = first; number <= std::min(last, most); number += std::min(step, most))
        numbers.insert(number);
    }
  }
  if (numbers.empty()) numbers.insert(most);
  return {numbers.begin(), numbers.end()};
}

/// @throws InvalidArgument unless there is one number of features where pairs are counted
void check_single_top(const Protocol& protocol) {
  const bool is_single =
      protocol.top != kAll && protocol.top.find_first_of(",:") == std::string::npos;
  if (protocol.n_constraints != kNone && !is_single)
    throw InvalidArgument(fmt::format(
        "{}: n_constraints = '{}' needs a single number of features, as in top = 10 or 50%, and "
        "not top = '{}'",
        kOwner, protocol.n_constraints, protocol.top));
}

/// A setting that says nothing unless another one has a certain value.
struct Condition {
  std::string_view setting;
  bool holds;
  std::string_view needs;
};

void check_effects(const Protocol& protocol, const OptionTexts& texts) {
  const bool is_svm = protocol.classifier == Classifier::svm;
  const std::array conditions{
      Condition{"train_share", protocol.split == SplitKind::fraction, "split = fraction"},
      Condition{"folds", protocol.split == SplitKind::k_fold, "split = k_fold"},
      Condition{"svm_solver", is_svm, "classifier = svm"},
      Condition{"cost", is_svm, "classifier = svm"},
      Condition{"cost_folds", is_svm && !protocol.cost, "classifier = svm and cost = auto"},
      Condition{"scaled_ranking", protocol.scaling != ScalingKind::none,
                "scaling = standard or minmax"}};
  for (const auto& [setting, holds, needs] : conditions)
    if (!holds && texts.contains(std::string(setting)))
      throw InvalidArgument(fmt::format("{}: {} has no effect without {}", kOwner, setting, needs));
}

}  // namespace

std::span<const Preset> presets() {
  static const std::array all{
      Preset{"tamis", "ours: what features are worth, and what they give to few labels", {}},
      Preset{"cls-2011",
             "Benabdeslem, Hindawi, Constrained Laplacian score, ECML PKDD 2011",
             {.split = SplitKind::first_half,
              .train_share = 0.5,
              .runs = 100,
              .labels_per_class = "5",
              .label_budget = LabelBudget::in_all,
              .top = "all",
              .scaling = ScalingKind::none,
              .views = Viewpoints::transfer}},
      Preset{"csfsr-2013",
             "Hindawi, thesis, INSA Lyon 2013, chapter 3",
             {.train_share = 0.5,
              .labels_per_class = "3",
              .top = "10:200:10",
              .classifier = Classifier::svm,
              .cost = std::nullopt,
              .scaling = ScalingKind::none,
              .views = Viewpoints::transfer}},
      Preset{"wckm-2013",
             "Hindawi, thesis, INSA Lyon 2013, chapter 4",
             {.train_share = 0.5,
              .labels_per_class = "3",
              .top = "10:200:10",
              .classifier = Classifier::svm,
              .scaling = ScalingKind::none,
              .views = Viewpoints::transfer}},
      Preset{"ens-cls-2013",
             "Hindawi, Elghazel, Benabdeslem, Efficient semi-supervised feature selection by an "
             "ensemble approach, COPEM 2013",
             {.runs = 10,
              .labels_per_class = "3",
              .top = "1:20",
              .classifier = Classifier::svm,
              .scaling = ScalingKind::none,
              .views = Viewpoints::transfer}},
      Preset{"sselect-2006",
             "Zhao, Liu, Semi-supervised feature selection via spectral analysis, SDM 2007",
             {.split = SplitKind::k_fold,
              .labels_per_class = "2,6,10",
              .label_budget = LabelBudget::in_all,
              .top = "5:50:5",
              .scaling = ScalingKind::none,
              .views = Viewpoints::transfer}},
      Preset{"sbcs-2020",
             "Salmi, Hammouche, Macaire, Similarity-based constraint score, Knowledge-Based "
             "Systems 209, 2020",
             {.train_share = 0.5,
              .runs = 100,
              .labels_per_class = "3",
              .top = "all",
              .scaled_ranking = true,
              .views = Viewpoints::transfer}},
      Preset{"l2gfs-2013",
             "Hindawi, Benabdeslem, Local-to-global semi-supervised feature selection, CIKM 2013",
             {.train_share = 0.5,
              .runs = 10,
              .labels_per_class = "3",
              .top = "10:200:10",
              .classifier = Classifier::svm,
              .cost = std::nullopt,
              .cost_folds = 3,
              .scaling = ScalingKind::none,
              .views = Viewpoints::transfer,
              .kmeans = true},
             {{"restarts", "20"}}},
      Preset{"constraints-uci-2013",
             "Hindawi, thesis, INSA Lyon 2013, figures 3.16 and 3.17",
             {.train_share = 0.5,
              .labels_per_class = "10",
              .label_budget = LabelBudget::in_all,
              .top = "50%",
              .scaling = ScalingKind::none,
              .views = Viewpoints::transfer,
              .n_constraints = "5:45:5"}},
      Preset{"constraints-2013",
             "Hindawi, thesis, INSA Lyon 2013, figures 4.3 and 4.5; Hindawi, Benabdeslem, CIKM "
             "2013, figure 4",
             {.train_share = 0.5,
              .labels_per_class = "3",
              .top = "10",
              .classifier = Classifier::svm,
              .scaling = ScalingKind::none,
              .views = Viewpoints::transfer,
              .n_constraints = "5:50:5,all"}}};
  return all;
}

const Preset& find_preset(const std::string& name) {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
    names.emplace_back(preset.name);
  }
  detail::refuse_word(kOwner, "protocol", name, names);
}

Protocol with_settings(const Protocol& protocol, const OptionTexts& texts) {
  Protocol changed = protocol;
  std::vector<std::string> known;
  detail::for_each_field<Protocol>([&](const auto& field) {
    known.emplace_back(field.name);
    const auto text = texts.find(known.back());
    if (text != texts.end())
      detail::parse_into(field.access(changed), kOwner, field.name, field.unset_word, text->second);
  });
  for (const auto& [name, text] : texts)
    if (std::ranges::find(known, name) == known.end()) detail::refuse_option(kOwner, name, known);
  check_ranges(kOwner, changed);
  check_effects(changed, texts);
  label_counts(changed);
  lengths_for(changed, 1);
  constraint_counts(changed, 1);
  check_single_top(changed);
  return changed;
}

std::vector<Index> label_counts(const Protocol& protocol) {
  std::vector<Index> counts;
  for (const std::string& part : parts_of(protocol.labels_per_class, ',')) {
    counts.push_back(count_of(part));
    if (counts.back() < 1 || std::ranges::count(counts, counts.back()) > 1)
      throw InvalidArgument(
          fmt::format("{}: labels_per_class = '{}' must be one or several different integers >= 1, "
                      "as in 3,5",
                      kOwner, protocol.labels_per_class));
  }
  return counts;
}

std::vector<Index> lengths_for(const Protocol& protocol, Index n_features) {
  if (protocol.top == kAll) {
    std::vector<Index> lengths = all_indices(n_features);
    for (Index& length : lengths) ++length;
    return lengths;
  }
  return numbers_up_to(n_features, {"top", "features", protocol.top, /*takes_shares=*/true});
}

std::vector<Index> constraint_counts(const Protocol& protocol, Index n_pairs) {
  if (protocol.n_constraints == kNone) return {};
  return numbers_up_to(n_pairs, {"n_constraints", "pairs", protocol.n_constraints});
}

std::vector<Viewpoint> views_of(const Protocol& protocol) {
  switch (protocol.views) {
    case Viewpoints::transfer:
      return {Viewpoint::transfer};
    case Viewpoints::realistic:
      return {Viewpoint::realistic};
    case Viewpoints::both:
      return {Viewpoint::transfer, Viewpoint::realistic};
  }
  return {};
}

double test_rows_per_training_row(const NamedValues& settings) {
  OptionTexts texts;
  for (const auto& [name, value] : settings)
    if (name == "split" || name == "train_share" || name == "folds")
      texts.emplace(name, to_text(value));
  const Protocol protocol = parse_options<Protocol>("protocol", texts);
  switch (protocol.split) {
    case SplitKind::fraction:
      return (1.0 - protocol.train_share) / protocol.train_share;
    case SplitKind::first_half:
      return 1.0;
    case SplitKind::k_fold:
      return 1.0 / static_cast<double>(protocol.folds - 1);
  }
  return 0.0;
}

}  // namespace tamis
