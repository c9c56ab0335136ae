// How long work tells its caller where it is, and learns that it should stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace berth {

// Set from a signal handler or another thread; long loops ask it. Lock free.
class Cancellation {
 public:
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }
  void throw_if_cancelled() const;                                   // Error{cancelled}

 private:
  std::atomic<bool> cancelled_{false};
};

// Told from the thread that works. The default tells nobody and never cancels.
class Progress {
 public:
  virtual ~Progress() = default;

  // A new stage of `total` units ("verify", 12, "texts"); `total` 0 means unknown.
  virtual void begin(std::string_view stage, std::uint64_t total, std::string_view unit);
  virtual void advance(std::uint64_t units);
  virtual void end();
  virtual void throw_if_cancelled() const;
};

[[nodiscard]] Progress& no_progress() noexcept;

}  // namespace berth
