#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "cli/output/output.hpp"
#include "cli/output/ranking_output.hpp"
#include "results/feature_fates.hpp"

namespace tamis::cli {
namespace {

/// How a list of features is written for another program.
struct Style {
  std::string_view separator;
  std::string_view undefined;
  bool has_column_numbers;
  bool has_quotes;
};

class Writer {
 public:
  Writer(const RankingRun& run, const std::vector<Index>& columns, const Style& style)
      : run_(run), columns_(columns), style_(style), fates_(fates_of(run)) {}

  std::string text() const {
    std::string lines = line(header());
    Index rank = 0;
    for (const Index feature : columns_) lines += line(cells(++rank, feature));
    return lines;
  }

 private:
  std::vector<std::string> header() const {
    std::vector<std::string> names{"rank", "feature"};
    if (style_.has_column_numbers) names.emplace_back("column");
    names.emplace_back("score");
    if (run_.ranking.committee)
      names.insert(names.end(),
                   {"draws", "mean", "place", "place_low", "place_high", "best_share"});
    if (run_.ranking.diversity) names.insert(names.end(), {"gain", "nearest", "correlation"});
    if (run_.ranking.relevance) names.insert(names.end(), {"q", "part"});
    if (!fates_.empty()) names.emplace_back("fate");
    return names;
  }

  std::vector<std::string> cells(Index rank, Index feature) const {
    std::vector<std::string> all{std::to_string(rank), word(run_.names[feature])};
    if (style_.has_column_numbers) all.push_back(std::to_string(feature));
    all.push_back(number_text(run_.ranking.scores[feature]));
    if (const auto& committee = run_.ranking.committee) {
      all.push_back(std::to_string(committee->draws[feature]));
      all.push_back(number_text(committee->mean[feature]));
      all.push_back(std::to_string(committee->place[feature]));
      for (const auto* const values :
           {&committee->place_low, &committee->place_high, &committee->best_share})
        all.push_back(number_text((*values)[feature]));
    }
    if (const auto& diversity = run_.ranking.diversity) {
      const std::optional<Index>& nearest = diversity->nearest[feature];
      all.push_back(number_text(diversity->gain[feature]));
      all.push_back(nearest ? word(run_.names[*nearest]) : "");
      all.push_back(nearest ? number_text(diversity->correlation[feature]) : "");
    }
    if (const auto& relevance = run_.ranking.relevance) {
      all.push_back(number_text(relevance->q[feature]));
      all.emplace_back(relevance->part[feature] ? word_of(*relevance->part[feature]) : "");
    }
    if (!fates_.empty()) all.push_back(word(fates_[feature]));
    return all;
  }

  std::string word(const std::string& text) const {
    return style_.has_quotes ? csv_cell(text) : printable(text);
  }
  std::string number_text(double value) const {
    return std::isnan(value) ? std::string(style_.undefined) : fmt::format("{}", value);
  }
  std::string line(const std::vector<std::string>& cells) const {
    return fmt::format("{}\n", fmt::join(cells, style_.separator));
  }

  const RankingRun& run_;
  const std::vector<Index>& columns_;
  const Style& style_;
  std::vector<std::string> fates_;
};

}  // namespace

std::vector<std::string> fates_of(const RankingRun& run) {
  return feature_fates(run.ranking, [&](Index column) { return run.names[column]; });
}

std::string ranking_csv(const RankingRun& run, const std::vector<Index>& columns) {
  constexpr Style kCsv{
      .separator = ",", .undefined = "", .has_column_numbers = true, .has_quotes = true};
  return Writer(run, columns, kCsv).text();
}

std::string ranking_text(const RankingRun& run) {
  constexpr Style kTabs{.separator = "\t",
                        .undefined = "undefined",
                        .has_column_numbers = false,
                        .has_quotes = false};
  return Writer(run, run.listed, kTabs).text();
}

}  // namespace tamis::cli
