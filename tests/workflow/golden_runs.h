// Goldens through ONNX Runtime: what the tests of exports share.
#pragma once

#include <filesystem>
#include <vector>

#include "berth/checkpoint.h"
#include "berth/encoder.h"
#include "berth/engine.h"
#include "berth/graph.h"
#include "support/golden.h"

namespace berth::test {

// The values of a float32 tensor.
[[nodiscard]] std::vector<double> values_of(const engine::DenseTensor& tensor);

// A golden's batch as the engine's second door takes it.
[[nodiscard]] std::vector<engine::DenseTensor> inputs_of(const GoldenCase& one, const engine::Engine& engine);

// The checkpoint's graph, built for the golden's task, checked, written to `file` and loaded.
[[nodiscard]] engine::Engine load_exported(const Golden& golden, const checkpoint::Checkpoint& checkpoint,
                                           const std::filesystem::path& file, encoder::BuildOptions options = {},
                                           const graph::WriteOptions& write_options = {});

}  // namespace berth::test
