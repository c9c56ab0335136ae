// Protobuf's wire format, read with bounds: a message as its fields, each lying inside the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace berth::graph {

// The file that is read, for the words of errors.
struct WireSource {
  std::string name;
  std::span<const std::byte> bytes;
};

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, length_delimited = 2, fixed32 = 5 };

struct Field {
  int number = 0;
  WireType type = WireType::varint;
  std::uint64_t value = 0;             // of varint, fixed64, fixed32
  std::span<const std::byte> content;  // of length_delimited; of fixed types their bytes
  std::span<const std::byte> whole;    // with the tag

  [[nodiscard]] std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(content.data()), content.size()};
  }
};

// Every member throws Error{invalid_input} with the byte's place in the file where the message is broken.
class FieldReader {
 public:
  FieldReader(const WireSource& source, std::span<const std::byte> message) noexcept
      : source_(&source), rest_(message) {}

  [[nodiscard]] bool next(Field& field);  // false at the end of the message
  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  [[nodiscard]] std::uint64_t read_varint();  // of a packed field

 private:
  [[noreturn]] void fail(const std::string& message) const;
  std::span<const std::byte> take(std::uint64_t size);

  const WireSource* source_;
  std::span<const std::byte> rest_;
};

}  // namespace berth::graph
