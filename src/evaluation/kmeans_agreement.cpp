#include "evaluation/kmeans_agreement.hpp"

#include "clustering/kmeans/kmeans.hpp"
#include "evaluation/metrics.hpp"

namespace tamis {

KmeansResult kmeans_agreement(const DenseView<double>& columns, std::span<const Index> classes,
                              Index n_classes, std::span<const Index> lengths, const Run& run) {
  KmeansResult result;
  for (const Index length : lengths) {
    const DenseView<double> prefix(columns.row(0), columns.rows(), length, columns.cols());
    const Clustering found = kmeans({.matrix = prefix}, {.n_clusters = n_classes}, {}, run);
    result.rand.push_back(rand_index(classes, found.clusters));
    result.adjusted_rand.push_back(adjusted_rand_index(classes, found.clusters));
    result.nmi.push_back(normalized_mutual_information(classes, found.clusters));
  }
  return result;
}

}  // namespace tamis
