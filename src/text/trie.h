// A prefix tree over bytes: finds the longest of many keys that a text starts with, in time linear in that length.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace berth::text {

class Trie {
 public:
  struct Entry {
    std::string_view key;
    std::int32_t value;  // not negative
  };
  struct Match {
    std::int32_t value = -1;  // -1: none
    std::size_t length = 0;
  };
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;

  Trie() : Trie(std::span<const Entry>()) {}
  explicit Trie(std::span<const Entry> sorted);  // by key, no key twice

  // The longest key among those below `from` that `text` starts with; never the empty one.
  [[nodiscard]] Match longest(std::string_view text, Node from = kRoot) const noexcept;
  // The first place in text, at or after `at`, where some key may start; the text's size when there is none.
  [[nodiscard]] std::size_t next_start(std::string_view text, std::size_t at) const noexcept;
  // The node that `prefix` leads to, if any key starts so.
  [[nodiscard]] std::optional<Node> walk(std::string_view prefix) const noexcept;
  [[nodiscard]] std::int32_t find(std::string_view key) const noexcept;  // its value, or -1

 private:
  // The children of a node stand side by side, in the order of their labels.
  struct Children {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::int32_t value = -1;  // of the key that ends at the node
  };

  [[nodiscard]] Node child(Node node, char label) const noexcept;  // kRoot: none, as the root is nobody's child

  std::vector<Children> nodes_;
  std::array<bool, 256> starts_{};  // bytes that keys start with
  std::vector<char> labels_;        // of each node, beside nodes_: searched without it
};

}  // namespace berth::text
