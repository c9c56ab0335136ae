// Tells how large the largest single allocation was, so that a test can show that a file's claims allocate nothing.
#pragma once

#include <cstddef>

namespace berth::checkpoint::test {

// Starts from zero; every operator new of this program counts, in all threads.
void reset_largest_allocation();
[[nodiscard]] std::size_t largest_allocation();

}  // namespace berth::checkpoint::test
