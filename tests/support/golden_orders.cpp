#include "support/golden_orders.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/golden.hpp"
#include "support/source_root.hpp"

namespace tamis::test {

GoldenOrders load_golden_orders(const std::string& name, const std::string& edition) {
  const std::filesystem::path root = source_root();
  std::ifstream file(root / "tests" / "data" / "golden" / (name + ".json"));
  const nlohmann::json orders = nlohmann::json::parse(file)[edition];
  Golden golden = load_golden(name);
  return {.sample = std::move(golden.sample),
          .with_labels = orders["labels"],
          .with_pairs = orders["pairs"],
          .unsupervised = orders["unsupervised"],
          .pairs = {.must_link = std::move(golden.must_link),
                    .cannot_link = std::move(golden.cannot_link)}};
}

}  // namespace tamis::test
