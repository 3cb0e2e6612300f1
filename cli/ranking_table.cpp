#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/ranking_output.hpp"

namespace tamis::cli {
namespace {

constexpr std::size_t kShownOnATerminal = 20;
constexpr int kLongestBar = 40;

std::span<const Index> listed(const RankingRun& run) {
  return run.selected ? *run.selected : run.ranking.order;
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
    for (const Index column : ranking.order) {
      const double score = ranking.scores[column];
      if (!std::isfinite(score)) continue;
      if (std::isnan(best_)) best_ = score;
      worst_ = score;
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

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

struct Widths {
  std::size_t name = 7;
  std::size_t score = 5;
  int bar = 0;
};

Widths widths_of(const RankingRun& run, std::span<const Index> shown, const ScoreFormat& format,
                 const Screen& screen) {
  Widths widths;
  for (const Index column : shown) {
    widths.name = std::max(widths.name, display_width(run.data.problem.feature_names[column]));
    widths.score = std::max(widths.score, format(run.ranking.scores[column]).size());
  }
  const auto screen_width = static_cast<std::size_t>(std::max(screen.width, 40));
  widths.name = std::min(widths.name, screen_width / 2);
  const std::size_t used = 6 + widths.name + 2 + widths.score + 2;
  if (used + 4 < screen_width)
    widths.bar = std::min(kLongestBar, static_cast<int>(screen_width - used - 1));
  return widths;
}

}  // namespace

std::string ranking_csv(const RankingRun& run) {
  std::string text = "rank,feature,column,score\n";
  Index rank = 0;
  for (const Index column : listed(run)) {
    const double score = run.ranking.scores[column];
    text += fmt::format("{},{},{},{}\n", ++rank, csv_cell(run.data.problem.feature_names[column]),
                        column, std::isnan(score) ? "" : fmt::format("{}", score));
  }
  return text;
}

std::string ranking_text(const RankingRun& run) {
  std::string text = "rank\tfeature\tscore\n";
  Index rank = 0;
  for (const Index column : listed(run)) {
    const double score = run.ranking.scores[column];
    text += fmt::format("{}\t{}\t{}\n", ++rank, run.data.problem.feature_names[column],
                        std::isnan(score) ? "undefined" : fmt::format("{}", score));
  }
  return text;
}

std::string ranking_table(const RankingRun& run, const Screen& screen, bool shows_all) {
  const std::span<const Index> all = listed(run);
  const auto shown = shows_all ? all : all.first(std::min(all.size(), kShownOnATerminal));
  const ScoreFormat format(run.ranking.scores, shown);
  const Widths widths = widths_of(run, shown, format, screen);
  const Goodness goodness(run.ranking);
  std::string text = "\n";  // apart from the words on stderr
  text += styled(
      screen, "1",
      fmt::format("rank  {}  {:>{}}", fitted("feature", widths.name), "score", widths.score));
  if (widths.bar > 0) text += styled(screen, "2", "  from worst to best");
  text += '\n';
  Index rank = 0;
  for (const Index column : shown) {
    const double good = goodness.of(column);
    text += fmt::format("{}  {}  {:>{}}  {}\n", styled(screen, "2", fmt::format("{:4}", ++rank)),
                        fitted(run.data.problem.feature_names[column], widths.name),
                        format(run.ranking.scores[column]), widths.score,
                        styled(screen, bar_style(good), unicode_bar(good, widths.bar)));
  }
  if (shown.size() < all.size()) {
    const std::size_t hidden = all.size() - shown.size();
    text += styled(screen, "2", fmt::format("   …  {} more; --top all shows them", hidden)) + '\n';
  }
  return text;
}

}  // namespace tamis::cli
