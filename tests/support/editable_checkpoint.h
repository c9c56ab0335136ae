// A small, sound checkpoint held in memory so that a test can change one thing of it and write it elsewhere.
//
//   EditableCheckpoint checkpoint = read_editable(data("cases/tiny-cls"));
//   checkpoint.config["layer_norm_eps"] = 1e-5;
//   write(checkpoint, temporary.path() / "changed");
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "berth/tensor.h"

namespace berth::test {

struct EditableTensor {
  Shape shape;
  std::vector<double> values;
};

struct EditableCheckpoint {
  json::Value config;
  std::map<std::string, EditableTensor> tensors;  // by the names in the file
};

// Reads FOLDER/config.json and model.safetensors, which are trusted.
[[nodiscard]] EditableCheckpoint read_editable(const std::filesystem::path& folder);

// Writes both into a new or existing folder, all tensors as F64, so that what was not changed stays as it was.
void write(const EditableCheckpoint& checkpoint, const std::filesystem::path& folder);

}  // namespace berth::test
