// Which files of a checkpoint folder are read, and a sentence for each kind of folder that is not one.
#pragma once

#include <filesystem>
#include <optional>

namespace berth::checkpoint {

struct CheckpointFiles {
  std::filesystem::path config;
  std::filesystem::path weights;  // model.safetensors, also when other formats lie beside it
};

// `config` stands in for the folder's config.json. Opens no file. Throws Error{not_found, invalid_input, unsupported}.
[[nodiscard]] CheckpointFiles locate_files(const std::filesystem::path& folder,
                                           const std::optional<std::filesystem::path>& config);

}  // namespace berth::checkpoint
