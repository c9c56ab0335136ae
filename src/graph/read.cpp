// From a file to a Model: recognise, skim, parse what is left, inline functions, find external data, decode.
#include "graph/read.h"

#include <onnx/onnx_pb.h>

#include "base/mapped_file.h"
#include "berth/error.h"
#include "graph/decode.h"
#include "graph/element_type.h"
#include "graph/external_data.h"
#include "graph/file_kind.h"
#include "graph/functions.h"
#include "graph/quiet_protobuf.h"
#include "graph/skim.h"

namespace berth::graph {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const MappedFile> map_model(const fs::path& file) {
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  if (fs::is_directory(status)) {
    throw Error(ErrorKind::invalid_input, file.string(), "is a folder, expected an ONNX file",
                "name the .onnx file in it");
  }
  auto mapped = std::make_shared<const MappedFile>(file);
  const FileKind kind = recognise(mapped->bytes());
  if (!kind.what.empty()) {
    throw Error(ErrorKind::invalid_input, file.string(), "is " + kind.what + ", expected an ONNX model", kind.hint);
  }
  return mapped;
}

void find_external_data(std::vector<StoredTensor>& tensors, ExternalData& external,
                        std::vector<std::string>* problems) {
  for (StoredTensor& tensor : tensors) {
    if (!tensor.external) continue;
    const std::uint64_t size = *stored_bytes(tensor.type, tensor.shape);
    try {
      if (size != 0) tensor.data = external.find(*tensor.external, size, tensor.name);
    } catch (const Error& error) {
      if (problems == nullptr || problems->size() >= kMaxTensorProblems) throw;
      problems->emplace_back(error.what());
    }
  }
}

}  // namespace

Model read_model(const fs::path& file, std::vector<std::string>* problems) {
  silence_protobuf();
  const std::shared_ptr<const MappedFile> mapped = map_model(file);
  const WireSource source{file.string(), mapped->bytes()};
  SkimmedModel skimmed = skim(source, problems);

  onnx::ModelProto proto;
  if (!proto.ParseFromString(skimmed.structure)) {
    throw Error(ErrorKind::invalid_input, source.name,
                "is not a readable ONNX model: its fields do not follow ONNX's schema");
  }
  skimmed.structure.clear();
  skimmed.structure.shrink_to_fit();
  if (!proto.has_graph()) {
    throw Error(ErrorKind::invalid_input, source.name, "is not an ONNX model: it holds no graph");
  }
  inline_functions(proto, source.name);

  ExternalData external(file);
  find_external_data(skimmed.tensors, external, problems);
  Model model = decode_model(proto, skimmed.tensors, source.name);
  model.storage = external.files();
  model.storage.insert(model.storage.begin(), mapped);
  mapped->require_intact();
  return model;
}

Model read(const fs::path& file) { return read_model(file, nullptr); }

}  // namespace berth::graph
