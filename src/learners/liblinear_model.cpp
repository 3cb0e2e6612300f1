#include <linear.h>

#include "learners/linear_model.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr double kTolerance = 1e-3;

/// What must happen once, before the first training.
struct PreparedLibrary {
  PreparedLibrary() {
    set_print_string_function([](const char*) {});
    // LIBLINEAR calls BLAS, too: our first product sets it up for single threads, which must not
    // happen while a training runs.
    const double one = 1.0;
    double product = 0.0;
    multiply(&one, &one, 1, 1, 1, &product);
  }
};

using Nodes = NodeRows<feature_node>;

/// With one more column, of ones, for the bias.
Nodes with_bias(const MatrixView& x, std::span<const Index> rows) {
  return Nodes(rows, [&](Index i, std::vector<feature_node>& nodes) {
    append_row(x, i, nodes);
    nodes.push_back({static_cast<int>(x.cols() + 1), 1.0});
  });
}

class LiblinearModel : public LinearModel {
 public:
  explicit LiblinearModel(::model* trained) : model_(trained) {}
  ~LiblinearModel() override { free_and_destroy_model(&model_); }

  Index predict(const MatrixView& x, Index row) const override {
    const Nodes nodes = with_bias(x, {&row, 1});
    return static_cast<Index>(::predict(model_, nodes.row(0)));
  }

 private:
  ::model* model_;
};

}  // namespace

std::shared_ptr<const LinearModel> train_liblinear(const MatrixView& x, std::span<const Index> rows,
                                                   std::span<const Index> classes, double cost) {
  static const PreparedLibrary prepared;
  Nodes nodes = with_bias(x, rows);
  std::vector<double> targets(classes.begin(), classes.end());
  const ::problem training{.l = static_cast<int>(rows.size()),
                           .n = static_cast<int>(x.cols() + 1),
                           .y = targets.data(),
                           .x = nodes.data(),
                           .bias = 1.0};
  ::parameter settings{};
  settings.solver_type = L2R_L2LOSS_SVC;
  settings.eps = kTolerance;
  settings.C = cost;
  if (const char* const complaint = check_parameter(&training, &settings))
    throw InvalidArgument(std::string("LIBLINEAR: ") + complaint);
  return std::make_shared<LiblinearModel>(::train(&training, &settings));
}

}  // namespace tamis
