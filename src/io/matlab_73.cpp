#include <fmt/format.h>
#include <matio.h>

#include "io/matlab_array.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw DataError(fmt::format("{}: the MATLAB 7.3 file is cut off or damaged", path));
}

std::vector<Index> as_indices(const mat_uint32_t* values, mat_uint32_t count) {
  return values == nullptr ? std::vector<Index>{} : std::vector<Index>(values, values + count);
}

/// What matio holds, described; the data stay where they are.
MatlabArray describe(const std::string& path, const matvar_t& variable) {
  MatlabArray array;
  if (variable.name != nullptr) array.name = variable.name;
  array.kind = static_cast<MatlabClass>(variable.class_type);
  array.is_complex = variable.isComplex != 0;
  array.type = static_cast<MatlabType>(variable.data_type);
  for (int d = 0; d < variable.rank; ++d) {
    const auto length = static_cast<Index>(variable.dims[d]);
    if (length < 0 || (length > 0 && array.size() > (Index{1} << 56) / length)) refuse(path);
    array.shape.push_back(length);
  }
  return array;
}

MatlabArray with_data(const std::string& path, const matvar_t& variable) {
  MatlabArray array = describe(path, variable);
  if (variable.data == nullptr || array.size() == 0 || array.is_complex) return array;
  if (array.kind == MatlabClass::cell) {
    auto* const* const cells = static_cast<matvar_t* const*>(variable.data);
    for (Index i = 0; i < array.size(); ++i)
      array.cells.push_back(cells[i] != nullptr ? with_data(path, *cells[i]) : MatlabArray{});
  } else if (array.kind == MatlabClass::sparse) {
    const auto& sparse = *static_cast<const mat_sparse_t*>(variable.data);
    array.row_indices = as_indices(sparse.ir, sparse.nir);
    array.column_starts = as_indices(sparse.jc, sparse.njc);
    array.data = {static_cast<const char*>(sparse.data),
                  sparse.ndata * Mat_SizeOf(variable.data_type)};
  } else {
    array.data = {static_cast<const char*>(variable.data), variable.nbytes};
  }
  return array;
}

}  // namespace

MatlabFile read_matlab_73(const std::string& path, std::span<const std::string> wanted) {
  Mat_LogInitFunc("tamis", [](int, char*) {});
  const std::unique_ptr<mat_t, int (*)(mat_t*)> file(Mat_Open(path.c_str(), MAT_ACC_RDONLY),
                                                     &Mat_Close);
  if (!file) refuse(path);
  MatlabFile result;
  while (matvar_t* const info = Mat_VarReadNextInfo(file.get())) {
    const std::unique_ptr<matvar_t, void (*)(matvar_t*)> owner(info, &Mat_VarFree);
    result.variables.push_back(describe(path, *info));
  }
  for (MatlabArray& array : result.variables) {
    if (std::ranges::find(wanted, array.name) == wanted.end()) continue;
    const std::shared_ptr<matvar_t> variable(Mat_VarRead(file.get(), array.name.c_str()),
                                             &Mat_VarFree);
    if (!variable) refuse(path);
    array = with_data(path, *variable);
    result.owners.push_back(variable);
  }
  return result;
}

}  // namespace tamis
