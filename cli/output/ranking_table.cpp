#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/console/screen_table.hpp"
#include "cli/output/ranking_output.hpp"
#include "cli/output/score_bars.hpp"

namespace tamis::cli {
namespace {

constexpr std::size_t kShownOnATerminal = 20;
constexpr std::size_t kRemovedOnATerminal = 10;
constexpr std::size_t kGap = 2;
constexpr std::size_t kShortestBar = 4;
constexpr std::size_t kLongestBar = 40;

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

template <class Cell>
TableColumn column_of(std::string head, std::span<const Index> shown, Cell&& cell) {
  TableColumn column{.head = std::move(head)};
  for (const Index feature : shown) column.cells.push_back(cell(feature));
  return column;
}

template <class Cell>
TableColumn text_column(std::string head, std::span<const Index> shown, Cell&& cell) {
  TableColumn column = column_of(std::move(head), shown, std::forward<Cell>(cell));
  column.is_text = true;
  return column;
}

/// How sure an ensemble is. The place is that of its own ranking, also where the table has another
/// order.
void add_committee(const Committee& committee, std::span<const Index> shown,
                   std::vector<TableColumn>& columns) {
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
                   std::vector<TableColumn>& columns) {
  columns.push_back(column_of("q", shown, [&](Index feature) {
    const double q = relevance.q[feature];
    return std::isnan(q) ? "" : fmt::format("{:.2g}", q);
  }));
  columns.push_back(column_of("part", shown, [&](Index feature) {
    return std::string(relevance.part[feature] ? word_of(*relevance.part[feature]) : "");
  }));
}

/// Why features stand where they do that were put into another order.
void add_diversity(const RankingRun& run, std::span<const Index> shown,
                   std::vector<TableColumn>& columns) {
  const Diversity& diversity = *run.ranking.diversity;
  const ScoreFormat format(diversity.gain, shown);
  columns.push_back(column_of("adds", shown, [&](Index feature) {
    return std::isnan(diversity.gain[feature]) ? "" : format(diversity.gain[feature]);
  }));
  columns.push_back(text_column("nearest above", shown, [&](Index feature) {
    const std::optional<Index>& nearest = diversity.nearest[feature];
    return nearest ? fmt::format("{:.2f} {}", diversity.correlation[feature],
                                 printable(run.names[*nearest]))
                   : std::string();
  }));
}

TableColumn rank_column(std::span<const std::size_t> places) {
  TableColumn column{.head = "rank",
                     .style = [](const std::string&) { return std::string_view("2"); }};
  for (const std::size_t place : places) column.cells.push_back(std::to_string(place + 1));
  return column;
}

/// `widest_name` leaves room for more than names.
std::vector<TableColumn> columns_of(const RankingRun& run, std::span<const std::size_t> places,
                                    std::span<const Index> shown, std::size_t widest_name) {
  std::vector<TableColumn> columns{rank_column(places)};
  columns.push_back(text_column("feature", shown, [&](Index feature) {
    return shortened(printable(run.names[feature]), widest_name);
  }));
  const ScoreFormat format(run.ranking.scores, shown);
  columns.push_back(column_of("score", shown,
                              [&](Index feature) { return format(run.ranking.scores[feature]); }));
  if (run.ranking.committee) add_committee(*run.ranking.committee, shown, columns);
  if (run.ranking.diversity) add_diversity(run, shown, columns);
  if (run.ranking.relevance) add_relevance(*run.ranking.relevance, shown, columns);
  const std::vector<std::string> fates = fates_of(run);
  if (fates.empty()) return columns;
  columns.push_back(
      text_column("", shown, [&](Index feature) { return printable(fates[feature]); }));
  columns.back().style = [](const std::string& fate) {
    return std::string_view(fate == "kept" ? "32" : "2");
  };
  return columns;
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

/// The room for bars beside a table, 0 if there is too little.
std::size_t bar_width(const ScreenTable& table) {
  const std::size_t room = table.room();
  return room < kGap + kShortestBar ? 0 : std::min(kLongestBar, room - kGap);
}

std::string heading(const ScreenTable& table, const std::string& bar_head, const Screen& screen) {
  const std::string heads = styled(screen, "1", table.heading());
  return without_trailing_spaces(heads + "  " + styled(screen, "2", bar_head)) + '\n';
}

}  // namespace

std::string ranking_table(const RankingRun& run, const Screen& screen, bool shows_all) {
  const std::vector<std::size_t> places = shown_places(run, shows_all);
  std::vector<Index> shown(places.size());
  std::ranges::transform(places, shown.begin(),
                         [&](std::size_t place) { return run.listed[place]; });
  const ScreenTable table(
      columns_of(run, places, shown, static_cast<std::size_t>(screen.width) / 2), screen);
  const ScoreBars bars(run.ranking, shown);
  const std::size_t width = bar_width(table);
  std::string text = "\n";  // apart from the words on stderr
  text += heading(table, bars.head(width), screen);
  for (std::size_t line = 0; line < places.size(); ++line) {
    if (line > 0 && places[line] != places[line - 1] + 1)
      text += styled(screen, "2", "   …") + '\n';
    const double share = bars.share(shown[line]);
    const std::string bar = unicode_bar(share, static_cast<int>(width));
    text += without_trailing_spaces(table.line(line) + "  " +
                                    styled(screen, ScoreBars::style(share), bar)) +
            '\n';
  }
  text += table.left_out_note();
  if (places.size() < run.listed.size()) {
    const std::size_t hidden = run.listed.size() - places.size();
    text += styled(screen, "2", fmt::format("   …  {} more; --top all shows them", hidden)) + '\n';
  }
  return text;
}

}  // namespace tamis::cli
