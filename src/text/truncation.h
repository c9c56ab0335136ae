// How much of each text a row can hold, and the windows that hold the rest. All counts are of tokens.
#pragma once

#include <cstddef>
#include <vector>

#include "berth/text.h"

namespace berth::text {

struct Lengths {
  std::size_t first = 0;
  std::size_t second = 0;
};

// What stays of two texts (or one, the second being 0) that share `room`. Throws Error{limit} when the text that is
// to be cut is not longer than the excess.
[[nodiscard]] Lengths truncate(Lengths lengths, std::size_t room, Truncation strategy);

struct Window {
  std::size_t begin;
  std::size_t end;
};

// Consecutive windows of `length` over `count` tokens, each sharing `stride` with the one before; the last one is
// short. One window when `length` holds everything. Needs stride < length otherwise (checked by the caller).
[[nodiscard]] std::vector<Window> windows_over(std::size_t count, std::size_t length, std::size_t stride);

}  // namespace berth::text
