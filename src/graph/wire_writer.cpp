// Fields of protobuf messages as bytes.
#include "graph/wire_writer.h"

#include <bit>

#include "base/checked.h"

namespace berth::graph {
namespace {

constexpr int kVarint = 0;
constexpr int kLengthDelimited = 2;
constexpr int kFixed32 = 5;

}  // namespace

void Message::add_varint(std::uint64_t value) {
  while (value >= 0x80) {
    text_ += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  text_ += static_cast<char>(value);
}

void Message::add_tag(int field, int wire_type) {
  add_varint((static_cast<std::uint64_t>(field) << 3) | static_cast<std::uint64_t>(wire_type));
}

void Message::add_integer(int field, std::int64_t value) {
  add_tag(field, kVarint);
  add_varint(static_cast<std::uint64_t>(value));
}

void Message::add_float(int field, float value) {
  add_tag(field, kFixed32);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) text_ += static_cast<char>(bits >> shift);
}

void Message::add_text(int field, std::string_view value) {
  add_tag(field, kLengthDelimited);
  add_varint(value.size());
  text_ += value;
}

void Message::add_message(int field, const Message& value) {
  add_tag(field, kLengthDelimited);
  add_varint(value.size());
  for (const Hole& hole : value.holes_) holes_.push_back({text_.size() + hole.position, hole.tensor});
  hole_bytes_ = checked::add(hole_bytes_, value.hole_bytes_, "the model's size");
  text_ += value.text_;
}

void Message::add_hole(const Tensor& tensor) {
  holes_.push_back({text_.size(), &tensor});
  hole_bytes_ = checked::add(hole_bytes_, streamed_bytes(tensor), "the model's size");
}

void Message::add_tensor_data(int field, const Tensor& tensor) {
  add_tag(field, kLengthDelimited);
  add_varint(streamed_bytes(tensor));
  add_hole(tensor);
}

void Message::add_encoded_fields(const Tensor& tensor) { add_hole(tensor); }

void Message::add_encoded_field(std::span<const std::byte> field) {
  text_.append(reinterpret_cast<const char*>(field.data()), field.size());
}

void stream_message(const Message& message, ByteSink& sink) {
  const std::span<const std::byte> text = std::as_bytes(std::span(message.text()));
  std::size_t done = 0;
  for (const Message::Hole& hole : message.holes()) {
    sink.write_stable(text.subspan(done, hole.position - done));
    stream_tensor(*hole.tensor, sink);
    done = hole.position;
  }
  sink.write_stable(text.subspan(done));
}

}  // namespace berth::graph
