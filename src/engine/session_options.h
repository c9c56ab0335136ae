// berth's options, checked and turned into ONNX Runtime's.
#pragma once

#include <cstddef>

#include "berth/engine.h"
#include "engine/ort.h"

namespace berth::engine {

// Throws Error{usage} that names the option, what it is, and what it may be.
void check(const Options& options);

// Whose threads a Run uses, and how many of the process's budget it takes at the gate.
struct ThreadPlan {
  bool global_pool = true;
  std::size_t intra_op = 1;  // of the session's own pool, when it has one
  std::size_t cost = 1;
};

// The global pool serves what most engines ask for. A session gets a pool of its own where the options are of a pool:
// its size, its spinning, its cores, its parallel execution, or a single thread for each of many Runs.
[[nodiscard]] ThreadPlan plan_threads(const Options& options, std::size_t budget);

[[nodiscard]] Ort::SessionOptions session_options(const Options& options, const ThreadPlan& threads);

}  // namespace berth::engine
