// Limits from metadata, and inputs against them.
#include "engine/limits.h"

#include <charconv>
#include <cstring>
#include <string_view>

#include "berth/error.h"

namespace berth::engine {
namespace {

// A positive number, or 0 for anything else: metadata of other tools may use the same word for something of theirs.
std::int64_t read_number(const Ort::ModelMetadata& metadata, std::string_view key) {
  Ort::AllocatorWithDefaultOptions allocator;
  const auto text = metadata.LookupCustomMetadataMapAllocated(std::string(key).c_str(), allocator);
  if (!text) return 0;
  const std::string_view digits = text.get();
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = failure == std::errc{} && end == digits.data() + digits.size();
  return whole && value > 0 ? value : 0;
}

void check_length(std::int64_t tokens, const ModelLimits& limits, const std::string& where) {
  if (limits.max_tokens == 0 || tokens <= limits.max_tokens) return;
  throw Error(ErrorKind::limit, where,
              "is given a sequence of " + std::to_string(tokens) + " tokens, and takes at most " +
                  std::to_string(limits.max_tokens),
              "cut the text to the model's length");
}

void check_id(std::int64_t id, const ModelLimits& limits, const std::string& where) {
  if (limits.vocabulary == 0 || (id >= 0 && id < limits.vocabulary)) return;
  throw Error(ErrorKind::invalid_input, where,
              "is given the token id " + std::to_string(id) + ", and its embedding table has " +
                  std::to_string(limits.vocabulary) + " rows",
              "use the tokenizer that the model was trained with");
}

template <typename Id>
void check_ids(const DenseTensor& tensor, const ModelLimits& limits, const std::string& where) {
  for (std::size_t at = 0; at + sizeof(Id) <= tensor.data.size(); at += sizeof(Id)) {
    Id id;
    std::memcpy(&id, tensor.data.data() + at, sizeof(Id));
    check_id(id, limits, where);
  }
}

}  // namespace

ModelLimits read_limits(const Ort::Session& session) {
  const Ort::ModelMetadata metadata = session.GetModelMetadata();
  return {read_number(metadata, graph::kMaxTokensKey), read_number(metadata, graph::kVocabularyKey)};
}

void check(const Batch& batch, const ModelLimits& limits, const std::string& where) {
  for (std::size_t i = 0; i < batch.size(); ++i) check_length(batch.offsets[i + 1] - batch.offsets[i], limits, where);
  for (const std::int32_t id : batch.ids) check_id(id, limits, where);
}

void check(std::span<const DenseTensor> inputs, const ModelLimits& limits, const std::string& where) {
  for (const DenseTensor& tensor : inputs) {
    if (tensor.name != "input_ids") continue;
    if (tensor.shape.size() == 2) check_length(tensor.shape[1], limits, where);
    if (tensor.dtype == DType::i64) check_ids<std::int64_t>(tensor, limits, where);
    if (tensor.dtype == DType::i32) check_ids<std::int32_t>(tensor, limits, where);
  }
}

}  // namespace berth::engine
