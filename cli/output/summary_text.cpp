#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/console/screen_table.hpp"
#include "cli/output/summary_output.hpp"
#include "core/counted.hpp"
#include "evaluation/findings.hpp"
#include "evaluation/setting_words.hpp"

namespace tamis::cli {
namespace {

constexpr std::size_t kIndent = 2;

/// Names of methods, and a column of numbers for each of the other heads.
class MethodTable {
 public:
  explicit MethodTable(std::vector<std::string> heads) {
    for (std::string& head : heads) columns_.push_back({.head = std::move(head)});
    columns_.front().is_text = columns_.front().is_whole = true;
  }
  void add(std::vector<std::string> cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) columns_[c].cells.push_back(std::move(cells[c]));
  }
  std::string text(const Screen& screen) const {
    return ScreenTable(columns_, screen, kIndent).text();
  }

 private:
  std::vector<TableColumn> columns_ = {};
};

std::string with_deviation(double mean, double deviation) {
  return std::isnan(mean) ? "-" : fmt::format("{:.3f} ± {:.3f}", mean, deviation);
}

std::string at_length(const Curve& curve, Index length) {
  const auto place = std::ranges::find(curve.lengths, length) - curve.lengths.begin();
  if (place == std::ssize(curve.lengths)) return "-";
  return fmt::format("{} ({})", with_deviation(curve.mean[place], curve.deviation[place]), length);
}

/// Sentences, wrapped and indented like the table above them.
std::string in_words(const std::vector<std::string>& sentences, const Screen& screen) {
  if (sentences.empty()) return "";
  const std::string words = printable(fmt::format("{}", fmt::join(sentences, " ")));
  return fmt::format("{}{}\n", std::string(kIndent, ' '),
                     wrapped(words, kIndent, prose_width(screen)));
}

std::string title(std::string_view name, const std::string& setting, const Screen& screen) {
  return wrapped(fmt::format("{}: {}", styled(screen, "1", printable(name)), setting), kIndent,
                 prose_width(screen));
}

/// How well clusters of the test rows agree with their classes; nothing if there are none.
std::string kmeans_text(const DataSetSummary& data, const Screen& screen) {
  MethodTable columns({"k-means of test rows", "adjusted Rand", "Rand", "NMI"});
  bool is_empty = true;
  for (const MethodSummary& method : data.methods) {
    if (!method.kmeans) continue;
    const auto& [rand, adjusted, nmi] = *method.kmeans;
    columns.add({printable(method.method), with_deviation(adjusted.mean, adjusted.deviation),
                 with_deviation(rand.mean, rand.deviation),
                 with_deviation(nmi.mean, nmi.deviation)});
    is_empty = false;
  }
  return is_empty ? "" : columns.text(screen);
}

std::string data_set_text(const DataSetSummary& data, const ExperimentFacts& facts,
                          const Screen& screen) {
  MethodTable columns({"method", "accuracy", "within 1 SE (k)", "at the end (k)", "CPU ms"});
  Index runs = 0;
  for (const MethodSummary& method : data.methods) {
    const Curve& curve = method.curve;
    runs = std::max(runs, curve.runs + method.failures);
    columns.add(
        {printable(method.method) +
             (method.failures > 0 ? fmt::format(" ({} failed)", counted(method.failures, "run"))
                                  : ""),
         with_deviation(method.mean, method.deviation), at_length(curve, curve.one_error_choice),
         curve.lengths.empty() ? "-" : at_length(curve, curve.lengths.back()),
         !is_ranked(method.method) || std::isnan(method.cpu_seconds)
             ? "-"
             : fmt::format("{:.2f}", 1e3 * method.cpu_seconds)});
  }
  const std::string setting = fmt::format(
      "{}, {}", setting_words(facts, data.labels_per_class, data.n_constraints, data.view),
      counted(runs, "run"));
  return fmt::format("{}\n{}{}{}\n", title(data.data_set, setting, screen), columns.text(screen),
                     kmeans_text(data, screen), in_words(findings(data), screen));
}

/// Of several data sets.
std::string comparison_text(const Comparison& comparison, const ExperimentFacts& facts,
                            const Screen& screen) {
  if (!comparison.friedman) return "";
  const FriedmanTest& test = *comparison.friedman;
  const auto n_methods = comparison.methods.size();
  const auto random = static_cast<std::size_t>(
      std::ranges::find(comparison.methods, kRandomFeatures) - comparison.methods.begin());
  MethodTable columns({"method", "average rank", "win/tie/loss against random"});
  for (std::size_t place = 0; place < n_methods; ++place) {
    std::string counts = "-";
    if (!comparison.win_tie_loss.empty() && random < n_methods && place != random) {
      const auto& [wins, ties, losses] = comparison.win_tie_loss[place * n_methods + random];
      counts = fmt::format("{}/{}/{}", wins, ties, losses);
    }
    columns.add({comparison.methods[place], fmt::format("{:.3f}", test.average_ranks[place]),
                 std::move(counts)});
  }
  const std::string tests = fmt::format(
      "Ranks that are {:.3f} apart differ at level 0.05, {:.3f} at 0.10 (Nemenyi). All methods "
      "alike: p = {:.3g} (Friedman), {:.3g} (Iman-Davenport).",
      test.critical_difference_05, test.critical_difference_10, test.chi_square_p, test.f_p);
  std::string text = fmt::format("{}\n{}{}",
                                 title(counted(test.data_sets, "data set"),
                                       setting_words(facts, comparison.labels_per_class,
                                                     comparison.n_constraints, comparison.view),
                                       screen),
                                 columns.text(screen), in_words({tests}, screen));
  return text + in_words(limits_of(comparison), screen) + '\n';
}

}  // namespace

std::string summary_text(const ExperimentFacts& facts, const Summary& summary,
                         const Screen& screen) {
  std::string text;
  for (const DataSetSummary& data : summary.data_sets) text += data_set_text(data, facts, screen);
  for (const Comparison& comparison : summary.comparisons)
    text += comparison_text(comparison, facts, screen);
  return text +
         wrapped(
             "accuracy: mean over all numbers of features k, ± standard deviation over "
             "the runs; within 1 SE: at the fewest features whose mean is within one "
             "standard error of the best; CPU ms: of one ranking",
             0, prose_width(screen)) +
         '\n';
}

}  // namespace tamis::cli
