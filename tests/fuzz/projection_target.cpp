// A projection as JSON, and rows that are projected by it.
#include <vector>

#include "fuzz/target.hpp"
#include "results/projection_result.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tamis;
  fuzz::attempt([&] {
    const ProjectionResult result = read_projection_result(std::string(fuzz::view_of(data, size)));
    const std::string text = json_line(result);
    fuzz::claim(text == json_line(read_projection_result(text)),
                "what is written is read as the same");
    const std::vector<double> row(result.names.size(), 1.0);
    const DenseTable<double> projected =
        projected_rows(DenseView<double>(row.data(), 1, std::ssize(row)), result.projection.mean,
                       result.projection.components);
    fuzz::claim(projected.cols == result.projection.components.rows,
                "there is a value for each component");
  });
  return 0;
}
