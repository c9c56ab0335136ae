// The second door: named dense tensors in, named dense tensors out.
#include <algorithm>
#include <array>
#include <utility>

#include "berth/error.h"
#include "engine/dense.h"
#include "engine/ort_errors.h"
#include "engine/session.h"

namespace berth::engine {
namespace {

// A view that ORT reads; the tensor keeps the values.
Ort::Value view_of(const Ort::MemoryInfo& memory, const DenseTensor& tensor) {
  static std::byte nothing;  // an empty tensor still needs an address
  void* const data = tensor.data.empty() ? &nothing : const_cast<std::byte*>(tensor.data.data());
  const auto type = static_cast<ONNXTensorElementDataType>(graph::element_type_of(tensor.dtype));
  return Ort::Value::CreateTensor(memory, data, tensor.data.size(), tensor.shape.data(), tensor.shape.size(), type);
}

DenseTensor copy_of(const Ort::Value& value, const std::string& name, DType dtype) {
  DenseTensor tensor{name, dtype, value.GetTensorTypeAndShapeInfo().GetShape(), {}};
  const auto* const bytes = static_cast<const std::byte*>(value.GetTensorRawData());
  tensor.data.assign(bytes, bytes + value.GetTensorSizeInBytes());
  return tensor;
}

}  // namespace

std::vector<DenseTensor> Engine::Session::run_dense(std::span<const DenseTensor> inputs,
                                                    std::span<const std::string> wanted) {
  check(inputs, signature.inputs);
  std::vector<const graph::Value*> selected;
  for (const std::string& name : wanted)
    selected.push_back(&signature.outputs[index_of(signature.outputs, name, where)]);
  for (std::size_t i = 0; wanted.empty() && i < signature.outputs.size(); ++i)
    selected.push_back(&signature.outputs[i]);
  std::vector<const char*> output_names;
  for (const graph::Value* const output : selected) {
    if (!graph::dtype_of(output->type)) {
      throw Error(ErrorKind::unsupported, where,
                  "gives " + describe(*output) + ", a type that berth has no tensor for");
    }
    output_names.push_back(output->name.c_str());
  }

  const Gate::Pass pass(environment.gate, threads.cost);
  return translated(where, [&] {
    const auto memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
    std::vector<const char*> input_names;
    std::vector<Ort::Value> values;
    for (const DenseTensor& tensor : inputs) {
      input_names.push_back(tensor.name.c_str());
      values.push_back(view_of(memory, tensor));
    }
    const std::vector<Ort::Value> results = ort.Run(Ort::RunOptions(), input_names.data(), values.data(), values.size(),
                                                    output_names.data(), output_names.size());
    std::vector<DenseTensor> outputs;
    for (std::size_t i = 0; i < results.size(); ++i) {
      outputs.push_back(copy_of(results[i], selected[i]->name, *graph::dtype_of(selected[i]->type)));
    }
    return outputs;
  });
}

}  // namespace berth::engine
