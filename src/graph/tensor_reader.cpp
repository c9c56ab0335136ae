// Which field holds a tensor's values depends on its type, which may come after them: so fields are gathered first.
#include "graph/tensor_reader.h"

#include <array>
#include <cstring>
#include <onnx/onnx_pb.h>

#include "base/checked.h"
#include "berth/error.h"
#include "graph/element_type.h"
#include "graph/names.h"

namespace berth::graph {
namespace {

using onnx::TensorProto;

constexpr std::size_t kMaxRank = 1024;

struct GatheredFields {
  StoredTensor tensor;
  std::optional<std::span<const std::byte>> raw_data;
  std::vector<Field> typed;  // occurrences of float_data, int32_data …, in the file's order
  bool is_external = false;
  bool is_segment = false;
};

std::string place_of(const WireSource& source, const StoredTensor& tensor) {
  return source.name + ": tensor " + in_quotes(tensor.name);
}

void read_external_entry(const WireSource& source, const Field& entry, ExternalReference& reference) {
  std::string key;
  std::string value;
  Field field;
  for (FieldReader reader(source, entry.content); reader.next(field);) {
    if (field.number == onnx::StringStringEntryProto::kKeyFieldNumber) key = field.text();
    if (field.number == onnx::StringStringEntryProto::kValueFieldNumber) value = field.text();
  }
  if (key == "location") reference.location = value;
  if (key == "offset") reference.offset = value;
  if (key == "length") reference.length = value;
}

void add_dimensions(const WireSource& source, const Field& field, Shape& shape) {
  if (field.type == WireType::varint) {
    shape.push_back(static_cast<std::int64_t>(field.value));
    return;
  }
  for (FieldReader packed(source, field.content); !packed.at_end() && shape.size() <= kMaxRank;) {
    shape.push_back(static_cast<std::int64_t>(packed.read_varint()));
  }
}

GatheredFields gather(const WireSource& source, std::span<const std::byte> message) {
  GatheredFields gathered;
  ExternalReference reference;
  Field field;
  for (FieldReader reader(source, message); reader.next(field);) {
    switch (field.number) {
      case TensorProto::kDimsFieldNumber: add_dimensions(source, field, gathered.tensor.shape); break;
      case TensorProto::kDataTypeFieldNumber:
        gathered.tensor.type = static_cast<ElementType>(static_cast<std::int32_t>(field.value));
        break;
      case TensorProto::kNameFieldNumber: gathered.tensor.name = field.text(); break;
      case TensorProto::kRawDataFieldNumber: gathered.raw_data = field.content; break;
      case TensorProto::kExternalDataFieldNumber: read_external_entry(source, field, reference); break;
      case TensorProto::kDataLocationFieldNumber: gathered.is_external = field.value == TensorProto::EXTERNAL; break;
      case TensorProto::kSegmentFieldNumber: gathered.is_segment = true; break;
      case TensorProto::kFloatDataFieldNumber:
      case TensorProto::kInt32DataFieldNumber:
      case TensorProto::kStringDataFieldNumber:
      case TensorProto::kInt64DataFieldNumber:
      case TensorProto::kDoubleDataFieldNumber:
      case TensorProto::kUint64DataFieldNumber: gathered.typed.push_back(field); break;
      default: break;  // documentation and metadata
    }
    if (gathered.tensor.shape.size() > kMaxRank) {
      throw Error(ErrorKind::limit, source.name,
                  "has a tensor of more than " + std::to_string(kMaxRank) + " dimensions");
    }
  }
  if (gathered.is_external) gathered.tensor.external = std::move(reference);
  return gathered;
}

// The field that onnx.proto gives to the values of each type. Narrow types stand as one number an entry, 4-bit and
// 2-bit ones as one byte of packed values an entry.
int typed_field_of(ElementType type) {
  switch (type) {
    case ElementType::f32: return TensorProto::kFloatDataFieldNumber;
    case ElementType::f64: return TensorProto::kDoubleDataFieldNumber;
    case ElementType::i64: return TensorProto::kInt64DataFieldNumber;
    case ElementType::u32:
    case ElementType::u64: return TensorProto::kUint64DataFieldNumber;
    case ElementType::string: return TensorProto::kStringDataFieldNumber;
    default: break;
  }
  if (static_cast<std::int32_t>(type) == TensorProto::COMPLEX64) return TensorProto::kFloatDataFieldNumber;
  if (static_cast<std::int32_t>(type) == TensorProto::COMPLEX128) return TensorProto::kDoubleDataFieldNumber;
  return TensorProto::kInt32DataFieldNumber;
}

// Bytes that one varint entry of the field stands for.
std::size_t entry_bytes(ElementType type) {
  const std::optional<DType> dtype = dtype_of(type);
  return dtype ? size_of(*dtype) : 1;
}

class TypedValues {
 public:
  TypedValues(const WireSource& source, const StoredTensor& tensor, std::uint64_t expected_bytes)
      : source_(source), tensor_(tensor), expected_(expected_bytes) {}

  void add(const Field& field) {
    if (field.type == WireType::varint) return add_number(field.value);
    const bool fixed =
        field.number == TensorProto::kFloatDataFieldNumber || field.number == TensorProto::kDoubleDataFieldNumber;
    if (fixed || field.type != WireType::length_delimited) return add_bytes(field.content);
    for (FieldReader packed(source_, field.content); !packed.at_end();) add_number(packed.read_varint());
  }

  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void add_number(std::uint64_t value) {
    std::array<std::byte, sizeof(value)> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(value));
    add_bytes(std::span(bytes).first(entry_bytes(tensor_.type)));
  }

  // Stops at the size that the shape gives: a short field cannot claim much memory.
  void add_bytes(std::span<const std::byte> more) {
    if (more.size() > expected_ - bytes_.size()) {
      throw Error(ErrorKind::invalid_input, place_of(source_, tensor_),
                  "has more values than its shape " + to_string(tensor_.shape) + " holds");
    }
    bytes_.insert(bytes_.end(), more.begin(), more.end());
  }

  const WireSource& source_;
  const StoredTensor& tensor_;
  std::uint64_t expected_;
  std::vector<std::byte> bytes_;
};

void own(StoredTensor& tensor, std::vector<std::byte> bytes) {
  tensor.owned = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  tensor.data = *tensor.owned;
}

// Strings have no raw form: their fields are kept as they stand, for the writer to copy.
void keep_strings(const WireSource& source, const std::vector<Field>& fields, StoredTensor& tensor) {
  std::vector<std::byte> bytes;
  std::int64_t count = 0;
  for (const Field& field : fields) {
    if (field.number != TensorProto::kStringDataFieldNumber) continue;
    bytes.insert(bytes.end(), field.whole.begin(), field.whole.end());
    ++count;
  }
  if (count != element_count(tensor.shape)) {
    throw Error(ErrorKind::invalid_input, place_of(source, tensor),
                "has " + std::to_string(count) + " strings, expected those of shape " + to_string(tensor.shape));
  }
  own(tensor, std::move(bytes));
}

// What is left has the tensor's name, and its type and shape when they can be.
void drop_values(StoredTensor& tensor) {
  tensor.data = {};
  tensor.owned.reset();
  tensor.external.reset();
  try {
    if (stored_bytes(tensor.type, tensor.shape)) return;
  } catch (const Error&) {  // told already
  }
  tensor.type = ElementType::undefined;
  tensor.shape.clear();
}

void take_values(const WireSource& source, const GatheredFields& gathered, StoredTensor& tensor) {
  if (gathered.is_segment) {
    throw Error(ErrorKind::unsupported, place_of(source, tensor), "is stored in segments, which berth does not read");
  }
  if (tensor.type == ElementType::string) return keep_strings(source, gathered.typed, tensor);
  const std::optional<std::uint64_t> expected = stored_bytes(tensor.type, tensor.shape);
  if (!expected) {
    throw Error(ErrorKind::unsupported, place_of(source, tensor), "has the unknown element " + name_of(tensor.type));
  }
  if (tensor.external) return;
  if (gathered.raw_data) {
    tensor.data = *gathered.raw_data;
  } else {
    TypedValues values(source, tensor, *expected);
    for (const Field& field : gathered.typed) {
      if (field.number == typed_field_of(tensor.type)) values.add(field);
    }
    own(tensor, values.take());
  }
  if (tensor.data.size() != *expected) {
    throw Error(ErrorKind::invalid_input, place_of(source, tensor),
                "has " + std::to_string(tensor.data.size()) + " bytes of values, expected " +
                    std::to_string(*expected) + " for " + name_of(tensor.type) + " " + to_string(tensor.shape));
  }
}

}  // namespace

StoredTensor read_tensor(const WireSource& source, std::span<const std::byte> message,
                         std::vector<std::string>* problems) {
  GatheredFields gathered = gather(source, message);
  StoredTensor tensor = std::move(gathered.tensor);
  try {
    take_values(source, gathered, tensor);
  } catch (const Error& error) {
    // The arithmetic of shapes does not know whose shape it is.
    const Error placed(error.kind(), error.where().empty() ? place_of(source, tensor) : error.where(), error.message(),
                       error.hint());
    if (problems == nullptr || problems->size() >= kMaxTensorProblems) throw placed;
    problems->emplace_back(placed.what());
    drop_values(tensor);
  }
  return tensor;
}

}  // namespace berth::graph
