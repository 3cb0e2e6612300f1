#include "clustering/nearest_center.hpp"
#include "clustering/som/som.hpp"
#include "python/plain_values.hpp"

namespace tamis::python {
namespace {

using python::dict_of;

nb::dict dict_of(const ClusteringMethod& method) {
  nb::list options;
  for (const OptionInfo& option : method.options) options.append(dict_of(option));
  nb::dict dict;
  dict["name"] = method.info.name;
  dict["title"] = method.info.title;
  dict["learns"] = name_of(method.info.learns);
  dict["counts_clusters"] = method.info.counts_clusters;
  dict["takes_start"] = method.info.takes_start;
  dict["draws"] = method.info.draws;
  dict["streams"] = method.info.streams;
  dict["hard_pairs_only"] = method.info.hard_pairs_only;
  dict["reference"] = method.info.reference;
  dict["options"] = options;
  return dict;
}

/// What a map has besides its units and what rows they got.
nb::dict dict_of(const SomSheet& map, const std::vector<double>& codebook, Index cols) {
  nb::dict dict;
  dict["sheet_shape"] = nb::make_tuple(map.sheet_rows, map.sheet_cols);
  dict["quantization_error"] = map.quantization_error;
  dict["epochs"] = map.error_by_epoch.size();
  dict["neighbor_distances"] = array_of(neighbor_distances(map, codebook, cols));
  return dict;
}

nb::list list_clusterings() {
  nb::list list;
  for (const ClusteringMethod& method : clusterings()) list.append(dict_of(method));
  return list;
}

nb::object cluster(const std::string& name, const OptionTexts& options, const Table& table,
                   const Given& known, const std::optional<Dense<double>>& start,
                   std::uint64_t seed, int threads) {
  const ClusteringMethod& method = find_clustering(name);
  const Problem problem = problem_of(table, known);
  const Run run = interruptible_run(seed);
  ClusterGiven given;
  if (start) given.start = {.centroids = {start->data(), start->data() + start->size()}};
  const ClusteringRun done = computed(threads, [&] {
    check_problem(problem);
    return method.run(problem, options, given, run);
  });
  return dict_of(done, problem.cols());
}

/// The nearest of the centres of each row, and its squared distance.
nb::tuple nearest(const Table& table, const Dense<double>& centers, int threads) {
  const MatrixView& x = table.view();
  if (static_cast<Index>(centers.shape(1)) != x.cols())
    throw InvalidArgument("there are " + std::to_string(centers.shape(1)) +
                          " values in a centre, but " + std::to_string(x.cols()) + " columns");
  NearestCenters found = computed(threads, [&] {
    return nearest_centers(x, all_indices(x.rows()), {centers.data(), centers.size()});
  });
  return nb::make_tuple(array_of(std::move(found.centers)),
                        array_of(std::move(found.squared_distances)));
}

}  // namespace

nb::object dict_of(const ClusteringRun& run, Index cols) {
  const auto result = nb::borrow<nb::dict>(plain(run));
  result["map"] =
      run.map ? nb::object(dict_of(*run.map, run.clustering.centroids, cols)) : nb::none();
  return result;
}

void bind_clustering(nb::module_& module) {
  module.def("clusterings", &list_clusterings);
  module.def("cluster", &cluster, "method"_a, "options"_a, "table"_a, "known"_a, "start"_a.none(),
             "seed"_a, "threads"_a);
  module.def("nearest_centers", &nearest, "table"_a, "centers"_a.noconvert(), "threads"_a);
}

}  // namespace tamis::python
