// What one Run needs and the next one reuses: the binding, and buffers that only grow. As many exist as Runs were ever
// under way at once, which the gate bounds.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/ort.h"

namespace berth::engine {

// Grows to the next power of two, so that rising lengths do not allocate each time.
class Buffer {
 public:
  [[nodiscard]] std::byte* reserve(std::size_t bytes);  // the content is lost when it grows
  [[nodiscard]] const std::byte* data() const noexcept { return bytes_.get(); }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
};

struct Workspace {
  explicit Workspace(Ort::Session& session, std::size_t inputs, std::size_t outputs);

  Ort::IoBinding binding;
  Ort::RunOptions run_options;
  std::vector<Buffer> inputs;   // one a field
  std::vector<Buffer> outputs;  // one an output of the graph
};

// Thread safe.
class WorkspacePool {
 public:
  [[nodiscard]] std::unique_ptr<Workspace> take(Ort::Session& session, std::size_t inputs, std::size_t outputs);
  void give_back(std::unique_ptr<Workspace> workspace);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace berth::engine
