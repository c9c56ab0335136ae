// The table of ONNX's element types (onnx.proto, TensorProto.DataType) and what each is in berth's terms.
#include "graph/element_type.h"

#include <array>
#include <string>
#include <string_view>

#include "base/checked.h"

namespace berth::graph {
namespace {

struct ElementTypeRow {
  std::string_view name;
  unsigned bits;  // 0: the stored size is not a function of the shape
  std::optional<DType> dtype;
};

// Indexed by ElementType; names as numpy and ml_dtypes have them.
constexpr std::array<ElementTypeRow, 27> kElementTypes{{{"undefined", 0, {}},
                                                        {"float32", 32, DType::f32},
                                                        {"uint8", 8, DType::u8},
                                                        {"int8", 8, DType::i8},
                                                        {"uint16", 16, DType::u16},
                                                        {"int16", 16, DType::i16},
                                                        {"int32", 32, DType::i32},
                                                        {"int64", 64, DType::i64},
                                                        {"string", 0, {}},
                                                        {"bool", 8, DType::boolean},
                                                        {"float16", 16, DType::f16},
                                                        {"float64", 64, DType::f64},
                                                        {"uint32", 32, DType::u32},
                                                        {"uint64", 64, DType::u64},
                                                        {"complex64", 64, {}},
                                                        {"complex128", 128, {}},
                                                        {"bfloat16", 16, DType::bf16},
                                                        {"float8e4m3fn", 8, {}},
                                                        {"float8e4m3fnuz", 8, {}},
                                                        {"float8e5m2", 8, {}},
                                                        {"float8e5m2fnuz", 8, {}},
                                                        {"uint4", 4, {}},
                                                        {"int4", 4, {}},
                                                        {"float4e2m1", 4, {}},
                                                        {"float8e8m0", 8, {}},
                                                        {"uint2", 2, {}},
                                                        {"int2", 2, {}}}};

const ElementTypeRow* find_row(ElementType type) noexcept {
  const auto index = static_cast<std::size_t>(type);  // a negative number becomes a large one
  return index < kElementTypes.size() ? &kElementTypes[index] : nullptr;
}

}  // namespace

ElementType element_type_of(DType dtype) noexcept {
  for (std::size_t i = 0; i < kElementTypes.size(); ++i) {
    if (kElementTypes[i].dtype == dtype) return static_cast<ElementType>(i);
  }
  return ElementType::undefined;
}

std::optional<DType> dtype_of(ElementType type) noexcept {
  const ElementTypeRow* const row = find_row(type);
  return row != nullptr ? row->dtype : std::nullopt;
}

std::string name_of(ElementType type) {
  const ElementTypeRow* const row = find_row(type);
  return row != nullptr ? std::string(row->name) : "type " + std::to_string(static_cast<std::int32_t>(type));
}

std::optional<std::uint64_t> stored_bytes(ElementType type, const Shape& shape) {
  const ElementTypeRow* const row = find_row(type);
  if (row == nullptr || row->bits == 0) return std::nullopt;
  const auto count = static_cast<std::uint64_t>(element_count(shape));
  const std::uint64_t bits = checked::multiply<std::uint64_t>(count, row->bits, "tensor size in bits");
  return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

bool is_known(ElementType type) noexcept { return type != ElementType::undefined && find_row(type) != nullptr; }

}  // namespace berth::graph
