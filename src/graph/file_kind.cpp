// The beginnings of files that people take for ONNX models. None of them is the beginning of a ModelProto.
#include "graph/file_kind.h"

#include <algorithm>
#include <string_view>

namespace berth::graph {
namespace {

struct Signature {
  std::size_t position;
  std::string_view bytes;
  std::string_view what;
  std::string_view hint;
};

constexpr std::string_view kExportHint = "give berth export the checkpoint's folder to make an ONNX model of it";
constexpr std::string_view kDownloadHint = "download the file itself; this is what stands in its place on the site";

constexpr Signature kSignatures[] = {
    {0, "version https://git-lfs", "a Git LFS pointer", "run git lfs pull in the model's repository"},
    {0, "<", "a web page or XML", kDownloadHint},
    {0, "PK\x03\x04", "a zip archive, such as a PyTorch checkpoint", kExportHint},
    {0, "\x80\x02", "a pickle, such as an old PyTorch checkpoint", kExportHint},
    {0, "\x89HDF", "an HDF5 file, such as a Keras model", kExportHint},
    {0, "GGUF", "a GGUF file", "convert from the checkpoint that it was made of"},
    {0, "\x1f\x8b", "a gzip archive", "unpack it first"},
    {4, "ORTM", "a model in ONNX Runtime's own format", "use the .onnx file that it was made of"},
    {4, "TFL3", "a TensorFlow Lite model", "use the model that it was made of"},
    {8, "{\"", "a safetensors file", kExportHint},
};

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char byte) {
    const auto value = static_cast<unsigned char>(byte);
    return value >= 0x20 || byte == '\n' || byte == '\r' || byte == '\t';
  });
}

}  // namespace

FileKind recognise(std::span<const std::byte> bytes) {
  if (bytes.empty()) return {"empty", "fetch or export it again"};
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 256));
  for (const Signature& signature : kSignatures) {
    if (head.size() > signature.position && head.substr(signature.position).starts_with(signature.bytes)) {
      return {std::string(signature.what), std::string(signature.hint)};
    }
  }
  if (is_text(head)) return {"a text file", std::string(kDownloadHint)};
  return {};
}

}  // namespace berth::graph
