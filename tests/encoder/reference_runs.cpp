// Goldens through the reference.
#include "reference_runs.h"

#include <utility>

namespace berth::encoder {

ReferenceInput plain_input(std::vector<std::int64_t> ids) {
  ReferenceInput input{std::move(ids), {}, {}};
  input.type_ids.assign(input.ids.size(), 0);
  input.mask.assign(input.ids.size(), 1);
  return input;
}

ReferenceInput input_of(const test::GoldenCase& one, std::int64_t row) {
  return {one.row(one.input_ids, row), one.row(one.token_type_ids, row), one.row(one.attention_mask, row)};
}

Head head_of(const test::Golden& golden, const checkpoint::Checkpoint& checkpoint) {
  return choose_head(checkpoint.config(), golden.task);
}

}  // namespace berth::encoder
