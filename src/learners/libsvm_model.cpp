#include <svm.h>

#include "learners/linear_model.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr double kTolerance = 1e-3;
constexpr double kCacheMegabytes = 40.0;

/// Keeps the training rows: the model points to its support vectors among them.
class LibsvmModel : public LinearModel {
 public:
  LibsvmModel(const MatrixView& x, std::span<const Index> rows, std::span<const Index> classes,
              double cost)
      : nodes_(x, rows, false) {
    std::vector<double> targets(classes.begin(), classes.end());
    const svm_problem training{
        .l = static_cast<int>(rows.size()), .y = targets.data(), .x = nodes_.data()};
    svm_parameter settings{};
    settings.svm_type = C_SVC;
    settings.kernel_type = LINEAR;
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
    const NodeRows<svm_node> nodes(x, {&row, 1}, false);
    return static_cast<Index>(svm_predict(model_, nodes.row(0)));
  }

 private:
  NodeRows<svm_node> nodes_;
  svm_model* model_ = nullptr;
};

struct SilencedLibrary {
  SilencedLibrary() {
    svm_set_print_string_function([](const char*) {});
  }
};

}  // namespace

std::shared_ptr<const LinearModel> train_libsvm(const MatrixView& x, std::span<const Index> rows,
                                                std::span<const Index> classes, double cost) {
  static const SilencedLibrary silenced;
  return std::make_shared<LibsvmModel>(x, rows, classes, cost);
}

}  // namespace tamis
