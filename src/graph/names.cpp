// Names for people.
#include "graph/names.h"

#include <algorithm>

#include "base/utf8.h"

namespace berth::graph {

std::string in_quotes(std::string_view name) {
  constexpr std::size_t kMaxBytes = 120;
  std::string shown = utf8::replace_invalid(name.substr(0, kMaxBytes));
  std::replace_if(
      shown.begin(), shown.end(), [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; },
      '?');
  return "'" + shown + (name.size() > kMaxBytes ? "…'" : "'");
}

std::string describe(const Node& node) {
  std::string name;
  if (!node.name.empty()) {
    name = in_quotes(node.name) + " ";
  } else if (!node.outputs.empty()) {
    name = "of " + in_quotes(node.outputs.front()) + " ";
  }
  const std::string op = node.domain.empty() ? node.op : node.domain + "::" + node.op;
  const std::string shown = in_quotes(op);
  return "node " + name + "(" + shown.substr(1, shown.size() - 2) + ")";
}

}  // namespace berth::graph
