// What this program was built from.
#pragma once

#include <string>

#include "base/json.h"

namespace berth::cli {

[[nodiscard]] json::Value version_json();        // {"berth": "0.1.0", "onnxruntime": …, "onnx": …}
[[nodiscard]] std::string version_text();        // the same, a line each

}  // namespace berth::cli
