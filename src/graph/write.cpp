// Writing a model: sizes first, then every byte once, from where it lies to the file.
#include <array>
#include <limits>

#include "berth/error.h"
#include "berth/graph.h"
#include "graph/encode.h"
#include "graph/hashed_file.h"

namespace berth::graph {
namespace {

// Protobuf's readers count bytes in an int.
constexpr std::uint64_t kMaxModelBytes = std::numeric_limits<std::int32_t>::max();

void require_readable_size(std::uint64_t size, const std::filesystem::path& file) {
  if (size <= kMaxModelBytes) return;
  throw Error(ErrorKind::limit, file.string(),
              "would have " + std::to_string(size) + " bytes; a single ONNX file holds at most " +
                  std::to_string(kMaxModelBytes),
              "write the weights to a file of their own: --external-data");
}

WrittenFile write_weights(const std::vector<ExternalWeight>& weights, const std::filesystem::path& path) {
  static constexpr std::array<std::byte, kExternalAlignment> kPadding{};
  HashedFile file(path);
  for (const ExternalWeight& weight : weights) {
    file.write_stable(std::span(kPadding).first(weight.offset - file.size()));
    stream_tensor(*weight.tensor, file);
  }
  return file.finish();
}

WrittenFile write_message(const Message& message, const std::filesystem::path& path) {
  HashedFile file(path);
  stream_message(message, file);
  return file.finish();
}

}  // namespace

std::vector<WrittenFile> write(const Model& model, const std::filesystem::path& file, const WriteOptions& options) {
  std::filesystem::path weights_file = file;
  weights_file += ".data";
  const WeightPlace place = options.external_data ? WeightPlace::external_file : WeightPlace::inside;
  const EncodedModel encoded = encode_model(model, place, weights_file.filename().string());
  require_readable_size(encoded.message.size(), file);

  std::vector<WrittenFile> written;
  if (!encoded.external.empty()) written.push_back(write_weights(encoded.external, weights_file));
  written.push_back(write_message(encoded.message, file));
  return written;
}

}  // namespace berth::graph
