// One spelling for the names of tensors, whoever saved them and when.
#pragma once

#include <string>
#include <string_view>

namespace berth::checkpoint {

// Drops what wrappers put in front (DataParallel's "module.", torch.compile's "_orig_mod.", "model."), then the base
// model's prefix ("bert."), and turns the LayerNorm.gamma and .beta of checkpoints that began in TensorFlow into
// weight and bias, as Transformers does on loading.
[[nodiscard]] std::string normalised_name(std::string_view stored, std::string_view base_prefix);

}  // namespace berth::checkpoint
