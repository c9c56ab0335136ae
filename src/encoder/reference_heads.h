// What a head makes of the encoder's last hidden state (Devlin et al. 2018, sections 3 and 4).
#pragma once

#include <map>
#include <string>

#include "berth/encoder.h"
#include "encoder/reference_blocks.h"

namespace berth::encoder::reference {

// The outputs of `head` by name; `hidden` is [tokens, hidden].
[[nodiscard]] std::map<std::string, ReferenceTensor> head_outputs(const Model& model, Head head, Rows hidden,
                                                                  std::span<const std::int64_t> mask);

// A matrix as a result: [rows, columns].
[[nodiscard]] ReferenceTensor as_tensor(Matrix matrix);

}  // namespace berth::encoder::reference
