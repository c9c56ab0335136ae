// Models for tests: exported from the tiny checkpoints in tests/data on the spot.
#pragma once

#include <filesystem>
#include <functional>

#include "berth/graph.h"
#include "berth/workflow.h"

namespace berth::test {

// A tiny checkpoint's export, without verification, at FOLDER/NAME. Checkpoints without a tokenizer take tiny-cls's.
std::filesystem::path export_tiny(const std::string& checkpoint, const std::filesystem::path& folder,
                                  workflow::ExportOptions options = {});

// A copy of a bundle whose graph was changed by `change`: the weights of the copy are its own.
std::filesystem::path with_changed_graph(const std::filesystem::path& bundle, const std::filesystem::path& target,
                                         const std::function<void(graph::Graph&)>& change);

// The initializer of that name, with values of its own that may be changed.
std::span<float> values_of(graph::Graph& graph, const std::string& initializer);

// Flips the highest bit of an exponent in the stored values of a weight, in the file itself.
void flip_weight_bit(const std::filesystem::path& model, const std::string& initializer);

}  // namespace berth::test
