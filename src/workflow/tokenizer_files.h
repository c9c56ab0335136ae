// The tokenizer that goes with a checkpoint: read if berth can, and copied as it is in any case.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "berth/checkpoint.h"
#include "berth/text.h"

namespace berth::workflow {

struct CheckpointTokenizer {
  std::optional<text::Tokenizer> tokenizer;      // nothing for a kind that is not read yet (logged)
  std::vector<std::filesystem::path> files;
};

// Error{not_found} when there is none; Error{mismatch} when it can give an id that the model has no embedding row for.
[[nodiscard]] CheckpointTokenizer find_tokenizer(const std::filesystem::path& folder,
                                                 const checkpoint::EncoderConfig& config);

}  // namespace berth::workflow
