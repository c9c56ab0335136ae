// Reads the safetensors format: eight bytes of header length, a JSON header, then the tensors without gaps.
// Nothing that the file says is believed before it is checked against the bytes that are there. Source of truth:
// https://github.com/huggingface/safetensors ("Format" in its README). Stricter than its own reader in what that lets
// pass: a name that stands twice, fields of a tensor that the format does not have, white space before the header.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/tensor.h"

namespace berth::checkpoint {

struct NamedTensor {
  std::string name;  // as stored
  TensorView view;   // into the file's bytes
};

struct Safetensors {
  std::vector<NamedTensor> tensors;                           // by name; no name twice
  std::vector<std::pair<std::string, std::string>> metadata;  // as stored: {"format", "pt"}
};

// `file` must outlive the views; `name` is the file's name in errors. Allocates at most a small multiple of the header
// that the file really holds. Throws Error{invalid_input, unsupported, limit}.
[[nodiscard]] Safetensors read_safetensors(std::span<const std::byte> file, const std::string& name);

// A tensor's name for messages: cut when it is absurdly long, without control characters.
[[nodiscard]] std::string shown_name(std::string_view tensor);

// "model.safetensors: classifier.weight".
[[nodiscard]] std::string place_of(const std::string& file, std::string_view tensor);

}  // namespace berth::checkpoint
