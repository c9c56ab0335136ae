// Reads only when there is something to read, and asks in between whether to go on: the signal may have reached another
// thread, so an interrupted system call is nothing to rely on.
#include "cli/input.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

#include "base/file.h"

namespace berth::cli {

InterruptibleBuffer::int_type InterruptibleBuffer::underflow() {
  constexpr int kMillisecondsBetweenQuestions = 100;
  for (;;) {
    progress_.throw_if_cancelled();
    pollfd waiting{descriptor_, POLLIN, 0};
    if (::poll(&waiting, 1, kMillisecondsBetweenQuestions) <= 0) continue;  // nothing yet, or a signal
    const ssize_t got = ::read(descriptor_, block_.data(), block_.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_io_error("standard input", "cannot be read", errno);
    if (got == 0) return traits_type::eof();
    setg(block_.data(), block_.data(), block_.data() + got);
    return traits_type::to_int_type(block_[0]);
  }
}

InterruptibleInput::InterruptibleInput(int descriptor, const Progress& progress)
    : std::istream(nullptr), buffer_(descriptor, progress) {
  rdbuf(&buffer_);
  exceptions(std::ios::badbit);  // lets what the buffer throws pass
}

}  // namespace berth::cli
