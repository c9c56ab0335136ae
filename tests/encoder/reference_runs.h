// Goldens through the reference: what its tests share.
#pragma once

#include <cstdint>
#include <vector>

#include "berth/encoder.h"
#include "support/golden.h"

namespace berth::encoder {

// One text, all of it visible, in one segment.
[[nodiscard]] ReferenceInput plain_input(std::vector<std::int64_t> ids);

// One text of a golden's batch, padding and all.
[[nodiscard]] ReferenceInput input_of(const test::GoldenCase& one, std::int64_t row);

[[nodiscard]] Head head_of(const test::Golden& golden, const checkpoint::Checkpoint& checkpoint);

}  // namespace berth::encoder
