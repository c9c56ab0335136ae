// Arithmetic on integers that a stranger wrote: an overflow is an Error{limit}, never a wrapped value.
#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <utility>

#include "berth/error.h"

namespace berth::checked {

[[noreturn]] inline void overflow(const char* what) {
  throw Error(ErrorKind::limit, "", std::string(what) + " does not fit in 64 bits");
}

template <std::integral T>
[[nodiscard]] T add(T a, T b, const char* what) {
  T sum;
  if (__builtin_add_overflow(a, b, &sum)) overflow(what);
  return sum;
}

template <std::integral T>
[[nodiscard]] T multiply(T a, T b, const char* what) {
  T product;
  if (__builtin_mul_overflow(a, b, &product)) overflow(what);
  return product;
}

template <std::integral To, std::integral From>
[[nodiscard]] To narrow(From value, const char* what) {
  if (!std::in_range<To>(value)) {
    throw Error(ErrorKind::limit, "", std::string(what) + " is " + std::to_string(value) + ", expected " +
                                          std::to_string(std::numeric_limits<To>::min()) + " to " +
                                          std::to_string(std::numeric_limits<To>::max()));
  }
  return static_cast<To>(value);
}

}  // namespace berth::checked
