// Versions: which IR an opset needs, and what the runtime of this project loads.
#include <algorithm>
#include <array>

#include "berth/graph.h"

namespace berth::graph {
namespace {

struct Release {
  std::int64_t ir_version;
  std::int64_t opset;
};

// Each IR version with the lowest opset that was released with it (onnx.helper.VERSION_TABLE of ONNX 1.23).
constexpr std::array<Release, 12> kFirstOpsetOfIr{
    {{3, 1}, {4, 9}, {5, 10}, {6, 11}, {7, 12}, {8, 15}, {9, 19}, {10, 21}, {11, 23}, {12, 24}, {13, 25}, {14, 28}}};

}  // namespace

std::int64_t Model::opset() const noexcept {
  const auto found = std::find_if(opsets.begin(), opsets.end(),
                                  [](const Opset& opset) { return opset.domain.empty() || opset.domain == "ai.onnx"; });
  return found != opsets.end() ? found->version : 0;
}

std::int64_t lowest_ir_version(std::int64_t opset) {
  std::int64_t ir_version = kFirstOpsetOfIr.front().ir_version;
  for (const Release& release : kFirstOpsetOfIr) {
    if (opset >= release.opset) ir_version = release.ir_version;
  }
  return ir_version;
}

// Measured with onnxruntime 1.32.0 on a model of one Relu: IR versions up to 14 load and 15 is refused ("max supported
// IR version: 14"); opsets up to 28 load without a warning and 29 is refused ("official support … is till opset 28").
RuntimeLimits runtime_limits() { return {"ONNX Runtime 1.32.0", 14, 28}; }

}  // namespace berth::graph
