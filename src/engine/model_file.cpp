// The graph layer's reader as far as the tensors; what the graph computes is for ONNX Runtime to judge.
#include "engine/model_file.h"

#include <algorithm>
#include <cstdint>

#include "base/mapped_file.h"
#include "berth/error.h"
#include "graph/element_type.h"
#include "graph/external_data.h"
#include "graph/file_kind.h"
#include "graph/skim.h"

namespace berth::engine {

namespace fs = std::filesystem;

std::vector<std::string> inspect_model_file(const fs::path& model) {
  std::error_code ignored;  // what cannot be looked at is not there
  const fs::file_status status = fs::status(model, ignored);
  if (!fs::exists(status)) throw Error(ErrorKind::not_found, model.string(), "this model file is missing");
  if (!fs::is_regular_file(status)) {
    throw Error(ErrorKind::invalid_input, model.string(), "is not a file, expected an ONNX model");
  }
  const MappedFile mapped(model);
  const graph::FileKind kind = graph::recognise(mapped.bytes());
  if (!kind.what.empty()) {
    throw Error(ErrorKind::invalid_input, model.string(), "is " + kind.what + ", expected an ONNX model", kind.hint);
  }

  const graph::SkimmedModel skimmed = graph::skim({model.string(), mapped.bytes()}, nullptr);
  graph::ExternalData external(model);
  std::vector<std::string> names;
  for (const graph::StoredTensor& tensor : skimmed.tensors) {
    if (!tensor.external) continue;
    const std::uint64_t size = *graph::stored_bytes(tensor.type, tensor.shape);
    if (size == 0) continue;
    static_cast<void>(external.find(*tensor.external, size, tensor.name));
    const std::string& name = tensor.external->location;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  mapped.require_intact();
  return names;
}

}  // namespace berth::engine
