#pragma once

#include <gtest/gtest.h>

#include <string>

namespace tamis {

/// What the error of type E that `act` throws says; a test failure if it throws none.
template <class E, class Act>
std::string message_of(Act&& act) {
  try {
    act();
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace tamis
