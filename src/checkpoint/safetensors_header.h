// The JSON header of a safetensors file as plain data. Whether it agrees with the bytes behind it is checked later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/tensor.h"

namespace berth::checkpoint {

struct HeaderEntry {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;              // no extent is negative
  std::uint64_t begin = 0;  // in bytes from the end of the header, not yet checked
  std::uint64_t end = 0;
};

struct Header {
  std::vector<HeaderEntry> entries;  // in the header's order; a name may stand twice
  std::vector<std::pair<std::string, std::string>> metadata;
};

// `file` is the file's name in errors.
[[nodiscard]] Header parse_header(std::string_view json, const std::string& file);

}  // namespace berth::checkpoint
