// The one sink of the log.
#include "base/log.h"

#include <mutex>
#include <utility>

namespace berth {
namespace {

std::mutex mutex;
std::function<void(Severity, std::string_view)>& current_sink() {
  static std::function<void(Severity, std::string_view)> sink;
  return sink;
}

}  // namespace

void set_log_sink(std::function<void(Severity, std::string_view)> sink) {
  const std::lock_guard lock(mutex);
  current_sink() = std::move(sink);
}

void log(Severity severity, std::string_view message) {
  const std::lock_guard lock(mutex);
  if (current_sink()) current_sink()(severity, message);
}

}  // namespace berth
