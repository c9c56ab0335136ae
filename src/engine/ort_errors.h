// ONNX Runtime's messages in berth's words.
#pragma once

#include <string>
#include <utility>

#include "berth/error.h"
#include "engine/ort.h"

namespace berth::engine {

// `where` is the model's file name. A message that no row of the table knows is wrapped in a sentence.
[[nodiscard]] Error translate(const std::string& message, OrtErrorCode code, const std::string& where);

// Calls `function`; what ORT throws comes out as a berth::Error.
template <typename Function>
decltype(auto) translated(const std::string& where, Function&& function) {
  try {
    return std::forward<Function>(function)();
  } catch (const Ort::Exception& exception) {
    throw translate(exception.what(), exception.GetOrtErrorCode(), where);
  }
}

}  // namespace berth::engine
