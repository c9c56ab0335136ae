// Nodes are laid out depth first with siblings side by side, so that a word's path tends to lie together.
#include "text/trie.h"

#include <algorithm>
#include <cstring>

namespace berth::text {
namespace {

// The keys [begin, end) that pass through a node, and how many of their bytes lead to it.
struct Branch {
  Trie::Node node;
  std::size_t begin;
  std::size_t end;
  std::size_t depth;
};

}  // namespace

Trie::Trie(std::span<const Entry> sorted) {
  for (const Entry& entry : sorted) {
    if (!entry.key.empty()) starts_[static_cast<unsigned char>(entry.key[0])] = true;
  }
  nodes_.emplace_back();
  labels_.push_back('\0');
  std::vector<Branch> open{{kRoot, 0, sorted.size(), 0}};
  while (!open.empty()) {
    Branch branch = open.back();
    open.pop_back();
    if (branch.begin < branch.end && sorted[branch.begin].key.size() == branch.depth) {
      nodes_[branch.node].value = sorted[branch.begin++].value;
    }
    const auto first = static_cast<Node>(nodes_.size());
    const std::size_t first_open = open.size();
    for (std::size_t i = branch.begin; i < branch.end;) {
      const char label = sorted[i].key[branch.depth];
      const std::size_t begin = i;
      while (i < branch.end && sorted[i].key[branch.depth] == label) ++i;
      open.push_back({static_cast<Node>(nodes_.size()), begin, i, branch.depth + 1});
      nodes_.emplace_back();
      labels_.push_back(label);
    }
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first_open), open.end());
    nodes_[branch.node].first = first;
    nodes_[branch.node].count = static_cast<std::uint32_t>(nodes_.size()) - first;
  }
}

Trie::Node Trie::child(Node node, char label) const noexcept {
  constexpr std::uint32_t kFew = 8;
  const Children& children = nodes_[node];
  const char* const labels = labels_.data() + children.first;
  if (children.count <= kFew) {
    for (std::uint32_t i = 0; i < children.count; ++i) {
      if (labels[i] == label) return children.first + i;
    }
    return kRoot;
  }
  const void* const found = std::memchr(labels, static_cast<unsigned char>(label), children.count);
  return found == nullptr ? kRoot : static_cast<Node>(static_cast<const char*>(found) - labels_.data());
}

Trie::Match Trie::longest(std::string_view text, Node from) const noexcept {
  Match best;
  Node node = from;
  for (std::size_t i = 0; i < text.size(); ++i) {
    node = child(node, text[i]);
    if (node == kRoot) break;
    if (nodes_[node].value >= 0) best = {nodes_[node].value, i + 1};
  }
  return best;
}

std::size_t Trie::next_start(std::string_view text, std::size_t at) const noexcept {
  while (at < text.size() && !starts_[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

std::optional<Trie::Node> Trie::walk(std::string_view prefix) const noexcept {
  Node node = kRoot;
  for (const char label : prefix) {
    node = child(node, label);
    if (node == kRoot) return std::nullopt;
  }
  return node;
}

std::int32_t Trie::find(std::string_view key) const noexcept {
  const std::optional<Node> node = walk(key);
  return node ? nodes_[*node].value : -1;
}

}  // namespace berth::text
