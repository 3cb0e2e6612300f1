#pragma once

#include <concepts>
#include <string>

#include "io/arrow_abi.hpp"

/// Columns of Arrow's C data interface: their values as numbers and as texts. What a reader of
/// files hands over is valid; here nothing is checked but the type.
namespace tamis {

enum class ArrowKind {
  numbers,  ///< also true and false, decimals, and nothing but missing values
  texts,    ///< also categories of texts, dates and times
  others,   ///< lists, records, bytes
};
ArrowKind kind_of(const ArrowSchema& field);

/// The values of an array; NaN where one is missing. @param field that holds numbers
template <std::floating_point T>
void copy_numbers(const ArrowSchema& field, const ArrowArray& array, T* out);

/// The same as texts, empty where one is missing: numbers in their shortest form, dates as
/// 2024-05-01, with a time behind that if there is one. @param field of numbers or texts
void copy_texts(const ArrowSchema& field, const ArrowArray& array, std::string* out);

}  // namespace tamis
