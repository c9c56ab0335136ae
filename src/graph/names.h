// How nodes and values are called in messages. Their names are strangers' text: cut to a length that can be read, and
// without bytes that a terminal would obey.
#pragma once

#include <string>
#include <string_view>

#include "berth/graph.h"

namespace berth::graph {

[[nodiscard]] std::string in_quotes(std::string_view name);

// "node 'encoder/MatMul_3' (MatMul)", or by its first output where it has no name.
[[nodiscard]] std::string describe(const Node& node);

}  // namespace berth::graph
