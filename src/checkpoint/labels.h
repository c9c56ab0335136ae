// The names of a classifier's outputs, from id2label and num_labels of config.json.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace berth::checkpoint {

// As Transformers: id2label wins over num_labels (a difference is logged as a warning); where the file names no label,
// they are LABEL_0 … for num_labels, or for two. Throws Error{invalid_input} for gaps and keys that are no ids.
[[nodiscard]] std::vector<std::string> read_labels(const json::Object& config);

}  // namespace berth::checkpoint
