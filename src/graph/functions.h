// Model-local functions: bounded, then inlined by ONNX.
#pragma once

#include <string>

namespace onnx {
class ModelProto;
}

namespace berth::graph {

// Replaces calls by the functions' bodies, after making sure that no function calls itself and that the result stays
// small. Throws Error{unsupported, limit, invalid_input} that names the function.
void inline_functions(onnx::ModelProto& model, const std::string& file);

}  // namespace berth::graph
