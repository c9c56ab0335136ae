// Tensors that own their values: shapes, axes and scalars that a graph needs beside its weights.
#include <cstring>

#include "berth/error.h"
#include "berth/graph.h"

namespace berth::graph {
namespace {

template <typename Value>
Tensor owning_tensor(std::string name, const std::vector<Value>& values, Shape shape, DType dtype) {
  if (std::cmp_not_equal(element_count(shape), values.size())) {
    throw Error(ErrorKind::internal, "constant " + name,
                "has " + std::to_string(values.size()) + " values for the shape " + to_string(shape));
  }
  std::vector<std::byte> bytes(values.size() * sizeof(Value));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());

  Tensor tensor;
  tensor.name = std::move(name);
  tensor.type = element_type_of(dtype);
  tensor.shape = shape;
  tensor.owned = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  tensor.source = {dtype, std::move(shape), *tensor.owned};
  return tensor;
}

}  // namespace

Tensor constant(std::string name, std::vector<std::int64_t> values, Shape shape) {
  return owning_tensor(std::move(name), values, std::move(shape), DType::i64);
}

Tensor constant(std::string name, std::vector<float> values, Shape shape) {
  return owning_tensor(std::move(name), values, std::move(shape), DType::f32);
}

}  // namespace berth::graph
