// Protobuf's wire format, written: a message as encoded bytes with holes where tensors' data go, so that its exact size
// is known while the weights stay where they are. Source: protobuf.dev/programming-guides/encoding.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/graph.h"
#include "graph/tensor_stream.h"

namespace berth::graph {

class Message {
 public:
  struct Hole {
    std::size_t position;  // in text(): the tensor's data stand before the byte there
    const Tensor* tensor;  // must outlive the message
  };

  void add_integer(int field, std::int64_t value);
  void add_float(int field, float value);
  void add_text(int field, std::string_view value);
  void add_message(int field, const Message& value);
  void add_tensor_data(int field, const Tensor& tensor);     // the tensor's stored bytes, as a bytes field
  void add_encoded_fields(const Tensor& tensor);             // the tensor's stored bytes are fields themselves
  void add_encoded_field(std::span<const std::byte> field);  // with its tag, as it stands in another message

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] const std::vector<Hole>& holes() const noexcept { return holes_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return text_.size() + hole_bytes_; }

 private:
  void add_tag(int field, int wire_type);
  void add_varint(std::uint64_t value);
  void add_hole(const Tensor& tensor);

  std::string text_;
  std::vector<Hole> holes_;
  std::uint64_t hole_bytes_ = 0;
};

// All bytes of the message, in order. The message and its tensors' sources must outlive the sink.
void stream_message(const Message& message, ByteSink& sink);

}  // namespace berth::graph
