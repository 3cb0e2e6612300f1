#pragma once

#include <memory>
#include <string_view>

#include "clustering/som/som.hpp"
#include "core/option_texts.hpp"
#include "streaming/conversation.hpp"
#include "tamis/clustering/clustering.hpp"

namespace tamis {

/// A conversation that ends with rows in clusters.
class ClusteringConversation : public Conversation {
 public:
  virtual Clustering result(const Run& run) = 0;
  /// If the centroids are the units of a map: all of it, once there is a result.
  virtual std::shared_ptr<const SomSheet> map() const { return nullptr; }
};

/// How a clustering that streams (ClustererInfo) asks a table.
/// @param seed of what it draws before it asks
/// @throws InvalidArgument if an option is out of range; DataError as the clustering, but for
/// values
std::unique_ptr<ClusteringConversation> streamed_clustering(std::string_view name,
                                                            const OptionTexts& texts,
                                                            StreamedProblem problem,
                                                            ClusterGiven given,
                                                            std::uint64_t seed = 0);

}  // namespace tamis
