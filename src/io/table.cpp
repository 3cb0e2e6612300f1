#include "tamis/io/table.hpp"

namespace tamis {

MatrixView Table::view() const {
  return std::visit([](const auto& table) { return MatrixView(table.view()); }, data);
}

}  // namespace tamis
