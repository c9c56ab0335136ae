// The first look at a stranger's model file, by berth's own bounded reader, before ONNX Runtime sees it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace berth::engine {

// Checks that the file is an ONNX model as far as its tensors go, and that external data lies inside the model's folder
// and is all there. Returns the names of the external data files, each once, as the model spells them.
// Throws Error{not_found, invalid_input, limit, unsupported, io}.
[[nodiscard]] std::vector<std::string> inspect_model_file(const std::filesystem::path& model);

}  // namespace berth::engine
