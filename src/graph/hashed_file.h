// A new file whose SHA-256 is computed in a second thread while it is written.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <filesystem>
#include <mutex>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "berth/graph.h"
#include "graph/tensor_stream.h"

namespace berth::graph {

// Hashes what is pushed, in order, in its own thread. A push waits while kDepth pieces are unhashed: what was pushed
// kDepth pushes ago is no longer read.
class HashThread {
 public:
  static constexpr std::size_t kDepth = 4;

  HashThread();
  ~HashThread();
  void push(std::span<const std::byte> bytes);
  [[nodiscard]] std::string finish();  // waits for the rest; 64 hexadecimal digits

 private:
  void run();
  void stop() noexcept;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::span<const std::byte>> queue_;  // its head is being hashed
  bool closed_ = false;
  std::exception_ptr failure_;
  Sha256 hash_;
  std::thread thread_;
};

class HashedFile : public ByteSink {
 public:
  explicit HashedFile(const std::filesystem::path& path);

  void write_stable(std::span<const std::byte> bytes) override;
  void write_stable(std::string_view text) { write_stable(std::as_bytes(std::span(text))); }
  [[nodiscard]] std::span<std::byte> block() override;
  void write_block(std::size_t size) override;
  [[nodiscard]] std::uint64_t size() const noexcept { return file_.size(); }
  [[nodiscard]] WrittenFile finish();

 private:
  static constexpr std::size_t kBlocks = HashThread::kDepth + 1;  // one is filled while the others wait for the hash

  FileWriter file_;
  std::array<std::vector<std::uint64_t>, kBlocks> blocks_;  // words, for alignment; made when first needed
  std::size_t current_ = 0;
  HashThread hash_;  // ends before the blocks that it reads
};

}  // namespace berth::graph
