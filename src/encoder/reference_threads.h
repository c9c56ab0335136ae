// Work shared between threads that live for one step of the reference: each takes the next task until none is left.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>

namespace berth::encoder::reference {

// Numbers 0 … count-1, each handed out once. Thread safe.
class TaskQueue {
 public:
  explicit TaskQueue(std::size_t count) : count_(count) {}

  [[nodiscard]] std::optional<std::size_t> take() {
    const std::size_t task = next_.fetch_add(1, std::memory_order_relaxed);
    return task < count_ ? std::optional(task) : std::nullopt;
  }

 private:
  std::size_t count_;
  std::atomic<std::size_t> next_ = 0;
};

// Calls `worker` once in each of up to `threads` threads, this one being one of them, and returns when all are done.
// A worker makes its buffers once and then takes tasks from the queue. When the system refuses a thread there are
// fewer. What a worker throws is thrown here.
void share(std::size_t tasks, std::size_t threads, const std::function<void(TaskQueue&)>& worker);

}  // namespace berth::encoder::reference
