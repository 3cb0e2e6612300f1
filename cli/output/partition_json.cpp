#include "cli/output/partition.hpp"

namespace tamis::cli {
namespace {

Json iterations_json(const std::vector<ClusterIteration>& iterations) {
  Json list = Json::array();
  for (const ClusterIteration& iteration : iterations)
    list.push_back({{"objective", number(iteration.objective)},
                    {"changed", iteration.changed},
                    {"must_link_violations", iteration.must_link_violations},
                    {"cannot_link_violations", iteration.cannot_link_violations}});
  return list;
}

Json row_json(const Problem& problem, Index row) {
  return problem.known.sample_ids.empty() ? Json(row) : Json(problem.known.sample_ids[row]);
}

Json violations_json(const Partition& partition) {
  Json object = {{"must_link", partition.broken.must_link},
                 {"cannot_link", partition.broken.cannot_link}};
  if (!partition.listed) return object;
  Json pairs = Json::array();
  const auto add = [&](const std::vector<RowPair>& broken, std::string_view kind) {
    for (const RowPair& pair : broken)
      pairs.push_back({{"a", row_json(partition.data.problem, pair.first)},
                       {"b", row_json(partition.data.problem, pair.second)},
                       {"kind", kind}});
  };
  add(partition.listed->must_link, "must");
  add(partition.listed->cannot_link, "cannot");
  object["pairs"] = std::move(pairs);
  return object;
}

Json agreement_json(const std::optional<Agreement>& agreement) {
  if (!agreement) return nullptr;
  return {{"rows", agreement->rows},
          {"rand", number(agreement->rand)},
          {"adjusted_rand", number(agreement->adjusted_rand)},
          {"nmi", number(agreement->nmi)}};
}

Json labels_json(const LoadedProblem& data) {
  if (data.true_labels.empty()) return nullptr;
  Json labels = Json::array();
  for (const Index label : data.true_labels)
    labels.push_back(label == kUnlabeled ? Json(nullptr)
                                         : Json(data.problem.known.class_names[label]));
  return labels;
}

Json local_json(const Partition& partition) {
  Json clusters = Json::array();
  for (Index q = 0; q < partition.n_clusters(); ++q) {
    Json features = Json::array();
    for (const Index column : partition.best_features(q, *partition.n_local))
      features.push_back({{"feature", column},
                          {"name", partition.data.problem.feature_names[column]},
                          {"weight", number(partition.weight(q, column))}});
    clusters.push_back(std::move(features));
  }
  return clusters;
}

}  // namespace

void add_partition(const Partition& partition, Json& object) {
  const Clustering& found = partition.clustering;
  const Index cols = partition.data.problem.cols();
  const bool has_local = partition.learned == Learns::weights_of_clusters;
  Json sizes = Json::array();
  for (const std::vector<Index>& rows : partition.members) sizes.push_back(rows.size());

  object["clusters"] = found.clusters;
  object["sizes"] = std::move(sizes);
  object["labels"] = labels_json(partition.data);
  object["centroids"] = lines_json(found.centroids, cols);
  object["weights"] =
      partition.learned == Learns::nothing ? Json(nullptr) : numbers(partition.global_weights());
  object["cluster_weights"] = has_local ? lines_json(found.weights, cols) : Json(nullptr);
  object["memberships"] = found.memberships.empty()
                              ? Json(nullptr)
                              : lines_json(found.memberships, partition.n_clusters());
  if (partition.n_local) object["local"] = local_json(partition);
  object["objective"] = number(found.objective);
  object["run"] = found.run;
  object["converged"] = found.converged;
  object["iterations"] = iterations_json(found.iterations);
  object["violations"] = violations_json(partition);
  object["agreement"] = agreement_json(partition.agreement);
  object["held_out_agreement"] = agreement_json(partition.held_out);
}

}  // namespace tamis::cli
