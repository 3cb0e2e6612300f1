#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tamis/core/remedy.hpp"

namespace tamis {

/// What act() throws, which must be an E: `told` makes something of it.
template <class E, class Act, class Told>
auto what_is_thrown(Act&& act, Told&& told) -> decltype(told(std::declval<const E&>())) {
  try {
    act();
  } catch (const E& error) {
    return told(error);
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

/// The message of the exception that act() throws, which must be an E.
template <class E, class Act>
std::string message_of(Act&& act) {
  return what_is_thrown<E>(act, [](const E& error) { return std::string(error.what()); });
}

/// What that exception says can be done about it.
template <class E, class Act>
Remedy remedy_of(Act&& act) {
  return what_is_thrown<E>(act, [](const E& error) { return error.remedy(); });
}

}  // namespace tamis
