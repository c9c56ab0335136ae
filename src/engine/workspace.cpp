// Workspaces and their pool.
#include "engine/workspace.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace berth::engine {

std::byte* Buffer::reserve(std::size_t bytes) {
  if (bytes > size_ || bytes_ == nullptr) {
    constexpr std::size_t kSmallest = 1024;
    const std::size_t size = std::bit_ceil(std::max(bytes, kSmallest));
    bytes_.reset();  // never both at once
    bytes_ = std::make_unique_for_overwrite<std::byte[]>(size);
    size_ = size;
  }
  return bytes_.get();
}

Workspace::Workspace(Ort::Session& session, std::size_t input_count, std::size_t output_count)
    : binding(session), inputs(input_count), outputs(output_count) {}

std::unique_ptr<Workspace> WorkspacePool::take(Ort::Session& session, std::size_t inputs, std::size_t outputs) {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto workspace = std::move(idle_.back());
      idle_.pop_back();
      return workspace;
    }
  }
  return std::make_unique<Workspace>(session, inputs, outputs);
}

void WorkspacePool::give_back(std::unique_ptr<Workspace> workspace) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(workspace));
}

}  // namespace berth::engine
