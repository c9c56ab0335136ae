// Writing a model: sizes first, then every byte once, from where it lies to the file.
#include <array>

#include "base/log.h"
#include "berth/error.h"
#include "berth/graph.h"
#include "graph/encode.h"
#include "graph/hashed_file.h"

namespace berth::graph {
namespace {

// In one file when it may be so, and fits.
EncodedModel encode(const Model& model, const WriteOptions& options, const std::filesystem::path& file,
                    const std::filesystem::path& weights_file) {
  const std::string weights_name = weights_file.filename().string();
  if (!options.external_data) {
    EncodedModel whole = encode_model(model, WeightPlace::inside, weights_name);
    if (whole.message.size() <= options.largest_file) return whole;
    log_info(file.filename().string() + " would have " + std::to_string(whole.message.size()) +
             " bytes, and one ONNX file holds at most " + std::to_string(options.largest_file) +
             ": the weights go to " + weights_name);
  }
  EncodedModel split = encode_model(model, WeightPlace::external_file, weights_name);
  if (split.message.size() <= options.largest_file) return split;
  throw Error(ErrorKind::limit, file.string(),
              "would have " + std::to_string(split.message.size()) +
                  " bytes without its weights; an ONNX file holds at most " + std::to_string(options.largest_file));
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
  const EncodedModel encoded = encode(model, options, file, weights_file);

  std::vector<WrittenFile> written;
  if (!encoded.external.empty()) written.push_back(write_weights(encoded.external, weights_file));
  written.push_back(write_message(encoded.message, file));
  return written;
}

}  // namespace berth::graph
