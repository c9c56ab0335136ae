// Our own rules of a sound model, beside those of ONNX's checker.
#pragma once

#include "berth/graph.h"
#include "graph/problems.h"

namespace berth::graph {

// IR version, opsets and domains against the runtime.
void check_versions(const Model& model, const RuntimeLimits& limits, Problems& problems);

// Every value is defined once and before it is used; inputs and outputs of the model have types.
void check_names(const Model& model, Problems& problems);

}  // namespace berth::graph
