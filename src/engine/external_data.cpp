// A walk over the protobuf fields of a mapped model that lead to TensorProto.external_data (onnx.proto), without
// reading the weights on the way. What is malformed ends the walk: saying so is the runtime's part.
#include "engine/external_data.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

#include "base/mapped_file.h"
#include "berth/error.h"

namespace berth::engine {
namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const std::byte>;

enum class Message { model, function, graph, node, attribute, sparse_tensor, tensor, entry };

struct Field {
  Message in;
  std::uint64_t number;
  Message holds;
};

constexpr std::array kPaths = {
    Field{Message::model, 7, Message::graph},           Field{Message::model, 25, Message::function},
    Field{Message::function, 7, Message::node},         Field{Message::graph, 1, Message::node},
    Field{Message::graph, 5, Message::tensor},          Field{Message::graph, 15, Message::sparse_tensor},
    Field{Message::node, 5, Message::attribute},        Field{Message::attribute, 5, Message::tensor},
    Field{Message::attribute, 6, Message::graph},       Field{Message::attribute, 10, Message::tensor},
    Field{Message::attribute, 11, Message::graph},      Field{Message::attribute, 22, Message::sparse_tensor},
    Field{Message::attribute, 23, Message::sparse_tensor}, Field{Message::sparse_tensor, 1, Message::tensor},
    Field{Message::sparse_tensor, 2, Message::tensor},  Field{Message::tensor, 13, Message::entry},
};

constexpr std::uint64_t kEntryKey = 1;
constexpr std::uint64_t kEntryValue = 2;
constexpr int kDeepest = 100;                    // protobuf's own limit on nesting

std::optional<std::uint64_t> read_varint(Bytes& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(bytes.front());
    bytes = bytes.subspan(1);
    value |= (byte & 0x7FU) << shift;
    if (byte < 0x80U) return value;
  }
  return std::nullopt;
}

struct RawField {
  std::uint64_t number = 0;
  Bytes content;                                 // of a length-delimited field, else empty
};

std::optional<RawField> read_field(Bytes& bytes) {
  const auto tag = read_varint(bytes);
  if (!tag) return std::nullopt;
  RawField field{*tag >> 3, {}};
  std::uint64_t size = 0;
  switch (*tag & 7U) {
    case 0: return read_varint(bytes) ? std::optional(field) : std::nullopt;
    case 1: size = 8; break;
    case 5: size = 4; break;
    case 2: {
      const auto length = read_varint(bytes);
      if (!length || *length > bytes.size()) return std::nullopt;
      field.content = bytes.first(*length);
      size = *length;
      break;
    }
    default: return std::nullopt;
  }
  if (size > bytes.size()) return std::nullopt;
  bytes = bytes.subspan(size);
  return field;
}

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

void read_entry(Bytes bytes, std::vector<std::string>& locations) {
  std::string_view key;
  std::string_view value;
  while (const auto field = read_field(bytes)) {
    if (field->number == kEntryKey) key = text_of(field->content);
    if (field->number == kEntryValue) value = text_of(field->content);
  }
  if (key != "location" || std::find(locations.begin(), locations.end(), value) != locations.end()) return;
  locations.emplace_back(value);
}

void walk(Message message, Bytes bytes, int depth, std::vector<std::string>& locations) {
  if (message == Message::entry) return read_entry(bytes, locations);
  if (depth > kDeepest) return;
  while (const auto field = read_field(bytes)) {
    const auto path = std::find_if(kPaths.begin(), kPaths.end(), [&](const Field& known) {
      return known.in == message && known.number == field->number;
    });
    if (path != kPaths.end()) walk(path->holds, field->content, depth + 1, locations);
  }
}

void require_inside(const fs::path& model, const std::string& location) {
  std::error_code error;                         // a location that the system cannot even look at is not inside
  const fs::path folder = fs::weakly_canonical(fs::absolute(model).parent_path());
  const fs::path target = fs::weakly_canonical(folder / location, error);
  if (error || std::mismatch(folder.begin(), folder.end(), target.begin(), target.end()).first != folder.end()) {
    throw Error(ErrorKind::invalid_input, model.string(),
                "wants to read weights from " + location + ", outside its own folder");
  }
  if (!fs::is_regular_file(target, error)) {
    throw Error(ErrorKind::not_found, model.string(), "needs the weights file " + location + ", which is missing",
                "a model and its weights files travel together, in one folder");
  }
}

}  // namespace

std::vector<std::string> external_files(const fs::path& model) {
  const MappedFile file(model);
  std::vector<std::string> locations;
  walk(Message::model, file.bytes(), 0, locations);
  file.require_intact();
  for (const std::string& location : locations) require_inside(model, location);
  return locations;
}

}  // namespace berth::engine
