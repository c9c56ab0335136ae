// A model file against the checkpoint it was made from, read a second time by encoder::Reference.
#pragma once

#include <span>

#include "berth/checkpoint.h"
#include "berth/encoder.h"
#include "berth/engine.h"
#include "berth/workflow.h"
#include "workflow/compare.h"
#include "workflow/texts.h"

namespace berth::workflow {

// The rows that a verification of this model runs on; seeded ids when `tokenizer` is null.
[[nodiscard]] std::vector<TextRow> verification_rows(const text::Tokenizer* tokenizer, std::int64_t vocabulary,
                                                     std::size_t max_tokens, const VerifyOptions& options);

[[nodiscard]] Comparison compare_with_reference(const engine::Engine& engine, const std::filesystem::path& model_file,
                                                const checkpoint::Checkpoint& checkpoint, encoder::Head head,
                                                std::span<const TextRow> rows, const Limits& limits,
                                                const engine::Options& engine_options, Progress& progress);

}  // namespace berth::workflow
