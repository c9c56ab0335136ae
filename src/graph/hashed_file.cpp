// Writing and hashing side by side: the hash is the slower of the two, so it gets a core of its own.
#include "graph/hashed_file.h"

#include <algorithm>
#include <utility>

namespace berth::graph {

HashThread::HashThread() : thread_([this] { run(); }) {}

HashThread::~HashThread() { stop(); }

void HashThread::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void HashThread::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::span<const std::byte> bytes = queue_.front();
    lock.unlock();
    try {
      if (!failure_) hash_.update(bytes);
    } catch (...) {
      failure_ = std::current_exception();  // kept for finish(); the rest is only taken off the queue
    }
    lock.lock();
    queue_.pop_front();
    changed_.notify_all();
  }
}

void HashThread::push(std::span<const std::byte> bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.size() < kDepth; });
  queue_.push_back(bytes);
  changed_.notify_all();
}

std::string HashThread::finish() {
  stop();
  if (failure_) std::rethrow_exception(failure_);
  return hash_.finish();
}

HashedFile::HashedFile(const std::filesystem::path& path) : file_(path) {}

void HashedFile::write_stable(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {  // in pieces, so that both threads work on each while it is in the cache
    const std::span<const std::byte> piece = bytes.first(std::min(bytes.size(), kBlockBytes));
    hash_.push(piece);
    file_.write(piece);
    bytes = bytes.subspan(piece.size());
  }
}

std::span<std::byte> HashedFile::block() {
  std::vector<std::uint64_t>& words = blocks_[current_];
  words.resize(kBlockBytes / sizeof(std::uint64_t));
  return std::as_writable_bytes(std::span(words));
}

void HashedFile::write_block(std::size_t size) {
  const std::span<const std::byte> filled = block().first(size);
  hash_.push(filled);
  file_.write(filled);
  current_ = (current_ + 1) % kBlocks;
}

WrittenFile HashedFile::finish() {
  WrittenFile written;
  written.path = file_.path();
  written.size = file_.size();
  file_.finish();
  written.sha256 = hash_.finish();
  return written;
}

}  // namespace berth::graph
