#include <svm.h>

#include "learners/linear_model.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr double kTolerance = 1e-3;
constexpr double kCacheMegabytes = 40.0;

/// What the numbers of a row are, as LIBSVM calls it.
enum class Kernel : int { columns = LINEAR, products = PRECOMPUTED };

using Nodes = NodeRows<svm_node>;

/// LIBSVM finds products by their place, so that none is left out, behind the number of the row.
Nodes nodes_of(const MatrixView& x, std::span<const Index> rows, Kernel kernel) {
  return Nodes(rows, [&](Index i, std::vector<svm_node>& nodes) {
    if (kernel == Kernel::columns) return append_row(x, i, nodes);
    std::vector<double> products(x.cols());
    copy_columns(x, {&i, 1}, 0, x.cols(), products.data());
    nodes.push_back({0, static_cast<double>(i + 1)});
    for (Index j = 0; j < x.cols(); ++j) nodes.push_back({static_cast<int>(j + 1), products[j]});
  });
}

/// Keeps the training rows: the model points to its support vectors among them.
class LibsvmModel : public LinearModel {
 public:
  LibsvmModel(const MatrixView& x, std::span<const Index> rows, std::span<const Index> classes,
              double cost, Kernel kernel)
      : kernel_(kernel), nodes_(nodes_of(x, rows, kernel)) {
    std::vector<double> targets(classes.begin(), classes.end());
    const svm_problem training{
        .l = static_cast<int>(rows.size()), .y = targets.data(), .x = nodes_.data()};
    svm_parameter settings{};
    settings.svm_type = C_SVC;
    settings.kernel_type = static_cast<int>(kernel);
    settings.cache_size = kCacheMegabytes;
    settings.eps = kTolerance;
    settings.C = cost;
    settings.shrinking = 1;
    if (const char* const complaint = svm_check_parameter(&training, &settings))
      throw InvalidArgument(std::string("LIBSVM: ") + complaint);
    model_ = svm_train(&training, &settings);
  }
  ~LibsvmModel() override { svm_free_and_destroy_model(&model_); }

  Index predict(const MatrixView& x, Index row) const override {
    const Nodes nodes = nodes_of(x, {&row, 1}, kernel_);
    return static_cast<Index>(svm_predict(model_, nodes.row(0)));
  }

 private:
  Kernel kernel_;
  Nodes nodes_;
  svm_model* model_ = nullptr;
};

struct SilencedLibrary {
  SilencedLibrary() {
    svm_set_print_string_function([](const char*) {});
  }
};

std::shared_ptr<const LinearModel> train(const MatrixView& x, std::span<const Index> rows,
                                         std::span<const Index> classes, double cost,
                                         Kernel kernel) {
  static const SilencedLibrary silenced;
  return std::make_shared<LibsvmModel>(x, rows, classes, cost, kernel);
}

}  // namespace

std::shared_ptr<const LinearModel> train_libsvm(const MatrixView& x, std::span<const Index> rows,
                                                std::span<const Index> classes, double cost) {
  return train(x, rows, classes, cost, Kernel::columns);
}

std::shared_ptr<const LinearModel> train_libsvm_on_products(const MatrixView& x,
                                                            std::span<const Index> rows,
                                                            std::span<const Index> classes,
                                                            double cost) {
  return train(x, rows, classes, cost, Kernel::products);
}

}  // namespace tamis
