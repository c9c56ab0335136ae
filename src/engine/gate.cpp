// A counting semaphore with tickets.
#include "engine/gate.h"

#include <algorithm>

namespace berth::engine {

Gate::Pass::Pass(Gate& gate, std::size_t threads) : gate_(gate), threads_(std::min(threads, gate.threads_)) {
  std::unique_lock lock(gate_.mutex_);
  const std::uint64_t ticket = gate_.next_ticket_++;
  gate_.changed_.wait(lock, [&] { return gate_.serving_ == ticket && gate_.free_ >= threads_; });
  gate_.free_ -= threads_;
  ++gate_.serving_;
  gate_.changed_.notify_all();  // the next in line may fit beside this one
}

Gate::Pass::~Pass() {
  {
    const std::lock_guard lock(gate_.mutex_);
    gate_.free_ += threads_;
  }
  gate_.changed_.notify_all();
}

std::size_t Gate::waiting() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(next_ticket_ - serving_);
}

}  // namespace berth::engine
