// An export streams: what it holds in memory does not grow with the checkpoint. Read from the running program, on a
// checkpoint of BERT-base's size made on the spot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"
#include "support/paths.h"
#include "support/process.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kWidth = 768;
constexpr std::int64_t kInner = 3072;
constexpr std::int64_t kLayers = 12;
constexpr std::int64_t kVocabulary = 30522;
constexpr std::int64_t kPositions = 512;

using Tensors = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;

Tensors tensors_of_bert_base() {
  Tensors tensors{{"bert.embeddings.word_embeddings.weight", {kVocabulary, kWidth}},
                  {"bert.embeddings.position_embeddings.weight", {kPositions, kWidth}},
                  {"bert.embeddings.token_type_embeddings.weight", {2, kWidth}}};
  const auto dense = [&](const std::string& name, std::int64_t outputs, std::int64_t inputs) {
    tensors.push_back({name + ".weight", {outputs, inputs}});
    tensors.push_back({name + ".bias", {outputs}});
  };
  const auto norm = [&](const std::string& name) {
    tensors.push_back({name + ".weight", {kWidth}});
    tensors.push_back({name + ".bias", {kWidth}});
  };
  norm("bert.embeddings.LayerNorm");
  for (std::int64_t layer = 0; layer < kLayers; ++layer) {
    const std::string name = "bert.encoder.layer." + std::to_string(layer);
    for (const char* const part : {"query", "key", "value"}) dense(name + ".attention.self." + part, kWidth, kWidth);
    dense(name + ".attention.output.dense", kWidth, kWidth);
    norm(name + ".attention.output.LayerNorm");
    dense(name + ".intermediate.dense", kInner, kWidth);
    dense(name + ".output.dense", kWidth, kInner);
    norm(name + ".output.LayerNorm");
  }
  dense("bert.pooler.dense", kWidth, kWidth);
  dense("classifier", 2, kWidth);
  return tensors;
}

// Returns the size of the weights.
std::uint64_t write_checkpoint(const fs::path& folder) {
  fs::create_directory(folder);
  for (const char* const name : {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"}) {
    fs::copy_file(test::example_model("sentiment-small-en") / name, folder / name);
  }
  write_new_file(folder / "config.json", R"({"model_type": "bert",
      "architectures": ["BertForSequenceClassification"], "vocab_size": 30522, "hidden_size": 768, "num_hidden_layers": 12,
      "num_attention_heads": 12, "intermediate_size": 3072, "max_position_embeddings": 512, "type_vocab_size": 2})");
  json::Value header;
  std::uint64_t end = 0;
  for (const auto& [name, shape] : tensors_of_bert_base()) {
    std::uint64_t bytes = sizeof(float);
    for (const std::int64_t extent : shape) bytes *= static_cast<std::uint64_t>(extent);
    header[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {end, end + bytes}}};
    end += bytes;
  }
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  FileWriter writer(folder / "model.safetensors");
  writer.write(std::as_bytes(std::span(&length, 1)));
  writer.write(text);
  const std::vector<float> block(1 << 18, 0.02F);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(block));
  for (std::uint64_t written = 0; written < end; written += bytes.size()) {
    writer.write(bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), end - written))));
  }
  return end;
}

TEST(SystemExportMemory, StaysBelowAShareOfTheCheckpoint) {
  const TemporaryFolder folder;
  const std::uint64_t weights = write_checkpoint(folder.path() / "base");
  ASSERT_GT(weights, 400'000'000U);
  const test::Finished finished = test::run_berth(
      {"export", (folder.path() / "base").string(), "-o", (folder.path() / "out").string(), "--no-verify"},
      {.watch_memory = true});
  ASSERT_EQ(finished.exit_code, 0) << finished.messages;
  EXPECT_GE(fs::file_size(folder.path() / "out/model.onnx"), weights);
  EXPECT_GT(finished.peak_anonymous, 1U << 20);  // it was watched
  EXPECT_LT(finished.peak_anonymous, weights * 15 / 100 + (64U << 20));
  RecordProperty("peak_anonymous", std::to_string(finished.peak_anonymous));
}

}  // namespace
}  // namespace berth
