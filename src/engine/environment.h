// What a process has one of: ONNX Runtime's environment, its global thread pool, the shared arena, and the gate.
// Made by the first engine and kept until the process ends, since ORT's own threads may outlive any session.
#pragma once

#include <cstddef>

#include "berth/engine.h"
#include "engine/gate.h"
#include "engine/ort.h"

namespace berth::engine {

struct Environment {
  OrtLibrary library;
  Ort::Env ort{nullptr};
  Gate gate;  // its size is the thread budget

  Environment(OrtLibrary opened, std::size_t threads);
};

// Thread safe. When a later engine asks for another library or budget than the first: Error{usage} with both.
[[nodiscard]] Environment& environment(const Options& options);

}  // namespace berth::engine
