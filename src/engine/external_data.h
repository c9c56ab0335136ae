// Which files beside a model hold its weights.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace berth::engine {

// The locations of external data in the order they are met, each once, as the model spells them. Each is a file inside
// the model's folder: otherwise Error{invalid_input, not_found}. A file that is no ONNX model has none.
[[nodiscard]] std::vector<std::string> external_files(const std::filesystem::path& model);

}  // namespace berth::engine
