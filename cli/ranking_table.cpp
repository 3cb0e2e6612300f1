#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "cli/output.hpp"
#include "cli/ranking_output.hpp"

namespace tamis::cli {
namespace {

constexpr std::size_t kShownOnATerminal = 20;
constexpr std::size_t kRemovedOnATerminal = 10;
constexpr int kLongestBar = 40;

/// What became of each feature, if the method chose a subset; else nothing.
std::vector<std::string> fates(const RankingRun& run) {
  const Ranking& ranking = run.ranking;
  if (!ranking.subset) return {};
  std::vector<std::string> of(ranking.scores.size());
  for (const Index column : *ranking.subset) of[column] = "kept";
  if (ranking.redundancy)
    for (const auto& [feature, because_of, correlation] : ranking.redundancy->removed)
      of[feature] = fmt::format("removed: repeats {}, |rho| {:.2f}",
                                run.data.problem.feature_names[because_of], correlation);
  return of;
}

/// Scores under each other: as many decimals as give the smallest of them four digits, or
/// scientific if that is too many.
class ScoreFormat {
 public:
  ScoreFormat(const std::vector<double>& scores, std::span<const Index> shown) {
    double largest = 0.0;
    double smallest = HUGE_VAL;
    for (const Index column : shown) {
      const double size = std::abs(scores[column]);
      if (!std::isfinite(size) || size == 0.0) continue;
      largest = std::max(largest, size);
      smallest = std::min(smallest, size);
    }
    if (largest == 0.0) return;
    decimals_ = std::max(0, kDigits - 1 - static_cast<int>(std::floor(std::log10(smallest))));
    is_scientific_ = decimals_ > kMostDecimals || largest >= 1e7;
  }
  std::string operator()(double score) const {
    if (std::isnan(score)) return "undefined";
    if (is_scientific_) return fmt::format("{:.3e}", score);
    return fmt::format("{:.{}f}", score, decimals_);
  }

 private:
  static constexpr int kDigits = 4;
  static constexpr int kMostDecimals = 8;
  int decimals_ = 0;
  bool is_scientific_ = false;
};

/// Where a score stands between the worst (0) and the best (1) of all finite ones.
class Goodness {
 public:
  explicit Goodness(const Ranking& ranking) : ranking_(ranking) {
    const bool is_lower = ranking.better == Better::lower;
    for (const double score : ranking.scores) {
      if (!std::isfinite(score)) continue;
      best_ = is_lower ? std::fmin(best_, score) : std::fmax(best_, score);
      worst_ = is_lower ? std::fmax(worst_, score) : std::fmin(worst_, score);
    }
  }
  double of(Index column) const {
    const double score = ranking_.scores[column];
    if (std::isnan(score)) return 0.0;
    if (std::isinf(score)) return (score > 0) == (ranking_.better == Better::higher) ? 1.0 : 0.0;
    return best_ == worst_ ? 1.0 : (score - worst_) / (best_ - worst_);
  }

 private:
  const Ranking& ranking_;
  double best_ = kUndefined;
  double worst_ = kUndefined;
};

std::string_view bar_style(double goodness) {
  static constexpr std::array<std::string_view, 4> kFromDarkToBright{"38;5;24", "38;5;31",
                                                                     "38;5;38", "38;5;45"};
  return kFromDarkToBright[static_cast<std::size_t>(std::clamp(goodness * 4.0, 0.0, 3.0))];
}

struct Widths {
  std::size_t name = 7;
  std::size_t score = 5;
  std::size_t fate = 0;
  int bar = 0;
};

Widths widths_of(const RankingRun& run, std::span<const Index> shown, const ScoreFormat& format,
                 const std::vector<std::string>& fate, const Screen& screen) {
  Widths widths;
  for (const Index column : shown) {
    widths.name = std::max(widths.name, display_width(run.data.problem.feature_names[column]));
    widths.score = std::max(widths.score, format(run.ranking.scores[column]).size());
    if (!fate.empty()) widths.fate = std::max(widths.fate, display_width(fate[column]));
  }
  const auto screen_width = static_cast<std::size_t>(std::max(screen.width, 40));
  widths.name = std::min(widths.name, screen_width / 2);
  const std::size_t used =
      6 + widths.name + 2 + widths.score + 2 + (widths.fate == 0 ? 0 : widths.fate + 2);
  if (used + 4 < screen_width)
    widths.bar = std::min(kLongestBar, static_cast<int>(screen_width - used - 1));
  return widths;
}

/// Which places of the list a table shows: the best, and the first that were removed.
std::vector<std::size_t> shown_places(const RankingRun& run, bool shows_all) {
  const std::size_t all = run.listed.size();
  std::vector<std::size_t> places(shows_all ? all : std::min(all, kShownOnATerminal));
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (shows_all || !run.ranking.redundancy) return places;
  const std::size_t kept = run.ranking.subset->size();
  const std::size_t removed = std::min(run.ranking.redundancy->removed.size(), kRemovedOnATerminal);
  for (std::size_t place = std::max(kept, places.size()); place < kept + removed; ++place)
    places.push_back(place);
  return places;
}

std::string heading(const Widths& widths, const Screen& screen) {
  std::string text = styled(
      screen, "1",
      fmt::format("rank  {}  {:>{}}", fitted("feature", widths.name), "score", widths.score));
  if (widths.fate > 0) text += fitted("", widths.fate + 2);
  if (widths.bar > 0) text += styled(screen, "2", "  from worst to best");
  return text + '\n';
}

}  // namespace

std::string ranking_csv(const RankingRun& run) {
  const std::vector<std::string> fate = fates(run);
  std::string text = fmt::format("rank,feature,column,score{}\n", fate.empty() ? "" : ",fate");
  Index rank = 0;
  for (const Index column : run.listed) {
    const double score = run.ranking.scores[column];
    text += fmt::format("{},{},{},{}", ++rank, csv_cell(run.data.problem.feature_names[column]),
                        column, std::isnan(score) ? "" : fmt::format("{}", score));
    if (!fate.empty()) text += ',' + csv_cell(fate[column]);
    text += '\n';
  }
  return text;
}

std::string ranking_text(const RankingRun& run) {
  const std::vector<std::string> fate = fates(run);
  std::string text = fmt::format("rank\tfeature\tscore{}\n", fate.empty() ? "" : "\tfate");
  Index rank = 0;
  for (const Index column : run.listed) {
    const double score = run.ranking.scores[column];
    text += fmt::format("{}\t{}\t{}", ++rank, run.data.problem.feature_names[column],
                        std::isnan(score) ? "undefined" : fmt::format("{}", score));
    if (!fate.empty()) text += '\t' + fate[column];
    text += '\n';
  }
  return text;
}

std::string ranking_table(const RankingRun& run, const Screen& screen, bool shows_all) {
  const std::vector<std::size_t> places = shown_places(run, shows_all);
  std::vector<Index> shown;
  for (const std::size_t place : places) shown.push_back(run.listed[place]);
  const ScoreFormat format(run.ranking.scores, shown);
  const std::vector<std::string> fate = fates(run);
  const Widths widths = widths_of(run, shown, format, fate, screen);
  const Goodness goodness(run.ranking);
  std::string text = "\n";  // apart from the words on stderr
  text += heading(widths, screen);
  std::size_t next = 0;
  for (const std::size_t place : places) {
    if (place != next) text += styled(screen, "2", "   …") + '\n';
    next = place + 1;
    const Index column = run.listed[place];
    const double good = goodness.of(column);
    text += fmt::format("{}  {}  {:>{}}  ", styled(screen, "2", fmt::format("{:4}", next)),
                        fitted(run.data.problem.feature_names[column], widths.name),
                        format(run.ranking.scores[column]), widths.score);
    if (widths.fate > 0)
      text += styled(screen, fate[column] == "kept" ? "32" : "2",
                     fitted(fate[column], widths.fate + 2));
    text += styled(screen, bar_style(good), unicode_bar(good, widths.bar)) + '\n';
  }
  if (places.size() < run.listed.size()) {
    const std::size_t hidden = run.listed.size() - places.size();
    text += styled(screen, "2", fmt::format("   …  {} more; --top all shows them", hidden)) + '\n';
  }
  return text;
}

}  // namespace tamis::cli
