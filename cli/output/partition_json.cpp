#include "cli/output/partition.hpp"
#include "results/json_fields.hpp"

namespace tamis::cli {
namespace {

Json row_json(const Knowledge& known, Index row) {
  return known.sample_ids.empty() ? Json(row) : Json(known.sample_ids[row]);
}

Json violations_json(const Partition& partition) {
  Json object = json_of(partition.broken);
  if (!partition.listed) return object;
  Json pairs = Json::array();
  const auto add = [&](const std::vector<RowPair>& broken, std::string_view kind) {
    for (const RowPair& pair : broken)
      pairs.push_back({{"a", row_json(partition.table.known, pair.first)},
                       {"b", row_json(partition.table.known, pair.second)},
                       {"kind", kind}});
  };
  add(partition.listed->must_link, "must");
  add(partition.listed->cannot_link, "cannot");
  object["pairs"] = std::move(pairs);
  return object;
}

Json labels_json(const ClusteredTable& table) {
  if (table.true_labels.empty()) return nullptr;
  Json labels = Json::array();
  for (const Index label : table.true_labels)
    labels.push_back(label == kUnlabeled ? Json(nullptr) : Json(table.known.class_names[label]));
  return labels;
}

Json local_json(const Partition& partition) {
  Json clusters = Json::array();
  for (Index q = 0; q < partition.n_clusters(); ++q) {
    Json features = Json::array();
    for (const Index column : partition.best_features(q, *partition.n_local))
      features.push_back({{"feature", column},
                          {"name", partition.table.feature_names[column]},
                          {"weight", json_of(partition.weight(q, column))}});
    clusters.push_back(std::move(features));
  }
  return clusters;
}

}  // namespace

Json lines_json(const std::vector<double>& values, Index width) {
  Json lines = Json::array();
  for (auto from = values.begin(); from != values.end(); from += width)
    lines.push_back(json_of(std::vector<double>(from, from + width)));
  return lines;
}

void add_partition(const Partition& partition, Json& object) {
  const Clustering& found = partition.clustering;
  const Index cols = partition.table.cols;
  const bool has_local = partition.learned == Learns::weights_of_clusters;
  Json sizes = Json::array();
  for (const std::vector<Index>& rows : partition.members) sizes.push_back(rows.size());

  object["clusters"] = found.clusters;
  object["sizes"] = std::move(sizes);
  object["labels"] = labels_json(partition.table);
  object["centroids"] = lines_json(found.centroids, cols);
  object["weights"] =
      partition.learned == Learns::nothing ? Json(nullptr) : json_of(partition.global_weights());
  object["cluster_weights"] = has_local ? lines_json(found.weights, cols) : Json(nullptr);
  object["memberships"] = found.memberships.empty()
                              ? Json(nullptr)
                              : lines_json(found.memberships, partition.n_clusters());
  if (partition.n_local) object["local"] = local_json(partition);
  object["objective"] = json_of(found.objective);
  object["run"] = found.run;
  object["converged"] = found.converged;
  object["iterations"] = json_of(found.iterations);
  object["violations"] = violations_json(partition);
  object["agreement"] = json_of(partition.agreement);
  object["held_out_agreement"] = json_of(partition.held_out);
}

}  // namespace tamis::cli
