// Dropping what no output of a graph needs.
#pragma once

#include "berth/graph.h"

namespace berth::encoder {

// Removes nodes and initializers that no output depends on. For graphs without subgraphs, as build() makes them.
void remove_unused(graph::Graph& graph);

}  // namespace berth::encoder
