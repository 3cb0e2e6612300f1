#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/output/clustering_output.hpp"
#include "cli/output/output.hpp"
#include "clustering/som/som.hpp"
#include "results/json_fields.hpp"

namespace tamis::cli {
namespace {

/// A self-organizing map as the program shows it.
class MapResult : public ClusteringResult {
 public:
  explicit MapResult(const ClusteringOutcome& outcome)
      : table_(outcome.table),
        rows_(outcome.rows),
        found_(outcome.run.clustering),
        sheet_(*outcome.run.map),
        hits_(sheet_.n_units(), 0),
        heights_(neighbor_distances(sheet_, found_.centroids, table_.cols)) {
    for (const Index unit : found_.clusters) ++hits_[unit];
  }

  std::vector<std::string> summary() const override;
  std::string picture(const Screen& screen) const override;
  std::string csv() const override;
  void add_to(Json& object) const override;

 private:
  const ClusteredTable& table_;
  const std::vector<Index>& rows_;
  const Clustering& found_;
  const SomSheet& sheet_;
  std::vector<Index> hits_;
  std::vector<double> heights_;  // of the U-matrix
};

std::vector<std::string> MapResult::summary() const {
  const auto empty = std::ranges::count(hits_, Index{0});
  return {fmt::format("map of {} x {} = {} units, quantization error {:.4g} after {} epochs",
                      sheet_.sheet_rows, sheet_.sheet_cols, sheet_.n_units(),
                      sheet_.quantization_error, sheet_.error_by_epoch.size()),
          fmt::format("{} to {} of {} rows at a unit, {} of {} units without any",
                      std::ranges::min(hits_), std::ranges::max(hits_), rows_.size(), empty,
                      sheet_.n_units())};
}

/// The U-matrix: two cells per unit, odd rows shifted by one, so that neighbours touch.
std::string MapResult::picture(const Screen& screen) const {
  static constexpr std::array<std::string_view, 5> kShades{"  ", "░░", "▒▒", "▓▓", "██"};
  if (2 * sheet_.sheet_cols + 1 > screen.width)
    return fmt::format("\nthe map is wider than the screen: {} of {} characters\n",
                       2 * sheet_.sheet_cols + 1, screen.width);
  const auto [low, high] = std::ranges::minmax(heights_);
  std::string text = fmt::format(
      "\n{}\n",
      wrapped(fmt::format("{} from {:.3g} (light) to {:.3g} (dark: borders)",
                          styled(screen, "1", "distances between neighbouring units"), low, high),
              2, prose_width(screen)));
  for (Index r = 0; r < sheet_.sheet_rows; ++r) {
    std::string line = r % 2 == 1 ? " " : "";
    for (Index c = 0; c < sheet_.sheet_cols; ++c) {
      const double height = heights_[r * sheet_.sheet_cols + c];
      const double share = high > low ? (height - low) / (high - low) : 0.0;
      line += kShades[static_cast<std::size_t>(std::min(4.0, share * 5.0))];
    }
    text += styled(screen, "38;5;45", line) + '\n';
  }
  return text;
}

std::string MapResult::csv() const {
  std::string text = fmt::format("{},unit,map_row,map_column\n", row_header(table_.known));
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    const Index unit = found_.clusters[s];
    text += fmt::format("{},{},{},{}\n", csv_cell(name_in_file(table_.known, rows_[s])), unit,
                        unit / sheet_.sheet_cols, unit % sheet_.sheet_cols);
  }
  return text;
}

void MapResult::add_to(Json& object) const {
  Json coordinates = Json::array();
  for (Index unit = 0; unit < sheet_.n_units(); ++unit) {
    const SheetPoint point = sheet_point(sheet_, unit);
    coordinates.push_back(Json::array({point.across, point.down}));
  }
  object["map"] = {{"rows", sheet_.sheet_rows}, {"cols", sheet_.sheet_cols}};
  object["codebook"] = lines_json(found_.centroids, table_.cols);
  object["coordinates"] = std::move(coordinates);
  object["best_units"] = found_.clusters;
  object["hits"] = hits_;
  object["u_matrix"] = heights_;
  object["quantization_error"] = sheet_.quantization_error;
  object["error_by_epoch"] = sheet_.error_by_epoch;
}

}  // namespace

std::unique_ptr<ClusteringResult> map_result(const ClusteringOutcome& outcome) {
  return std::make_unique<MapResult>(outcome);
}

}  // namespace tamis::cli
