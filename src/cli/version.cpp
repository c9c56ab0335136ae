// Versions, from the build and from the headers of ONNX.
#include "cli/version.h"

#include <fmt/format.h>
#include <onnx/common/version.h>

#include "base/version.h"

namespace berth::cli {

json::Value version_json() {
  return {{"berth", std::string(kVersion)}, {"onnxruntime", BERTH_ORT_VERSION}, {"onnx", ONNX_VERSION_STRING}};
}

std::string version_text() {
  return fmt::format("berth {}\nONNX Runtime {}\nONNX {}\n", kVersion, BERTH_ORT_VERSION, ONNX_VERSION_STRING);
}

}  // namespace berth::cli
