// Admits Runs so that together they use no more threads than the process's budget. First come, first served: a Run that
// needs all threads is not overtaken for ever by small ones.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace berth::engine {

class Gate {
 public:
  explicit Gate(std::size_t threads) : threads_(threads), free_(threads) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // Holds threads of the gate for its lifetime.
  class Pass {
   public:
    Pass(Gate& gate, std::size_t threads);  // waits; a request beyond the budget counts as the whole budget
    ~Pass();
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    Gate& gate_;
    std::size_t threads_;
  };

  [[nodiscard]] std::size_t threads() const noexcept { return threads_; }
  [[nodiscard]] std::size_t waiting() const;  // requests in line

 private:
  const std::size_t threads_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t free_;
  std::uint64_t next_ticket_ = 0;
  std::uint64_t serving_ = 0;
};

}  // namespace berth::engine
