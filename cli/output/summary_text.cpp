#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/console/run_report.hpp"
#include "cli/output/summary_output.hpp"
#include "evaluation/findings.hpp"

namespace tamis::cli {
namespace {

/// Cells in columns: the first to the left, the others to the right.
class Columns {
 public:
  explicit Columns(std::vector<std::string> header) { add(std::move(header)); }
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  std::string text() const {
    std::vector<std::size_t> widths(rows_.front().size(), 0);
    for (const auto& row : rows_)
      for (std::size_t c = 0; c < row.size(); ++c)
        widths[c] = std::max(widths[c], display_width(row[c]));
    std::string lines;
    for (const auto& row : rows_) {
      lines += "  " + fitted(row.front(), widths.front());
      for (std::size_t c = 1; c < row.size(); ++c)
        lines += "  " + std::string(widths[c] - display_width(row[c]), ' ') + row[c];
      lines.erase(lines.find_last_not_of(' ') + 1);
      lines += '\n';
    }
    return lines;
  }

 private:
  std::vector<std::vector<std::string>> rows_ = {};
};

std::string with_deviation(double mean, double deviation) {
  return std::isnan(mean) ? "-" : fmt::format("{:.3f} ± {:.3f}", mean, deviation);
}

std::string at_length(const Curve& curve, Index length) {
  const auto place = std::ranges::find(curve.lengths, length) - curve.lengths.begin();
  if (place == std::ssize(curve.lengths)) return "-";
  return fmt::format("{} ({})", with_deviation(curve.mean[place], curve.deviation[place]), length);
}

std::string setting_words(Index labels, Viewpoint view, const ExperimentFacts& facts) {
  const auto budget = std::ranges::find(facts.settings, "label_budget",
                                        [](const auto& entry) { return entry.first; });
  const bool is_in_all = budget != facts.settings.end() && to_text(budget->second) == "in_all";
  return fmt::format("{} {}, {} view", counted(labels, "label"), is_in_all ? "in all" : "per class",
                     word_of(view));
}

/// Sentences, wrapped and indented like the table above them.
std::string in_words(const std::vector<std::string>& sentences) {
  if (sentences.empty()) return "";
  return fmt::format("  {}\n", wrapped(fmt::format("{}", fmt::join(sentences, " ")), 2, 100));
}

std::string data_set_text(const DataSetSummary& data, const ExperimentFacts& facts,
                          const Screen& screen) {
  Columns columns({"method", "accuracy", "within 1 SE (k)", "at the end (k)", "CPU ms"});
  Index runs = 0;
  for (const MethodSummary& method : data.methods) {
    const Curve& curve = method.curve;
    runs = std::max(runs, curve.runs + method.failures);
    columns.add({method.method + (method.failures > 0
                                      ? fmt::format(" ({} failed)", counted(method.failures, "run"))
                                      : ""),
                 with_deviation(method.mean, method.deviation),
                 at_length(curve, curve.one_error_choice),
                 curve.lengths.empty() ? "-" : at_length(curve, curve.lengths.back()),
                 !is_ranked(method.method) || std::isnan(method.cpu_seconds)
                     ? "-"
                     : fmt::format("{:.2f}", 1e3 * method.cpu_seconds)});
  }
  return fmt::format("{}: {}, {}\n{}{}\n", styled(screen, "1", data.data_set),
                     setting_words(data.labels_per_class, data.view, facts), counted(runs, "run"),
                     columns.text(), in_words(findings(data)));
}

/// Of several data sets.
std::string comparison_text(const Comparison& comparison, const ExperimentFacts& facts,
                            const Screen& screen) {
  if (!comparison.friedman) return "";
  const FriedmanTest& test = *comparison.friedman;
  const auto n_methods = comparison.methods.size();
  const auto random = static_cast<std::size_t>(
      std::ranges::find(comparison.methods, kRandomFeatures) - comparison.methods.begin());
  Columns columns({"method", "average rank", "win/tie/loss against random"});
  for (std::size_t place = 0; place < n_methods; ++place) {
    std::string counts = "-";
    if (!comparison.win_tie_loss.empty() && random < n_methods && place != random) {
      const auto& [wins, ties, losses] = comparison.win_tie_loss[place * n_methods + random];
      counts = fmt::format("{}/{}/{}", wins, ties, losses);
    }
    columns.add({comparison.methods[place], fmt::format("{:.3f}", test.average_ranks[place]),
                 std::move(counts)});
  }
  return fmt::format(
      "{}: {}\n{}  Ranks that are {:.3f} apart differ at level 0.05, {:.3f} at 0.10 (Nemenyi). All "
      "methods alike: p = {:.3g} (Friedman), {:.3g} (Iman-Davenport).\n{}\n",
      styled(screen, "1", counted(test.data_sets, "data set")),
      setting_words(comparison.labels_per_class, comparison.view, facts), columns.text(),
      test.critical_difference_05, test.critical_difference_10, test.chi_square_p, test.f_p,
      in_words(limits_of(comparison)));
}

}  // namespace

std::string summary_text(const ExperimentFacts& facts, const Summary& summary,
                         const Screen& screen) {
  std::string text;
  for (const DataSetSummary& data : summary.data_sets) text += data_set_text(data, facts, screen);
  for (const Comparison& comparison : summary.comparisons)
    text += comparison_text(comparison, facts, screen);
  return text +
         "accuracy: mean over all numbers of features k, ± standard deviation over the runs; "
         "within "
         "1 SE: at the\nfewest features whose mean is within one standard error of the best; CPU "
         "ms: "
         "of one ranking\n";
}

}  // namespace tamis::cli
