// bind() with what it leaves over, for any row of the table of families.
#pragma once

#include <string>
#include <vector>

#include "berth/encoder.h"
#include "encoder/family.h"

namespace berth::encoder {

struct Binding {
  Weights weights;
  std::string unused;  // names, as stored, of tensors that the head does not need: "a, b"
};

// Throws one Error with all config_problems(), when there are any.
void require_exportable(const checkpoint::EncoderConfig& config, Head head);

// The family must have the head, and the config be exportable.
[[nodiscard]] Binding bind_as(const Family& family, const checkpoint::Checkpoint& checkpoint, Head head);

}  // namespace berth::encoder
