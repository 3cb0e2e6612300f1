#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "cli/output/ranking_output.hpp"

namespace tamis::cli {
namespace {

constexpr std::size_t kShownOnATerminal = 20;
constexpr std::size_t kRemovedOnATerminal = 10;
constexpr int kLongestBar = 40;
constexpr std::size_t kGap = 2;
constexpr std::size_t kRankWidth = 4;
constexpr std::string_view kBarHead = "from worst to best";

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

/// A column of the table, with a cell for each feature shown.
struct Column {
  std::string head;
  std::vector<std::string> cells = {};
  bool is_text = false;
  std::size_t width = 0;

  void fit() {
    width = display_width(head);
    for (const std::string& cell : cells) width = std::max(width, display_width(cell));
  }
  std::string aligned(const std::string& cell) const {
    if (is_text) return fitted(cell, width);
    return std::string(width - display_width(cell), ' ') + cell;
  }
};

template <class Cell>
Column column_of(std::string head, std::span<const Index> shown, Cell&& cell) {
  Column column{.head = std::move(head)};
  for (const Index feature : shown) column.cells.push_back(cell(feature));
  column.fit();
  return column;
}

/// How sure an ensemble is. The place is that of its own ranking, also where the table has another
/// order.
void add_committee(const Committee& committee, std::span<const Index> shown,
                   std::vector<Column>& columns) {
  if (committee.has_intervals())
    columns.push_back(column_of("place (5–95 %)", shown, [&](Index feature) {
      const double low = committee.place_low[feature];
      return std::isnan(low) ? ""
                             : fmt::format("{} ({}–{})", committee.place[feature], low,
                                           committee.place_high[feature]);
    }));
  columns.push_back(column_of(
      "draws", shown, [&](Index feature) { return std::to_string(committee.draws[feature]); }));
  columns.push_back(column_of("in best 10 %", shown, [&](Index feature) {
    const double share = committee.best_share[feature];
    return std::isnan(share) ? "" : fmt::format("{:.0f} %", 100.0 * share);
  }));
}

/// How sure features are, and what that makes of them.
void add_relevance(const Relevance& relevance, std::span<const Index> shown,
                   std::vector<Column>& columns) {
  columns.push_back(column_of("q", shown, [&](Index feature) {
    const double q = relevance.q[feature];
    return std::isnan(q) ? "" : fmt::format("{:.2g}", q);
  }));
  columns.push_back(column_of("part", shown, [&](Index feature) {
    return std::string(relevance.part[feature] ? word_of(*relevance.part[feature]) : "");
  }));
}

std::vector<Column> columns_of(const RankingRun& run, std::span<const Index> shown) {
  std::vector<Column> columns;
  columns.push_back(column_of(
      "feature", shown, [&](Index feature) { return run.data.problem.feature_names[feature]; }));
  const ScoreFormat format(run.ranking.scores, shown);
  columns.push_back(column_of("score", shown,
                              [&](Index feature) { return format(run.ranking.scores[feature]); }));
  if (run.ranking.committee) add_committee(*run.ranking.committee, shown, columns);
  if (run.ranking.relevance) add_relevance(*run.ranking.relevance, shown, columns);
  const std::vector<std::string> fate = fates(run);
  if (!fate.empty())
    columns.push_back(column_of("", shown, [&](Index feature) { return fate[feature]; }));
  columns.front().is_text = true;
  columns.back().is_text = columns.back().head.empty();
  return columns;
}

/// Cuts long names where the screen is narrow; returns the room for bars, 0 if there is too little.
int fit_to_screen(std::vector<Column>& columns, const Screen& screen) {
  const auto screen_width = static_cast<std::size_t>(std::max(screen.width, 40));
  std::size_t used = kRankWidth + kGap;
  for (const Column& column : columns) used += column.width + kGap;
  Column& name = columns.front();
  const std::size_t others = used - name.width;
  const std::size_t room = std::max<std::size_t>(screen_width, others + name.head.size()) - others;
  name.width = std::min({name.width, screen_width / 2, room});
  used = others + name.width;
  return used + 4 < screen_width ? std::min(kLongestBar, static_cast<int>(screen_width - used)) : 0;
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

std::string heading(const std::vector<Column>& columns, int bar_width, const Screen& screen) {
  std::string text = "rank";
  for (const Column& column : columns) text += "  " + column.aligned(column.head);
  text = styled(screen, "1", text);
  if (bar_width >= static_cast<int>(kBarHead.size())) text += "  " + styled(screen, "2", kBarHead);
  return text + '\n';
}

std::string line_of(const std::vector<Column>& columns, std::size_t line, const Screen& screen) {
  std::string text;
  for (const Column& column : columns) {
    const std::string cell = column.aligned(column.cells[line]);
    const bool is_fate = column.head.empty();
    text += "  ";
    text += is_fate ? styled(screen, column.cells[line] == "kept" ? "32" : "2", cell) : cell;
  }
  return text;
}

}  // namespace

std::string ranking_table(const RankingRun& run, const Screen& screen, bool shows_all) {
  const std::vector<std::size_t> places = shown_places(run, shows_all);
  std::vector<Index> shown(places.size());
  std::ranges::transform(places, shown.begin(),
                         [&](std::size_t place) { return run.listed[place]; });
  std::vector<Column> columns = columns_of(run, shown);
  const int bar_width = fit_to_screen(columns, screen);
  const Goodness goodness(run.ranking);
  std::string text = "\n";  // apart from the words on stderr
  text += heading(columns, bar_width, screen);
  for (std::size_t line = 0; line < places.size(); ++line) {
    if (line > 0 && places[line] != places[line - 1] + 1)
      text += styled(screen, "2", "   …") + '\n';
    const double good = goodness.of(shown[line]);
    text += styled(screen, "2", fmt::format("{:4}", places[line] + 1));
    text += line_of(columns, line, screen) + "  ";
    text += styled(screen, bar_style(good), unicode_bar(good, bar_width)) + '\n';
  }
  if (places.size() < run.listed.size()) {
    const std::size_t hidden = run.listed.size() - places.size();
    text += styled(screen, "2", fmt::format("   …  {} more; --top all shows them", hidden)) + '\n';
  }
  return text;
}

}  // namespace tamis::cli
