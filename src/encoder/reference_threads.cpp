// Short-lived threads: a step takes milliseconds, starting a thread microseconds.
#include "encoder/reference_threads.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace berth::encoder::reference {

void share(std::size_t tasks, std::size_t threads, const std::function<void(TaskQueue&)>& worker) {
  TaskQueue queue(tasks);
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      worker(queue);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    const std::size_t wanted = std::min(threads, tasks);
    helpers.reserve(wanted);
    while (helpers.size() + 1 < wanted) {
      try {
        helpers.emplace_back(work);
      } catch (const std::system_error&) {
        break;
      }
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace berth::encoder::reference
