// Ctrl-C, and the other signals that ask a program to stop.
#pragma once

#include "base/progress.h"

namespace berth::cli {

// From now on SIGINT, SIGTERM and SIGHUP set the cancellation that is returned; the same signal a second time ends the
// process at once. Signals that the parent had ignored (nohup, background jobs) stay ignored.
[[nodiscard]] const Cancellation& watch_interrupts();

// A pipe whose reader has gone becomes an error of write() instead of the end of the process.
void ignore_closed_pipes();

}  // namespace berth::cli
