// Fields out of strangers' bytes.
#include "graph/wire_reader.h"

#include <cstring>

#include "berth/error.h"

namespace berth::graph {
namespace {

constexpr int kMaxVarintBytes = 10;

template <typename Value>
Value load(std::span<const std::byte> bytes) {
  Value value;
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

}  // namespace

void FieldReader::fail(const std::string& message) const {
  const std::ptrdiff_t position = rest_.data() - source_->bytes.data();
  throw Error(ErrorKind::invalid_input, source_->name,
              "is not a readable ONNX model: " + message + " at byte " + std::to_string(position),
              "the file is damaged or cut short: fetch or export it again");
}

std::span<const std::byte> FieldReader::take(std::uint64_t size) {
  if (size > rest_.size()) {
    fail("a field of " + std::to_string(size) + " bytes where " + std::to_string(rest_.size()) + " are left");
  }
  const std::span<const std::byte> taken = rest_.first(static_cast<std::size_t>(size));
  rest_ = rest_.subspan(taken.size());
  return taken;
}

std::uint64_t FieldReader::read_varint() {
  std::uint64_t value = 0;
  for (int i = 0; i < kMaxVarintBytes; ++i) {
    const auto byte = std::to_integer<std::uint64_t>(take(1).front());
    value |= (byte & 0x7F) << (7 * i);
    if (byte < 0x80) return value;
  }
  fail("a number of more than 64 bits");
}

bool FieldReader::next(Field& field) {
  if (rest_.empty()) return false;
  const std::byte* const begin = rest_.data();
  const std::uint64_t tag = read_varint();
  constexpr std::uint64_t kMaxFieldNumber = (std::uint64_t{1} << 29) - 1;
  if ((tag >> 3) == 0 || (tag >> 3) > kMaxFieldNumber) fail("a field without a valid number");
  field.number = static_cast<int>(tag >> 3);
  field.content = {};
  switch (tag & 7) {
    case 0: field.value = read_varint(); break;
    case 1:
      field.content = take(8);
      field.value = load<std::uint64_t>(field.content);
      break;
    case 2: field.content = take(read_varint()); break;
    case 5:
      field.content = take(4);
      field.value = load<std::uint32_t>(field.content);
      break;
    default: fail("a field of the unknown wire type " + std::to_string(tag & 7));
  }
  field.type = static_cast<WireType>(tag & 7);
  field.whole = {begin, rest_.data()};
  return true;
}

}  // namespace berth::graph
