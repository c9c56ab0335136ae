// Terminals and pipes.
#include "cli/terminal.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"

namespace berth::cli {

Terminal examine_terminal(int descriptor) {
  Terminal terminal;
  const char* const type = std::getenv("TERM");
  terminal.interactive = ::isatty(descriptor) == 1 && type != nullptr && std::string_view(type) != "dumb";
  const char* const no_color = std::getenv("NO_COLOR");
  terminal.colour = terminal.interactive && (no_color == nullptr || *no_color == '\0');
  winsize size{};
  if (terminal.interactive && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.width = size.ws_col;
  }
  return terminal;
}

void write_all(int descriptor, std::string_view text, std::string_view what) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) throw ClosedPipe{};
    if (written < 0) throw_io_error(std::string(what), "cannot be written", errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace berth::cli
