// Signal handlers of the program.
#include "cli/interrupts.h"

#include <csignal>

namespace berth::cli {
namespace {

Cancellation interruption;

void on_interrupt(int) { interruption.cancel(); }  // lock free, so allowed in a handler

}  // namespace

const Cancellation& watch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags =
      static_cast<int>(SA_RESETHAND);  // the second one takes the default way; no SA_RESTART: reads are woken
  ::sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
  return interruption;
}

void ignore_closed_pipes() { ::signal(SIGPIPE, SIG_IGN); }

}  // namespace berth::cli
