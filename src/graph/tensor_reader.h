// A TensorProto out of a file: its values as raw bytes, wherever and however they were stored.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "berth/graph.h"
#include "graph/wire_reader.h"

namespace berth::graph {

inline constexpr std::size_t kMaxTensorProblems = 100;  // one more ends the reading

// Where the values of a tensor stand outside the model file, in the words of the file.
struct ExternalReference {
  std::string location;
  std::optional<std::string> offset;
  std::optional<std::string> length;
};

struct StoredTensor {
  std::string name;
  ElementType type = ElementType::undefined;
  Shape shape;
  std::span<const std::byte> data;  // in the mapped file, or in `owned`
  std::shared_ptr<const std::vector<std::byte>> owned;
  std::optional<ExternalReference> external;  // then `data` is still empty
};

// Reads one TensorProto. Values in typed fields (float_data, int64_data …) become raw bytes; raw data stay in the file.
// Throws Error{invalid_input, unsupported, limit} that names the tensor. With `problems`, values that are not right are
// told there instead, and the tensor stays without them.
[[nodiscard]] StoredTensor read_tensor(const WireSource& source, std::span<const std::byte> message,
                                       std::vector<std::string>* problems);

}  // namespace berth::graph
