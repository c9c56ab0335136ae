// The self-test of a bundle: recorded when it is made, run when it is verified.
#pragma once

#include <span>
#include <vector>

#include "berth/bundle.h"
#include "berth/engine.h"
#include "berth/workflow.h"
#include "workflow/texts.h"

namespace berth::workflow {

[[nodiscard]] std::vector<bundle::SelftestRow> record_selftest(const engine::Engine& engine,
                                                               std::span<const TextRow> rows, double tolerance);

// Token ids, offsets and outputs against what was recorded, and the files against the manifest.
[[nodiscard]] Comparison run_selftest(const bundle::Bundle& bundle, const engine::Options& engine_options,
                                      Progress& progress);

}  // namespace berth::workflow
