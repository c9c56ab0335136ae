// Dense tensors: making them, and holding them against a graph's declared inputs.
#include "engine/dense.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/checked.h"
#include "berth/error.h"
#include "engine/signature.h"

namespace berth::engine {
namespace {

template <typename T>
DenseTensor make(std::string name, DType dtype, Shape shape, std::span<const T> values) {
  if (std::cmp_not_equal(element_count(shape), values.size())) {
    throw Error(ErrorKind::invalid_input, name,
                "has " + std::to_string(values.size()) + " values, and its shape is " + to_string(shape));
  }
  DenseTensor tensor{std::move(name), dtype, std::move(shape), {}};
  const auto bytes = std::as_bytes(values);
  tensor.data.assign(bytes.begin(), bytes.end());
  return tensor;
}

using NamedSizes = std::map<std::string, std::pair<std::int64_t, std::string>>;  // name → size, first tensor with it

void check_shape(const DenseTensor& tensor, const graph::Value& declared, NamedSizes& named) {
  const std::string expected = ", expected " + describe(declared);
  if (declared.shape && declared.shape->size() != tensor.shape.size()) {
    throw Error(ErrorKind::invalid_input, tensor.name, "has the shape " + to_string(tensor.shape) + expected);
  }
  if (std::any_of(tensor.shape.begin(), tensor.shape.end(), [](std::int64_t size) { return size < 0; })) {
    throw Error(ErrorKind::invalid_input, tensor.name,
                "has the shape " + to_string(tensor.shape) + ", expected no negative size");
  }
  for (std::size_t i = 0; declared.shape && i < tensor.shape.size(); ++i) {
    const graph::Dimension& dimension = (*declared.shape)[i];
    if (const auto* const size = std::get_if<std::int64_t>(&dimension)) {
      if (*size == tensor.shape[i]) continue;
      throw Error(ErrorKind::invalid_input, tensor.name, "has the shape " + to_string(tensor.shape) + expected);
    }
    const auto& name = std::get<std::string>(dimension);
    if (name.empty()) continue;
    const auto [known, added] = named.emplace(name, std::pair(tensor.shape[i], tensor.name));
    if (!added && known->second.first != tensor.shape[i]) {
      throw Error(ErrorKind::invalid_input, tensor.name,
                  "has " + name + " " + std::to_string(tensor.shape[i]) + ", expected " +
                      std::to_string(known->second.first) + " as in " + known->second.second);
    }
  }
}

void check_size(const DenseTensor& tensor) {
  const std::int64_t elements = element_count(tensor.shape);
  const auto size = checked::multiply(elements, static_cast<std::int64_t>(size_of(tensor.dtype)), "size of a tensor");
  if (std::cmp_not_equal(size, tensor.data.size())) {
    throw Error(ErrorKind::invalid_input, tensor.name,
                "has " + std::to_string(tensor.data.size()) + " bytes, expected " + std::to_string(size) + " for " +
                    std::string(name_of(tensor.dtype)) + " " + to_string(tensor.shape));
  }
}

}  // namespace

DenseTensor dense(std::string name, Shape shape, std::span<const std::int64_t> values) {
  return make(std::move(name), DType::i64, std::move(shape), values);
}

DenseTensor dense(std::string name, Shape shape, std::span<const float> values) {
  return make(std::move(name), DType::f32, std::move(shape), values);
}

void check(std::span<const DenseTensor> tensors, const std::vector<graph::Value>& inputs) {
  std::set<std::string> seen;
  NamedSizes named;
  for (const DenseTensor& tensor : tensors) {
    const graph::Value& declared = inputs[index_of(inputs, tensor.name, "inputs")];
    if (!seen.insert(tensor.name).second) throw Error(ErrorKind::invalid_input, tensor.name, "is given twice");
    if (graph::element_type_of(tensor.dtype) != declared.type) {
      throw Error(ErrorKind::invalid_input, tensor.name,
                  "is " + graph::name_of(graph::element_type_of(tensor.dtype)) + ", expected " + describe(declared));
    }
    check_shape(tensor, declared, named);
    check_size(tensor);
  }
  for (const graph::Value& input : inputs) {
    if (!seen.contains(input.name))
      throw Error(ErrorKind::invalid_input, input.name, "is missing, expected " + describe(input));
  }
}

}  // namespace berth::engine
