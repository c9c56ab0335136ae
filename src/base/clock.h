// Time behind a seam, so that tests of deadlines and schedules do not wait.
#pragma once

#include <chrono>

namespace berth {

class Clock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  virtual ~Clock() = default;
  [[nodiscard]] virtual Time now() const { return std::chrono::steady_clock::now(); }
};

[[nodiscard]] inline double seconds_between(Clock::Time start, Clock::Time end) {
  return std::chrono::duration<double>(end - start).count();
}

}  // namespace berth
