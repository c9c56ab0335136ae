// What stands at the other end of standard output and standard error.
#pragma once

#include <cstddef>
#include <string_view>

namespace berth::cli {

struct Terminal {
  bool interactive = false;                      // a person looks at it now
  bool colour = false;
  std::size_t width = 80;
};

// By isatty, TERM, NO_COLOR (https://no-color.org) and the window's size.
[[nodiscard]] Terminal examine_terminal(int descriptor);

// The reader of our standard output has gone: there is nobody left to work for. The program ends quietly.
struct ClosedPipe {};

// Writes all of it. Throws ClosedPipe, or Error{io} naming `what`.
void write_all(int descriptor, std::string_view text, std::string_view what);

}  // namespace berth::cli
