// The header through simdjson's on-demand parser, from a copy: mapped bytes may change while they are parsed.
// Every value is visited, so that no part of the header goes unvalidated.
#include "checkpoint/safetensors_header.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <simdjson.h>

#include "berth/error.h"
#include "checkpoint/safetensors.h"

namespace berth::checkpoint {
namespace {

namespace ondemand = simdjson::ondemand;
using Offsets = std::pair<std::uint64_t, std::uint64_t>;

constexpr std::size_t kMaxTensors = std::size_t{1} << 20;
constexpr std::size_t kMaxRank = 64;  // as in NumPy and PyTorch
constexpr std::string_view kMetadata = "__metadata__";

[[noreturn]] void fail(const std::string& where, const std::string& message) {
  throw Error(ErrorKind::invalid_input, where, message);
}

// A value as it stands in the header, for messages.
std::string shown(ondemand::value value) {
  constexpr std::size_t kMaxShown = 40;
  std::string_view token = value.raw_json_token();
  while (!token.empty() && token.back() <= ' ') token.remove_suffix(1);
  if (token.starts_with('{')) return "an object";
  if (token.starts_with('[')) return "a list";
  return token.size() <= kMaxShown ? std::string(token) : "a long value";
}

std::int64_t read_size(ondemand::value value, const std::string& where, std::string_view field) {
  std::uint64_t size = 0;
  if (value.get_uint64().get(size) != simdjson::SUCCESS || size > static_cast<std::uint64_t>(INT64_MAX)) {
    fail(where, std::string(field) + " holds " + shown(value) + ", expected whole numbers from 0 to 2^63 - 1");
  }
  return static_cast<std::int64_t>(size);
}

ondemand::array read_list(ondemand::value value, const std::string& where, std::string_view field) {
  ondemand::array list;
  if (value.get_array().get(list) != simdjson::SUCCESS) {
    fail(where, std::string(field) + " is " + shown(value) + ", expected a list of whole numbers");
  }
  return list;
}

ondemand::object read_object(ondemand::value value, const std::string& where, std::string_view expected) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) {
    fail(where, "is " + shown(value) + ", expected " + std::string(expected));
  }
  return object;
}

DType read_dtype(ondemand::value value, const std::string& where) {
  std::string_view name;
  if (value.get_string().get(name) != simdjson::SUCCESS) {
    fail(where, "dtype is " + shown(value) + ", expected a string");
  }
  std::string known;
  for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(DType::boolean); ++i) {
    const auto dtype = static_cast<DType>(i);
    if (name == name_of(dtype)) return dtype;
    known.append(i == 0 ? "" : ", ").append(name_of(dtype));
  }
  throw Error(ErrorKind::unsupported, where, "has the dtype " + shown(value) + ", supported are " + known,
              "save the model in float32, float16 or bfloat16");
}

Shape read_shape(ondemand::value value, const std::string& where) {
  Shape shape;
  for (ondemand::value extent : read_list(value, where, "shape")) {
    if (shape.size() == kMaxRank) {
      throw Error(ErrorKind::limit, where, "has more than " + std::to_string(kMaxRank) + " dimensions");
    }
    shape.push_back(read_size(extent, where, "shape"));
  }
  return shape;
}

Offsets read_offsets(ondemand::value value, const std::string& where) {
  std::array<std::uint64_t, 2> offsets{};
  std::size_t count = 0;
  for (ondemand::value offset : read_list(value, where, "data_offsets")) {
    if (count == offsets.size()) fail(where, "data_offsets has more than two numbers");
    offsets[count++] = static_cast<std::uint64_t>(read_size(offset, where, "data_offsets"));
  }
  if (count != offsets.size()) fail(where, "data_offsets has fewer than two numbers");
  return {offsets[0], offsets[1]};
}

template <typename T>
void set_once(std::optional<T>& slot, T value, const std::string& where, std::string_view field) {
  if (slot) fail(where, "has the field " + std::string(field) + " twice");
  slot = std::move(value);
}

HeaderEntry read_entry(std::string name, ondemand::value value, const std::string& file) {
  const std::string where = place_of(file, name);
  std::optional<DType> dtype;
  std::optional<Shape> shape;
  std::optional<Offsets> offsets;
  for (ondemand::field member : read_object(value, where, "an object with dtype, shape and data_offsets")) {
    const std::string_view field = member.unescaped_key();
    if (field == "dtype") {
      set_once(dtype, read_dtype(member.value(), where), where, field);
    } else if (field == "shape") {
      set_once(shape, read_shape(member.value(), where), where, field);
    } else if (field == "data_offsets") {
      set_once(offsets, read_offsets(member.value(), where), where, field);
    } else {
      fail(place_of(where, field), "is not a field of a tensor, expected dtype, shape and data_offsets");
    }
  }
  if (!dtype) fail(where, "has no dtype");
  if (!shape) fail(where, "has no shape");
  if (!offsets) fail(where, "has no data_offsets");
  return {std::move(name), *dtype, std::move(*shape), offsets->first, offsets->second};
}

std::vector<std::pair<std::string, std::string>> read_metadata(ondemand::value value, const std::string& file) {
  const std::string where = place_of(file, kMetadata);
  std::vector<std::pair<std::string, std::string>> metadata;
  for (ondemand::field member : read_object(value, where, "an object of strings")) {
    std::string key(member.unescaped_key().value());
    std::string_view text;
    if (member.value().get_string().get(text) != simdjson::SUCCESS) {
      fail(place_of(where, key), "is " + shown(member.value()) + ", expected a string");
    }
    metadata.emplace_back(std::move(key), text);
  }
  return metadata;
}

Header read_members(ondemand::document& document, const std::string& file) {
  Header header;
  bool has_metadata = false;
  for (ondemand::field member : document.get_object()) {
    std::string name(member.unescaped_key().value());
    if (name == kMetadata) {
      if (std::exchange(has_metadata, true)) fail(place_of(file, name), "stands twice in the header");
      header.metadata = read_metadata(member.value(), file);
      continue;
    }
    if (header.entries.size() == kMaxTensors) {
      throw Error(ErrorKind::limit, file, "holds more than " + std::to_string(kMaxTensors) + " tensors");
    }
    header.entries.push_back(read_entry(std::move(name), member.value(), file));
  }
  const bool at_end = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  if (!at_end) fail(file, "has more in its header than one JSON object");
  return header;
}

}  // namespace

Header parse_header(std::string_view json, const std::string& file) {
  const simdjson::padded_string copy(json);
  ondemand::parser parser;
  try {
    ondemand::document document = parser.iterate(copy);
    return read_members(document, file);
  } catch (const simdjson::simdjson_error& failure) {
    throw Error(ErrorKind::invalid_input, file, std::string("has a header that is not valid JSON: ") + failure.what(),
                "the file is damaged: download or save it again");
  }
}

}  // namespace berth::checkpoint
