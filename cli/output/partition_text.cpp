#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "cli/console/run_report.hpp"
#include "cli/output/output.hpp"
#include "cli/output/partition.hpp"

namespace tamis::cli {
namespace {

constexpr Index kShownClusters = 40;
constexpr Index kShownClasses = 4;
constexpr Index kShownFeatures = 5;
constexpr std::size_t kShownPairs = 20;
constexpr int kLongestBar = 20;
constexpr int kBeforeBar = 18;      // "cluster     rows  "
constexpr int kBeforeFeatures = 9;  // "cluster  "

std::string scores_text(const Agreement& agreement) {
  return fmt::format("adjusted Rand {:.3f}, NMI {:.3f}, Rand {:.3f}", agreement.adjusted_rand,
                     agreement.nmi, agreement.rand);
}

/// A name and what belongs to it, the name cut such that both and a comma fit.
std::string with_end(const std::string& name, const std::string& end, int width) {
  const int room = width - static_cast<int>(display_width(end)) - 1;
  return shortened(printable(name), static_cast<std::size_t>(std::max(room, 1))) + end;
}

/// "x (48), y (2), 3 unlabeled", the most frequent class first, each in at most so many cells.
std::string composition(const ClusteredTable& table, const std::vector<Index>& rows, int width) {
  if (table.true_labels.empty()) return "";
  std::map<Index, Index> counts;
  for (const Index row : rows) ++counts[table.true_labels[row]];
  const Index unlabeled = counts[kUnlabeled];
  counts.erase(kUnlabeled);
  std::vector<std::pair<Index, Index>> classes(counts.begin(), counts.end());
  std::ranges::stable_sort(classes, std::greater{}, &std::pair<Index, Index>::second);
  std::vector<std::string> parts;
  for (const auto& [label, count] : classes)
    if (std::ssize(parts) < kShownClasses)
      parts.push_back(with_end(table.known.class_names[label], fmt::format(" ({})", count), width));
  if (const Index more = std::ssize(classes) - std::ssize(parts); more > 0)
    parts.push_back(fmt::format("{} more classes", more));
  if (unlabeled > 0) parts.push_back(fmt::format("{} unlabeled", unlabeled));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string features_text(const Partition& partition, Index cluster, Index count, int width) {
  std::vector<std::string> parts;
  for (const Index column : partition.best_features(cluster, count))
    parts.push_back(with_end(partition.table.feature_names[column],
                             fmt::format("={:.3g}", partition.weight(cluster, column)), width));
  return parts.empty() ? "no feature has weight in it" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string cluster_number(Index cluster, const Screen& screen) {
  return styled(screen, "2", fmt::format("{:7}", cluster));
}

std::string sizes_table(const Partition& partition, Index shown, const Screen& screen) {
  std::size_t largest = 1;
  for (const std::vector<Index>& rows : partition.members) largest = std::max(largest, rows.size());
  const int bar = std::clamp(screen.width - 50, 0, kLongestBar);
  const int before = kBeforeBar + bar + 2;
  const std::string head = fmt::format("cluster     rows  {}", std::string(bar, ' '));
  std::string text = fmt::format(
      "\n{}\n",
      styled(screen, "1",
             head + (partition.table.true_labels.empty() ? "" : "  classes of its rows")));
  for (Index q = 0; q < shown; ++q) {
    const std::vector<Index>& rows = partition.members[q];
    const double share = static_cast<double>(rows.size()) / static_cast<double>(largest);
    text += fmt::format(
        "{}  {:7}  {}  {}\n", cluster_number(q, screen), rows.size(),
        styled(screen, "38;5;38", fitted(unicode_bar(share, bar), bar)),
        wrapped(composition(partition.table, rows, screen.width - before), before, screen.width));
  }
  return text;
}

std::string features_table(const Partition& partition, Index shown, const Screen& screen) {
  if (partition.learned == Learns::nothing) return "";
  if (partition.learned == Learns::weights)
    return fmt::format(
        "\n{}\n  {}\n", styled(screen, "1", "best features, with their weights"),
        wrapped(features_text(partition, 0, kShownFeatures, screen.width - 2), 2, screen.width));
  std::string text = fmt::format(
      "\n{}\n", styled(screen, "1", "cluster  its best features, with their weights in it"));
  for (Index q = 0; q < shown; ++q)
    text +=
        fmt::format("{}  {}\n", cluster_number(q, screen),
                    wrapped(features_text(partition, q, partition.n_local.value_or(kShownFeatures),
                                          screen.width - kBeforeFeatures),
                            kBeforeFeatures, screen.width));
  return text;
}

class PartitionResult : public ClusteringResult {
 public:
  explicit PartitionResult(const ClusteringOutcome& outcome) : partition_(outcome) {}

  std::vector<std::string> summary() const override;
  std::vector<std::string> details() const override;
  std::string picture(const Screen& screen) const override;
  std::string csv() const override;
  void add_to(Json& object) const override { add_partition(partition_, object); }

 private:
  Partition partition_;
};

std::vector<std::string> PartitionResult::summary() const {
  const Clustering& found = partition_.clustering;
  std::vector<std::string> lines{
      fmt::format("{} in {}, objective {:.6g} after {}", counted(std::ssize(found.clusters), "row"),
                  counted(partition_.n_clusters(), "cluster"), found.objective,
                  counted(std::ssize(found.iterations), "iteration"))};
  if (partition_.has_links)
    lines.push_back(fmt::format("breaks {} and {}",
                                counted(partition_.broken.must_link, "must-link"),
                                counted(partition_.broken.cannot_link, "cannot-link")));
  if (const auto& agreement = partition_.agreement)
    lines.push_back(fmt::format(
        "agreement with the classes of {} ({} of them given): {}", counted(agreement->rows, "row"),
        labeled_rows(partition_.table.known).size(), scores_text(*agreement)));
  if (const auto& held_out = partition_.held_out)
    lines.push_back(fmt::format("agreement on the {} of which nothing was given: {}",
                                counted(held_out->rows, "row"), scores_text(*held_out)));
  return lines;
}

std::vector<std::string> PartitionResult::details() const {
  if (!partition_.listed) return {};
  const Knowledge& known = partition_.table.known;
  std::vector<std::string> lines;
  const auto add = [&](const std::vector<RowPair>& pairs, std::string_view kind, Index all) {
    const std::size_t shown = std::min(pairs.size(), kShownPairs);
    for (std::size_t p = 0; p < shown; ++p)
      lines.push_back(
          printable(fmt::format("broken {}: {} and {}", kind, row_name(known, pairs[p].first),
                                row_name(known, pairs[p].second))));
    if (const Index more = all - static_cast<Index>(shown); more > 0)
      lines.push_back(fmt::format("and {} more broken {}s; --json lists them", more, kind));
  };
  add(partition_.listed->must_link, "must-link", partition_.broken.must_link);
  add(partition_.listed->cannot_link, "cannot-link", partition_.broken.cannot_link);
  return lines;
}

std::string PartitionResult::csv() const {
  const Knowledge& known = partition_.table.known;
  const std::vector<Index>& labels = partition_.table.true_labels;
  std::string text =
      fmt::format("{},cluster{}\n", row_header(known), labels.empty() ? "" : ",label");
  for (Index row = 0; row < partition_.table.rows; ++row) {
    text += fmt::format("{},{}", csv_cell(name_in_file(known, row)),
                        partition_.clustering.clusters[row]);
    if (!labels.empty()) text += ',';
    if (!labels.empty() && labels[row] != kUnlabeled)
      text += csv_cell(known.class_names[labels[row]]);
    text += '\n';
  }
  return text;
}

std::string PartitionResult::picture(const Screen& screen) const {
  const Index shown = std::min(partition_.n_clusters(), kShownClusters);
  std::string text = sizes_table(partition_, shown, screen);
  text += features_table(partition_, shown, screen);
  if (const Index more = partition_.n_clusters() - shown; more > 0)
    text += styled(screen, "2", fmt::format("      …  {} more; --json has them all", more)) + '\n';
  return text;
}

}  // namespace

std::unique_ptr<ClusteringResult> partition_result(const ClusteringOutcome& outcome) {
  return std::make_unique<PartitionResult>(outcome);
}

}  // namespace tamis::cli
